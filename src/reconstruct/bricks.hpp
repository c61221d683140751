#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::reconstruct {

/// A point as the grid sees it: lengths are in cells, and nodes of the grid are where coordinates are whole.
struct GridPoint {
  Vec3 position;
  Vec3 normal;
  double radius;  ///< how far it counts
};

using Node = std::array<std::int32_t, 3>;

/// Nodes along an axis: what fits into the keys of vertices.
inline constexpr std::int32_t most_nodes = 1 << 20;

/// The grid is kept in bricks of this number of cells along each edge, and only where points count.
inline constexpr std::int32_t brick_cells = 8;

struct Brick {
  Node first;                             ///< node at its lowest corner
  std::span<const std::uint32_t> points;  ///< that count at one of its nodes, in order
};

/// The bricks around points, whose coordinates must keep their radius from 0 and most_nodes.
class Bricks {
 public:
  explicit Bricks(std::span<const GridPoint> points, const ExecutionContext& context);

  [[nodiscard]] std::size_t size() const { return begins_.empty() ? 0 : begins_.size() - 1; }
  [[nodiscard]] Brick operator[](std::size_t b) const;

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> points_;
};

}  // namespace burnish::reconstruct
