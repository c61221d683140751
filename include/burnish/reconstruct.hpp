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
  /// Edge of the grid cells that the surface is cut into; a quarter of the typical spacing at least. 0: the typical
  /// spacing. Details smaller than it are lost; larger cells smooth.
  double cell = 0.0;
};

struct Surface {
  /// Triangles counter-clockwise seen from outside, which is where the normals point. No edge has more than two; no
  /// vertex is there twice, and none without a triangle.
  TriangleMesh mesh;
  /// For every vertex the nearest of the points: whose colour it has.
  std::vector<std::uint32_t> nearest;
  /// Edges with one triangle: the rim of holes and of open surfaces. 0: watertight.
  std::size_t border_edges = 0;
  double cell = 0.0;
  /// Points not used: not finite, or with a normal that is no direction.
  std::size_t left_out = 0;
};

/// A surface through points. Around them their signed distance is that to algebraic spheres fitted by moving least
/// squares, and its zero set is cut out of a grid. Where no points are, nothing is made up: gaps wider than about four
/// spacings stay open, and the surface ends about two spacings beyond the last points of an open one. Noise is not
/// taken out: denoise first.
///
/// `normals` are those of the points, pointing outwards, of any length; if there are none they are estimated and turned
/// outwards (estimate_normals). Where they disagree there are holes and folds.
///
/// Time and memory are near linear in the number of points. Throws Error if there are fewer than four distinct points,
/// all on one line or so far apart that the grid would have over a million cells across, or if the cell is too small.
[[nodiscard]] Surface reconstruct_surface(std::span<const Vec3> positions, std::span<const Vec3> normals = {},
                                          const SurfaceSettings& settings = {}, const ExecutionContext& context = {});

}  // namespace burnish
