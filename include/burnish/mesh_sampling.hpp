#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/mesh.hpp"
#include "burnish/point_cloud.hpp"

// Points on a triangle mesh. The same mesh, number and seed give the same points, with any number of threads. Triangles
// without area get none. All throw Error if no triangle has an area that can be computed, a triangle names a vertex
// that does not exist, or a corner is not finite.

namespace burnish {

/// Points that are equally likely everywhere on the surface, each drawn by itself: with clumps and gaps.
[[nodiscard]] std::vector<Vec3> sample_uniformly(const TriangleMesh& mesh, std::size_t points, std::uint64_t seed = 1,
                                                 const ExecutionContext& context = {});

struct PoissonDiskSample {
  std::vector<Vec3> positions;
  /// No two points are nearer to each other, measured straight through space.
  double radius = 0.0;
};

/// Constrained Poisson-disk sampling, after M. Corsini, P. Cignoni, R. Scopigno: "Efficient and flexible sampling with
/// blue noise properties of triangular meshes", IEEE Transactions on Visualization and Computer Graphics 18(6), 2012:
/// from a pool of many random points of the surface those are kept, in random order, that are not nearer than a radius
/// to one kept before. The radius is found so that about as many points remain as asked for, within half a per cent
/// where that is at least one point. In time linear in their number.
[[nodiscard]] PoissonDiskSample sample_poisson_disk(const TriangleMesh& mesh, std::size_t points,
                                                    std::uint64_t seed = 1, const ExecutionContext& context = {});

}  // namespace burnish
