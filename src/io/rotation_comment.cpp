#include "io/rotation_comment.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace burnish::io {

std::string rotation_comment(const Eigen::Matrix3d& rotation) {
  constexpr double tolerance = 1e-6;  // files have few digits
  const bool is_rotation = rotation.isUnitary(tolerance) && rotation.determinant() > 0;
  if (!is_rotation || rotation.isIdentity(0)) {
    return "";
  }
  const Eigen::Quaterniond q = Eigen::Quaterniond(rotation).normalized();
  return fmt::format(", rotation {:.10g} {:.10g} {:.10g} {:.10g}", q.w(), q.x(), q.y(), q.z());
}

}  // namespace burnish::io
