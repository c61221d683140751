#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace burnish::reconstruct {

// Corner c of a cube is at x = c & 1, y = c >> 1 & 1, z = c >> 2 & 1. Edges 0 to 3 go along x, 4 to 7 along y, 8 to 11
// along z.

/// The corners an edge of the cube joins, the lower one first.
[[nodiscard]] std::array<std::uint8_t, 2> edge_corners(std::uint8_t edge);

/// How the surface goes through a cube: this depends on which of its corners are inside. Corners of triangles are edges
/// of the cube; 12 and above stand for further vertices within, the centres of some loops.
struct CubeTriangles {
  /// For each further vertex the edges whose vertices it is the mean of.
  std::vector<std::vector<std::uint8_t>> centres;
  std::vector<std::array<std::uint8_t, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// By the set of corners that are inside, one bit each. The surface of a whole grid is a manifold:
///
/// - On a face of a cube, each run of inside corners is cut off by a segment of its own. That depends on the corners of
///   the face alone, so that the two cubes it lies between agree; segments join to closed loops within a cube.
/// - A loop becomes a fan of triangles none of whose diagonals joins two vertices on one face of the cube, or if there
///   is no such fan, one around a vertex in its middle. So no edge of a triangle within a cube is one in another cube,
///   and a segment has one triangle in each of its two cubes.
[[nodiscard]] const std::array<CubeTriangles, 256>& cube_triangles();

}  // namespace burnish::reconstruct
