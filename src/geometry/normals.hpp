#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"
#include "geometry/neighbourhoods.hpp"

namespace burnish {

/// Unit normals: for every point the direction in which its `count` nearest points spread least. Their signs are
/// arbitrary until they are oriented.
[[nodiscard]] std::vector<Vec3> estimate_normals(std::span<const Vec3> points, const Neighbourhoods& neighbourhoods,
                                                 std::size_t count, const ExecutionContext& context = {});

/// The criterion by which normals n and n' of neighbouring points agree.
enum class Orientation : std::uint8_t {
  /// n·n' > 0 (Hoppe et al., "Surface reconstruction from unorganized points", 1992): the criterion of published
  /// programs. At right angles it is undecided, and the two sides of a thin wall get the same normals.
  parallel,
  /// n' is first reflected at the plane halfway between the points, which is correct if the surface between them is an
  /// arc, also across edges and between the two sides of a wall (König and Gumhold, "Consistent propagation of normal
  /// orientations in point clouds", 2009). The closer the points, the smaller the part of the reflection that is
  /// applied, because their direction is dominated by noise.
  along_arc,
};

/// Flips normals so that those of neighbouring points agree: along the minimum spanning tree of the graph of the
/// `count` nearest points, in which clearer edges cost less. Every connected component is flipped as a whole so that
/// its normals point outwards.
void orient_normals(std::span<const Vec3> points, std::span<Vec3> normals, const Neighbourhoods& neighbourhoods,
                    std::size_t count, Orientation rule, const ExecutionContext& context = {});

/// The given normals, or else normals estimated from `count` nearest points and oriented by the parallel criterion: for
/// the baselines, which follow publications.
[[nodiscard]] std::vector<Vec3> oriented_normals(std::span<const Vec3> points, std::span<const Vec3> known,
                                                 const Neighbourhoods& neighbourhoods, std::size_t count,
                                                 const ExecutionContext& context = {});

}  // namespace burnish
