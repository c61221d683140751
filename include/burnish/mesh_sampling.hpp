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

/// Points drawn independently and uniformly on the surface, with clumps and gaps.
[[nodiscard]] std::vector<Vec3> sample_uniformly(const TriangleMesh& mesh, std::size_t points, std::uint64_t seed = 1,
                                                 const ExecutionContext& context = {});

struct PoissonDiskSample {
  std::vector<Vec3> positions;
  /// Least distance between any two of the points, measured in space, not along the surface.
  double radius = 0.0;
};

/// Constrained Poisson-disk sampling, after M. Corsini, P. Cignoni, R. Scopigno: "Efficient and flexible sampling with
/// blue noise properties of triangular meshes", IEEE Transactions on Visualization and Computer Graphics 18(6), 2012:
/// the points of a large random sample are visited in random order, and a point is kept if no point kept before is
/// nearer than a radius. The radius is chosen such that the number of points is within half a per cent of `points`, or
/// within one point. Takes time linear in their number.
[[nodiscard]] PoissonDiskSample sample_poisson_disk(const TriangleMesh& mesh, std::size_t points,
                                                    std::uint64_t seed = 1, const ExecutionContext& context = {});

}  // namespace burnish
