#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "io/copc_hierarchy.hpp"

namespace burnish::io {

/// A node of an octree to be written, with the rows of its points in ascending order.
struct CopcCell {
  CopcKey key;
  std::vector<std::uint32_t> rows;
};

/// The cube of an octree around points, and the spacing of its root.
[[nodiscard]] CopcInfo copc_cube(const Eigen::AlignedBox3d& box);

/// Distributes points over the nodes of an octree, level by level from the root. A node takes one point of each of its
/// 128³ cells, and its children what is left; a node with few points takes them all. The points must be inside the cube
/// and fewer than 2³².
[[nodiscard]] std::vector<CopcCell> build_copc_octree(std::span<const Vec3> points, const CopcInfo& cube,
                                                      const ExecutionContext& context);

}  // namespace burnish::io
