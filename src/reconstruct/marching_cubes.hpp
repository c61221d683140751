#pragma once

#include <cstdint>
#include <vector>

#include "burnish/mesh.hpp"
#include "reconstruct/signed_distance.hpp"

namespace burnish::reconstruct {

/// The surface within one brick.
struct BrickMesh {
  /// For each vertex a number for its place on the grid: the same in every brick that has it.
  std::vector<std::uint64_t> keys;
  std::vector<Vec3> vertices;  ///< in cells
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The triangles in those cubes of the brick whose eight distances are all known.
[[nodiscard]] BrickMesh march(const Brick& brick, const BrickDistances& distances);

/// Puts bricks together: vertices with the same key become one.
[[nodiscard]] TriangleMesh join(const std::vector<BrickMesh>& bricks, const ExecutionContext& context);

}  // namespace burnish::reconstruct
