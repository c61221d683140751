#pragma once

#include "burnish/point_cloud.hpp"
#include "core/math.hpp"

namespace burnish {

/// The rotation by an angle about an axis of length 1 (Rodrigues).
[[nodiscard]] inline Eigen::Matrix3d rotation_about(const Vec3& axis, double angle) {
  const double cosine = math::cos(angle);
  const Vec3 turned = math::sin(angle) * axis;
  Eigen::Matrix3d rotation = ((1.0 - cosine) * axis) * axis.transpose();
  rotation.diagonal().array() += cosine;
  rotation(0, 1) -= turned.z();
  rotation(1, 0) += turned.z();
  rotation(0, 2) += turned.y();
  rotation(2, 0) -= turned.y();
  rotation(1, 2) -= turned.x();
  rotation(2, 1) += turned.x();
  return rotation;
}

}  // namespace burnish
