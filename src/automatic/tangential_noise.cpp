#include "automatic/tangential_noise.hpp"

#include <algorithm>
#include <cmath>

#include "burnish/neighbours.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/frames.hpp"

namespace burnish::automatic {
namespace {

/// Neighbours of a point: enough to see a border, and all within two standard deviations of the noise, up to a number
/// that bounds the cost.
constexpr std::size_t fewest_neighbours = 20;
constexpr std::size_t most_neighbours = 1000;
constexpr double radius_in_deviations = 2.0;

/// Where the kernel is wide compared with the noise, the mean shift is mostly due to the density of the points; the
/// fraction due to noise is σ² / (σ² + h²), times a factor found by experiment (docs/automatic.md).
constexpr double gain = 4.0;

}  // namespace

std::vector<Vec3> remove_tangential_noise(const std::vector<Vec3>& points, std::span<const double> noise,
                                          const NeighbourSearch& search, const ExecutionContext& context) {
  std::vector<Vec3> result = points;
  if (points.size() <= fewest_neighbours) {
    return result;
  }
  parallel_blocks(context, points.size(), 256, [&](std::size_t begin, std::size_t end) {
    NeighbourQueries few(search, fewest_neighbours);
    std::vector<std::uint32_t> indices;
    std::vector<double> squares;
    std::vector<Vec3> around;
    std::vector<double> weights;
    for (std::size_t p = begin; p < end; ++p) {
      NeighbourQueries::Found found = few.nearest(points[p]);
      if (const double wanted = radius_in_deviations * noise[p];
          wanted * wanted > found.farthest && found.farthest > 0.0) {
        const double more = static_cast<double>(fewest_neighbours) * wanted * wanted / found.farthest;
        const std::size_t most = std::min(most_neighbours, points.size());
        indices.resize(more < static_cast<double>(most) ? static_cast<std::size_t>(more) : most);
        squares.resize(indices.size());
        search.nearest(points[p], indices, squares);
        found = {indices, squares, squares.back()};
      }
      const double width = 0.5 * std::sqrt(found.farthest);
      if (!(width > 0.0)) {
        continue;
      }
      around.resize(found.indices.size());
      weights.resize(found.indices.size());
      Vec3 sum = Vec3::Zero();
      double weight_sum = 0.0;
      double weight_squares = 0.0;
      for (std::size_t i = 0; i < around.size(); ++i) {
        around[i] = points[found.indices[i]];
        weights[i] = math::exp(-0.5 * found.distances[i] / (width * width));
        sum += weights[i] * (around[i] - points[p]);
        weight_sum += weights[i];
        weight_squares += weights[i] * weights[i];
      }
      const Vec3 normal = principal_frame(around, weights).axes.col(2);
      const Vec3 shift = sum / weight_sum;
      const Vec3 along = shift - normal * normal.dot(shift);
      const double by_chance = width * std::sqrt(weight_squares) / weight_sum;
      const double length = along.norm();
      if (length > by_chance) {
        const double noise2 = noise[p] * noise[p];
        const double part = std::min(1.0, gain * noise2 / (noise2 + width * width));
        result[p] += part * (1.0 - by_chance / length) * along;
      }
    }
  });
  return result;
}

}  // namespace burnish::automatic
