#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>

namespace burnish::glr {

/// Room for the points of a patch, in whole vectors.
inline constexpr std::size_t patch_capacity = 256;

/// The points of a patch relative to its origin, one array a coordinate.
struct LocalPatch {
  alignas(64) double x[patch_capacity] = {};
  alignas(64) double y[patch_capacity] = {};
  alignas(64) double z[patch_capacity] = {};
  std::size_t count = 0;
};

/// A patch in a reference frame: u and v in the plane, height above it.
struct ProjectedPatch {
  alignas(64) double u[patch_capacity] = {};
  alignas(64) double v[patch_capacity] = {};
  alignas(64) double height[patch_capacity] = {};
  /// For the search of nearest projections: u, v and u² + v² in units of a radius that bounds all of them, in single
  /// precision.
  alignas(64) float unit_u[patch_capacity] = {};
  alignas(64) float unit_v[patch_capacity] = {};
  alignas(64) float unit_square[patch_capacity] = {};
  std::size_t count = 0;

  /// Squared distance of two points in the plane.
  [[nodiscard]] double squared_distance(std::size_t i, const ProjectedPatch& other, std::size_t j) const {
    const double du = u[i] - other.u[j];
    const double dv = v[i] - other.v[j];
    return du * du + dv * dv;
  }
};

/// Projects a patch to a reference frame, the columns of `axes`. No point may be farther than `radius` from the origin.
void project(const LocalPatch& patch, const Eigen::Matrix3d& axes, double radius, ProjectedPatch& result);

/// Only the heights of a patch, the same to the last bit: its points along a normal.
void project_heights(const LocalPatch& patch, const Eigen::Vector3d& normal, double* heights);

/// Σ (own[i] − other[partners[i]])² over `count` points.
[[nodiscard]] double sum_of_squared_differences(const double* own, const double* other, const std::uint8_t* partners,
                                                std::size_t count);

}  // namespace burnish::glr
