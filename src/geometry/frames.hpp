#pragma once

#include <Eigen/Core>

#include <span>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// The principal frame of a set of points: the columns of `axes` are two tangents and the normal (the direction in
/// which the points spread least), orthonormal; `mean` is their mean.
struct PrincipalFrame {
  Vec3 mean;
  Eigen::Matrix3d axes;
};

[[nodiscard]] PrincipalFrame principal_frame(std::span<const Vec3> points);

/// The same with a weight, not negative, for every point; their sum must be positive.
[[nodiscard]] PrincipalFrame principal_frame(std::span<const Vec3> points, std::span<const double> weights);

}  // namespace burnish
