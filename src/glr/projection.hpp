#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "glr/patches.hpp"

namespace burnish::glr {

/// The points of a patch relative to its origin, one array a coordinate, in double and in single precision. Close
/// together in memory, because many of them are kept.
class LocalPatch {
 public:
  /// `unit` is that of single precision: a power of two near the size of the patch, so that any size fits.
  LocalPatch(std::size_t count, double unit)
      : count_(count), unit_(unit), numbers_(3 * whole_vectors(count), 0.0), rounded_(3 * whole_vectors(count), 0.0F) {}

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double unit() const { return unit_; }

  void set_unit(double unit) { unit_ = unit; }
  void set(std::size_t i, const Eigen::Vector3d& point) {
    for (std::size_t c = 0; c < 3; ++c) {
      const double number = point[static_cast<Eigen::Index>(c)];
      numbers_[c * whole_vectors(count_) + i] = number;
      rounded_[c * whole_vectors(count_) + i] = static_cast<float>(number / unit_);
    }
  }
  [[nodiscard]] Eigen::Vector3d point(std::size_t i) const {
    return {coordinate(0)[i], coordinate(1)[i], coordinate(2)[i]};
  }

  [[nodiscard]] const double* coordinate(std::size_t c) const { return &numbers_[c * whole_vectors(count_)]; }
  [[nodiscard]] const float* rounded(std::size_t c) const { return &rounded_[c * whole_vectors(count_)]; }

 private:
  std::size_t count_;
  double unit_;
  std::vector<double> numbers_;
  std::vector<float> rounded_;
};

/// The power of two that is not larger than a length and more than half of it. 1 for 0.
[[nodiscard]] inline double power_of_two(double length) {
  return length > 0.0 ? std::ldexp(1.0, std::clamp(std::ilogb(length), -1000, 1000)) : 1.0;
}

/// A patch in a reference frame.
struct ProjectedPatch {
  alignas(64) double height[patch_capacity] = {};  ///< above the plane
  /// For the search of nearest projections: u, v and u² + v² + lift in units of a radius that bounds all of them, in
  /// single precision.
  alignas(64) float u[patch_capacity] = {};
  alignas(64) float v[patch_capacity] = {};
  alignas(64) float lifted_square[patch_capacity] = {};
  std::size_t count = 0;

  /// More than 1, the largest square of a radius.
  static constexpr float lift = 1.0F + 0x1p-10F;
  /// No coordinate in the plane is farther from that of ExactProjection: five roundings of at most 2⁻²⁴, of the point,
  /// the frame, products and sums.
  static constexpr float error = 5.1F * 0x1p-24F;
};

/// Projects a patch to the plane of a reference frame, the columns of `axes`. No point may be farther than `radius`
/// from the origin.
void project_to_plane(const LocalPatch& patch, const Eigen::Matrix3d& axes, double radius, ProjectedPatch& result);

/// The heights of a patch: its points along a normal. Returns the largest absolute value.
double project_heights(const LocalPatch& patch, const Eigen::Vector3d& normal, double* heights);

/// Where a point of a patch is in a reference plane, in double precision.
struct ExactProjection {
  double u;
  double v;

  ExactProjection(const LocalPatch& patch, std::size_t i, const Eigen::Matrix3d& axes)
      : u(axes.col(0).dot(patch.point(i))), v(axes.col(1).dot(patch.point(i))) {}

  [[nodiscard]] double squared_distance(const ExactProjection& other) const {
    return (u - other.u) * (u - other.u) + (v - other.v) * (v - other.v);
  }
};

/// Σ (own[i] − other[partners[i]])² over `count` points.
[[nodiscard]] double sum_of_squared_differences(const double* own, const double* other, const std::uint8_t* partners,
                                                std::size_t count);

}  // namespace burnish::glr
