#pragma once

#include <optional>
#include <span>
#include <vector>

#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"

namespace burnish::automatic {

/// The direction from each point of a cloud to the scanner that measured it. A scanner sees the front of a surface: two
/// points whose scanners were on opposite sides of the surface around them belong to different sides of a wall.
class Sights {
 public:
  /// Unknown directions.
  Sights() = default;

  /// `directions` are unit vectors.
  Sights(const std::vector<Vec3>& points, std::vector<Vec3> directions, const ExecutionContext& context)
      : search_(std::in_place, points, context), directions_(std::move(directions)) {}

  /// The directions of some of the points; empty if unknown.
  [[nodiscard]] std::vector<Vec3> of(std::span<const Vec3> points, const ExecutionContext& context) const {
    std::vector<Vec3> found;
    if (search_) {
      found.resize(points.size());
      parallel_for(context, points.size(), 256, [&](std::size_t p) {
        std::uint32_t index = 0;
        double distance = 0.0;
        search_->nearest(points[p], {&index, 1}, {&distance, 1});
        found[p] = directions_[index];
      });
    }
    return found;
  }

 private:
  std::optional<NeighbourSearch> search_;
  std::vector<Vec3> directions_;
};

}  // namespace burnish::automatic
