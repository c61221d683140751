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

/// A patch in a reference frame: u and v in the plane, height above it; u and v in single precision as well.
struct ProjectedPatch {
  alignas(64) double u[patch_capacity] = {};
  alignas(64) double v[patch_capacity] = {};
  alignas(64) double height[patch_capacity] = {};
  alignas(64) float u_single[patch_capacity] = {};
  alignas(64) float v_single[patch_capacity] = {};
  std::size_t count = 0;

  /// Squared distance of two points in the plane.
  [[nodiscard]] double squared_distance(std::size_t i, const ProjectedPatch& other, std::size_t j) const {
    const double du = u[i] - other.u[j];
    const double dv = v[i] - other.v[j];
    return du * du + dv * dv;
  }
};

/// For every point of a patch the nearest one of another in the plane of projection.
struct Nearest {
  alignas(64) std::int32_t index[patch_capacity];
  alignas(64) float squared_distance[patch_capacity];
  alignas(
      64) std::int32_t doubtful[patch_capacity];  ///< not 0 where single precision cannot tell the two nearest apart
  bool any_doubtful = false;
  bool any_far = false;  ///< some squared distance is above the limit that was asked about
};

/// Projects a patch to a reference frame, the columns of `axes`.
void project(const LocalPatch& patch, const Eigen::Matrix3d& axes, ProjectedPatch& result);

/// The hot kernel of the method: for every point of `a` the nearest one of `b` by looking at all, in single precision;
/// of equally near ones the first. `radius` bounds all coordinates; it says how far rounding can reach. `far` is the
/// limit for `any_far`.
void find_nearest(const ProjectedPatch& a, const ProjectedPatch& b, double radius, float far, Nearest& result);

/// Both functions come in several forms, with vectors of 4, 8 and 16 lanes. The widest this processor has is taken; all
/// give the same bits. For tests: takes the form of so many lanes from now on, or returns false if there is none.
bool use_lanes(int lanes);

}  // namespace burnish::glr
