#pragma once

#include <Eigen/Core>

#include <string>

namespace burnish::io {

/// How the comment of a scan says that its axes were rotated by this matrix: ", rotation w x y z", the unit quaternion;
/// empty if it is no rotation, or none that changes anything.
[[nodiscard]] std::string rotation_comment(const Eigen::Matrix3d& rotation);

}  // namespace burnish::io
