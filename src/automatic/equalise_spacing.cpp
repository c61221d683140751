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
    std::uint32_t neighbours[others];
    Vec3 normal;
    double target_distance;  ///< distance of neighbours in a hexagonal lattice of this density
  };
  std::vector<Surroundings> surroundings(points.size());
  parallel_for(context, points.size(), 256, [&](std::size_t p) {
    std::uint32_t indices[others + 1];
    double distances[others + 1];
    search.nearest(points[p], indices, distances);
    std::copy_n(indices + 1, others, surroundings[p].neighbours);
    Vec3 around[others + 1];
    std::ranges::transform(indices, around, [&](std::uint32_t i) { return points[i]; });
    surroundings[p].normal = principal_frame(around).axes.col(2);
    surroundings[p].target_distance = std::sqrt(2.0 / std::numbers::sqrt3 * std::numbers::pi * distances[others] /
                                                (static_cast<double>(others) + 0.5));
  });
  std::vector<Vec3> moved = points;
  std::vector<Vec3> next(points.size());
  for (int round = 0; round < rounds; ++round) {
    parallel_for(context, points.size(), 256, [&](std::size_t p) {
      const Surroundings& s = surroundings[p];
      Vec3 push = Vec3::Zero();
      for (const std::uint32_t n : s.neighbours) {
        const Vec3 away = moved[p] - moved[n];
        const double distance = away.norm();
        if (distance < s.target_distance && distance > 0.0) {
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
