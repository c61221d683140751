#pragma once

#include <optional>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// Unit normals of the planes through the nearest points; zero for points that are not finite. Their signs follow
/// `before`, the normals the points had, where these are given; otherwise they point towards `viewpoint`, where the
/// sensor was; otherwise outwards, neighbours agreeing with each other.
[[nodiscard]] std::vector<Vec3> estimate_normals(std::span<const Vec3> positions, std::span<const Vec3> before = {},
                                                 const std::optional<Vec3>& viewpoint = std::nullopt,
                                                 const ExecutionContext& context = {});

/// Puts normals into the attributes that normals_of reads, in the type these have; as nx, ny, nz in float if there are
/// none yet.
void set_normals(PointCloud& cloud, std::span<const Vec3> normals);

/// Takes the attributes that normals_of reads out of a cloud; returns whether there were any.
bool remove_normals(PointCloud& cloud);

}  // namespace burnish
