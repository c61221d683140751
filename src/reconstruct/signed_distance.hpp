#pragma once

#include <array>
#include <span>

#include "reconstruct/bricks.hpp"

namespace burnish::reconstruct {

inline constexpr std::int32_t brick_nodes = brick_cells + 1;

/// Signed distances, in cells, at the nodes of a brick, x fastest; plus outside. NaN where too few points are near to
/// say. They are the same in every brick that has the node.
using BrickDistances = std::array<double, brick_nodes * brick_nodes * brick_nodes>;

/// The place of node x, y, z of a brick, each from 0 to brick_cells.
[[nodiscard]] constexpr std::size_t node_index(std::int32_t x, std::int32_t y, std::int32_t z) {
  return static_cast<std::size_t>((z * brick_nodes + y) * brick_nodes + x);
}

/// G. Guennebaud, M. Gross: "Algebraic point set surfaces", 2007: the distance to the sphere that fits the points
/// around, the nearer ones counting more.
[[nodiscard]] BrickDistances signed_distances(const Brick& brick, std::span<const GridPoint> points);

}  // namespace burnish::reconstruct
