#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/mesh.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

struct SurfaceSettings {
  /// Edge length of the grid cells; at least a quarter of the typical spacing. 0: the typical spacing. Details smaller
  /// than a cell are lost, so larger cells smooth.
  double cell = 0.0;
};

struct Surface {
  /// Triangles, counter-clockwise seen from outside, the side to which the normals point. No edge has more than two
  /// triangles; there are no duplicate and no unused vertices.
  TriangleMesh mesh;
  /// For every vertex the nearest of the points, to copy its colour.
  std::vector<std::uint32_t> nearest;
  /// Number of edges with only one triangle, around holes and open surfaces. 0: watertight.
  std::size_t border_edges = 0;
  double cell = 0.0;
  /// Number of points not used: not finite, or with an invalid normal.
  std::size_t left_out = 0;
};

/// Reconstructs a surface from points: the zero set, on a grid, of the signed distance to algebraic spheres fitted by
/// moving least squares. It exists only near points: gaps wider than about four spacings stay open, and an open surface
/// ends about two spacings beyond its last points. Noise is not removed: denoise first.
///
/// `normals` are those of the points, pointing outwards, of any length; if empty, they are estimated and oriented
/// outwards (estimate_normals). Inconsistent normals cause holes and folds.
///
/// Time and memory are near linear in the number of points. Throws Error if there are fewer than four distinct points,
/// if all are on one line or so far apart that the grid would have more than a million cells along one axis, or if the
/// cell is too small.
[[nodiscard]] Surface reconstruct_surface(std::span<const Vec3> positions, std::span<const Vec3> normals = {},
                                          const SurfaceSettings& settings = {}, const ExecutionContext& context = {});

}  // namespace burnish
