#include "blind/outliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"

namespace burnish::blind {

std::vector<std::uint32_t> find_outliers(const std::vector<Vec3>& points, double noise,
                                         const ExecutionContext& context) {
  constexpr std::size_t others = 8;
  std::vector<std::uint32_t> outliers;
  if (points.size() <= 4 * others) {
    return outliers;
  }
  std::vector<std::array<std::uint32_t, others + 1>> nearest(points.size());
  std::vector<double> distance(points.size());
  const NeighbourSearch search(points, context);
  parallel_for(context, points.size(), 256, [&](std::size_t p) {
    double squares[others + 1];
    search.nearest(points[p], nearest[p], squares);
    for (std::size_t i = 1; i <= others; ++i) {
      distance[p] += std::sqrt(squares[i]) / others;
    }
  });
  for (std::uint32_t p = 0; p < points.size(); ++p) {
    std::array<double, others> around;
    std::transform(nearest[p].begin() + 1, nearest[p].end(), around.begin(),
                   [&](std::uint32_t n) { return distance[n]; });
    std::ranges::nth_element(around, around.begin() + others / 2);
    if (distance[p] > 4.0 * around[others / 2] + 5.0 * noise) {
      outliers.push_back(p);
    }
  }
  return outliers;
}

std::vector<Vec3> put_back(std::vector<Vec3> points, const std::vector<std::uint32_t>& left_out,
                           const std::vector<Vec3>& moved) {
  auto next = left_out.begin();
  auto from = moved.begin();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (next != left_out.end() && *next == i) {
      ++next;
    } else {
      points[i] = *from++;
    }
  }
  return points;
}

}  // namespace burnish::blind
