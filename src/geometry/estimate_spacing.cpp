#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "burnish/estimate.hpp"
#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/spacing.hpp"
#include "geometry/working_points.hpp"

namespace burnish {
namespace {

constexpr std::size_t neighbours_wanted = 12;

double spacing_at(const NeighbourSearch& search, const Vec3& point) {
  std::uint32_t indices[neighbours_wanted + 1];
  double distances[neighbours_wanted + 1];
  const std::size_t others = search.nearest(point, indices, distances) - 1;
  // The circle through the last of n neighbours contains n + 1/2 points, because half of that neighbour counts.
  return std::sqrt(std::numbers::pi * distances[others] / (static_cast<double>(others) + 0.5));
}

}  // namespace

Estimate spacing_among(std::span<const Vec3> points, const NeighbourSearch& search, const ExecutionContext& context) {
  if (points.size() < 2) {
    return {};
  }
  const std::vector<std::uint32_t> sample = intrinsic_sample(points, 4000, context);
  std::vector<double> spacings(sample.size());
  parallel_for(context, sample.size(), 64, [&](std::size_t s) { spacings[s] = spacing_at(search, points[sample[s]]); });
  std::ranges::sort(spacings);
  const auto quantile = [&](double part) {
    return spacings[static_cast<std::size_t>(part * static_cast<double>(spacings.size()))];
  };
  // The standard error of a median, its spread taken from the quartiles.
  const double spread = (quantile(0.75) - quantile(0.25)) / 1.349;
  return {quantile(0.5), 1.2533 * spread / std::sqrt(static_cast<double>(spacings.size()))};
}

Estimate estimate_spacing(std::span<const Vec3> input, const ExecutionContext& context) {
  const WorkingPoints working = working_points(input, context);
  return spacing_among(working.points, NeighbourSearch(working.points, context), context);
}

std::vector<double> estimate_local_spacing(std::span<const Vec3> input, const ExecutionContext& context) {
  std::vector<double> result(input.size(), 0.0);
  const WorkingPoints working = working_points(input, context);
  if (working.points.size() < 2) {
    return result;
  }
  const NeighbourSearch search(working.points, context);
  parallel_for(context, input.size(), 256, [&](std::size_t i) {
    if (working.place[i] != WorkingPoints::absent) {
      result[i] = spacing_at(search, working.points[working.place[i]]);
    }
  });
  return result;
}

}  // namespace burnish
