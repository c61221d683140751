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

/// By what normals n and n' of neighbouring points agree.
enum class Orientation : std::uint8_t {
  /// n·n' > 0 (Hoppe et al., "Surface reconstruction from unorganized points", 1992): what published programs do. At a
  /// right angle it decides nothing, and two sides of a thin wall get the same normals.
  parallel,
  /// n' is reflected at the plane halfway between the points first, which is right where the surface is an arc from
  /// one to the other, across edges and between the two sides of a wall too (König and Gumhold, "Consistent propagation
  /// of normal orientations in point clouds", 2009). The closer the points, the less of the reflection is done, because
  /// their direction is that of the noise.
  along_arc,
};

/// Flips normals so that those of neighbouring points agree: along the minimum spanning tree of the graph of the
/// `count` nearest points, in which an edge costs the less, the clearer it is. Every connected part is flipped as a
/// whole so that its normals point outwards.
void orient_normals(std::span<const Vec3> points, std::span<Vec3> normals, const Neighbourhoods& neighbourhoods,
                    std::size_t count, Orientation rule, const ExecutionContext& context = {});

/// The normals that are known, or else estimated from `count` nearest points and oriented where they are parallel: for
/// the baselines, which are to be what was published.
[[nodiscard]] std::vector<Vec3> oriented_normals(std::span<const Vec3> points, std::span<const Vec3> known,
                                                 const Neighbourhoods& neighbourhoods, std::size_t count,
                                                 const ExecutionContext& context = {});

}  // namespace burnish
