#include "automatic/equalise_spacing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"
#include "geometry/frames.hpp"

namespace burnish::automatic {
namespace {

constexpr std::size_t others = 16;
constexpr int rounds = 8;
constexpr double step = 0.2;

}  // namespace

std::vector<Vec3> equalise_spacing(const std::vector<Vec3>& points, std::span<const double> max_move,
                                   const NeighbourSearch& search, const ExecutionContext& context) {
  if (points.size() <= others) {
    return points;
  }
  struct Surroundings {
    std::uint32_t neighbours[others];  ///< that may come within the target distance
    std::uint32_t count;
    Vec3 normal;
    double target_distance;  ///< distance of neighbours in a hexagonal lattice of this density
  };
  std::vector<Surroundings> surroundings(points.size());
  parallel_blocks(context, points.size(), 256, [&](std::size_t begin, std::size_t end) {
    NeighbourQueries queries(search, others + 1);
    Vec3 around[others + 1];
    for (std::size_t p = begin; p < end; ++p) {
      const NeighbourQueries::Found found = queries.nearest(points[p]);
      std::ranges::transform(found.indices, around, [&](std::uint32_t i) { return points[i]; });
      surroundings[p].normal = principal_frame(around).axes.col(2);
      surroundings[p].target_distance = std::sqrt(2.0 / std::numbers::sqrt3 * std::numbers::pi * found.farthest /
                                                  (static_cast<double>(others) + 0.5));
      surroundings[p].count = 0;
      for (std::size_t i = 0; i < found.indices.size(); ++i) {
        const std::uint32_t n = found.indices[i];
        const double farthest = surroundings[p].target_distance + max_move[p] + max_move[n];
        if (n != p && found.distances[i] <= 1.0001 * farthest * farthest) {
          surroundings[p].neighbours[surroundings[p].count++] = n;
        }
      }
    }
  });
  std::vector<Vec3> moved = points;
  std::vector<Vec3> next(points.size());
  for (int round = 0; round < rounds; ++round) {
    parallel_for(context, points.size(), 256, [&](std::size_t p) {
      const Surroundings& s = surroundings[p];
      Vec3 push = Vec3::Zero();
      for (const std::uint32_t n : std::span(s.neighbours).first(s.count)) {
        const Vec3 away = moved[p] - moved[n];
        const double square = away.squaredNorm();
        if (square < s.target_distance * s.target_distance && square > 0.0) {
          const double distance = std::sqrt(square);
          push += away * ((s.target_distance - distance) / distance);
        }
      }
      Vec3 move = moved[p] + step * (push - s.normal * s.normal.dot(push)) - points[p];
      const double length = move.norm();
      if (length > max_move[p]) {
        move *= max_move[p] / length;
      }
      next[p] = points[p] + move;
    });
    moved.swap(next);
  }
  return moved;
}

}  // namespace burnish::automatic
