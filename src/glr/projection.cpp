#include "glr/projection.hpp"

#include <cstring>

#include "glr/lanes.hpp"

namespace burnish::glr {
namespace {

/// Runs over whole vectors; what is behind the last point is computed and not used.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void project_body(const LocalPatch& __restrict patch, const double* __restrict a,
                                                double unit, ProjectedPatch& __restrict result) {
  for (std::size_t begin = 0; begin < patch.count; begin += LaneCount) {
    for (std::size_t i = begin; i < begin + LaneCount; ++i) {
      const double u = patch.x[i] * a[0] + patch.y[i] * a[1] + patch.z[i] * a[2];
      const double v = patch.x[i] * a[3] + patch.y[i] * a[4] + patch.z[i] * a[5];
      const double unit_u = u * unit;
      const double unit_v = v * unit;
      result.u[i] = u;
      result.v[i] = v;
      result.height[i] = patch.x[i] * a[6] + patch.y[i] * a[7] + patch.z[i] * a[8];
      result.unit_u[i] = static_cast<float>(unit_u);
      result.unit_v[i] = static_cast<float>(unit_v);
      result.unit_square[i] = static_cast<float>(unit_u * unit_u + unit_v * unit_v);
    }
  }
}

BURNISH_FOR_ALL_LANES(project, (const LocalPatch& patch, const double* a, double unit, ProjectedPatch& result),
                      (patch, a, unit, result))

template <std::size_t LaneCount>
[[gnu::always_inline]] inline void project_heights_body(const LocalPatch& __restrict patch, const double* __restrict a,
                                                        double* __restrict heights) {
  for (std::size_t begin = 0; begin < patch.count; begin += LaneCount) {
    for (std::size_t i = begin; i < begin + LaneCount; ++i) {
      heights[i] = patch.x[i] * a[0] + patch.y[i] * a[1] + patch.z[i] * a[2];
    }
  }
}

/// Four sums, so that one addition need not wait for another; whatever the number of lanes, so that the result is the
/// same.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void squared_differences_body(const double* __restrict own,
                                                            const double* __restrict other,
                                                            const std::uint8_t* __restrict partners, std::size_t count,
                                                            double* __restrict result) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t t = 0; t < 4; ++t) {
      const double difference = own[i + t] - other[partners[i + t]];
      sums[t] += difference * difference;
    }
  }
  for (std::size_t t = 0; i + t < count; ++t) {
    const double difference = own[i + t] - other[partners[i + t]];
    sums[t] += difference * difference;
  }
  *result = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

BURNISH_FOR_ALL_LANES(squared_differences,
                      (const double* own, const double* other, const std::uint8_t* partners, std::size_t count,
                       double* result),
                      (own, other, partners, count, result))

BURNISH_FOR_ALL_LANES(project_heights, (const LocalPatch& patch, const double* a, double* heights), (patch, a, heights))

}  // namespace

void project(const LocalPatch& patch, const Eigen::Matrix3d& axes, double radius, ProjectedPatch& result) {
  result.count = patch.count;
  double a[9];
  std::memcpy(a, axes.data(), sizeof a);
  project_any(patch, a, radius > 0.0 ? 1.0 / radius : 0.0, result);
}

double sum_of_squared_differences(const double* own, const double* other, const std::uint8_t* partners,
                                  std::size_t count) {
  double result = 0.0;
  squared_differences_any(own, other, partners, count, &result);
  return result;
}

void project_heights(const LocalPatch& patch, const Eigen::Vector3d& normal, double* heights) {
  project_heights_any(patch, normal.data(), heights);
}

}  // namespace burnish::glr
