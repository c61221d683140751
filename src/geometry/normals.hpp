#pragma once

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

/// Flips normals so that those of neighbouring points agree, as Hoppe et al. do ("Surface reconstruction from
/// unorganized points", 1992): along the minimum spanning tree of the graph of the `count` nearest points, in which
/// an edge costs 1 − |n·n'|. Every connected part is flipped as a whole so that its normals point outwards.
void orient_normals(std::span<const Vec3> points, std::span<Vec3> normals, const Neighbourhoods& neighbourhoods,
                    std::size_t count, const ExecutionContext& context = {});

/// The normals that are known, or else estimated from and oriented along `count` nearest points.
[[nodiscard]] std::vector<Vec3> oriented_normals(std::span<const Vec3> points, std::span<const Vec3> known,
                                                 const Neighbourhoods& neighbourhoods, std::size_t count,
                                                 const ExecutionContext& context = {});

}  // namespace burnish
