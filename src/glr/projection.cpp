#include "glr/projection.hpp"

#include <cstring>

#include "glr/lanes.hpp"

namespace burnish::glr {
namespace {

/// Runs over whole vectors; behind the last point are zeros. `highest` becomes the largest absolute value.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void project_heights_body(const LocalPatch& patch, const double* normal, double* heights,
                                                        double* highest) {
  constexpr std::size_t lanes = LaneCount / 2;
  using Doubles = typename Vector<LaneCount>::Double;
  const double* const x = patch.coordinate(0);
  const double* const y = patch.coordinate(1);
  const double* const z = patch.coordinate(2);
  const double nx = normal[0];
  const double ny = normal[1];
  const double nz = normal[2];
  Doubles most{};
  for (std::size_t i = 0; i < patch.count(); i += lanes) {
    Doubles here[3];
    std::memcpy(&here[0], x + i, sizeof(Doubles));
    std::memcpy(&here[1], y + i, sizeof(Doubles));
    std::memcpy(&here[2], z + i, sizeof(Doubles));
    const Doubles height = here[0] * nx + here[1] * ny + here[2] * nz;
    std::memcpy(heights + i, &height, sizeof height);
    const Doubles absolute = height < 0.0 ? -height : height;
    most = absolute > most ? absolute : most;
  }
  double result = 0.0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    result = most[lane] > result ? most[lane] : result;
  }
  *highest = result;
}

/// `a` are the axes of the plane in units of the radius.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void project_to_plane_body(const LocalPatch& patch, const float* a,
                                                         ProjectedPatch& result) {
  using Floats = typename Vector<LaneCount>::Float;
  const float* const x = patch.rounded(0);
  const float* const y = patch.rounded(1);
  const float* const z = patch.rounded(2);
  const float axes[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};
  for (std::size_t i = 0; i < patch.count(); i += LaneCount) {
    Floats here[3];
    std::memcpy(&here[0], x + i, sizeof(Floats));
    std::memcpy(&here[1], y + i, sizeof(Floats));
    std::memcpy(&here[2], z + i, sizeof(Floats));
    const Floats u = here[0] * axes[0] + here[1] * axes[1] + here[2] * axes[2];
    const Floats v = here[0] * axes[3] + here[1] * axes[4] + here[2] * axes[5];
    const Floats lifted_square = (u * u + v * v) + ProjectedPatch::lift;
    std::memcpy(result.u + i, &u, sizeof u);
    std::memcpy(result.v + i, &v, sizeof v);
    std::memcpy(result.lifted_square + i, &lifted_square, sizeof lifted_square);
  }
}

BURNISH_FOR_ALL_LANES(project_to_plane, (const LocalPatch& patch, const float* a, ProjectedPatch& result),
                      (patch, a, result))

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

BURNISH_FOR_ALL_LANES(project_heights,
                      (const LocalPatch& patch, const double* normal, double* heights, double* highest),
                      (patch, normal, heights, highest))

}  // namespace

void project_to_plane(const LocalPatch& patch, const Eigen::Matrix3d& axes, double radius, ProjectedPatch& result) {
  result.count = patch.count();
  const Eigen::Matrix<float, 3, 2> in_units = (axes.leftCols<2>() * (patch.unit() / radius)).cast<float>();
  project_to_plane_any(patch, in_units.data(), result);
}

double sum_of_squared_differences(const double* own, const double* other, const std::uint8_t* partners,
                                  std::size_t count) {
  double result = 0.0;
  squared_differences_any(own, other, partners, count, &result);
  return result;
}

double project_heights(const LocalPatch& patch, const Eigen::Vector3d& normal, double* heights) {
  double highest = 0.0;
  project_heights_any(patch, normal.data(), heights, &highest);
  return highest;
}

}  // namespace burnish::glr
