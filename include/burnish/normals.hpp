#pragma once

#include <optional>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// Unit normals of planes fitted to the nearest points; zero for points that are not finite. Their signs are those of
/// `before`, the previous normals, if given; otherwise they point towards `viewpoint`, the position of the sensor;
/// otherwise outwards, consistently among neighbours.
[[nodiscard]] std::vector<Vec3> estimate_normals(std::span<const Vec3> positions, std::span<const Vec3> before = {},
                                                 const std::optional<Vec3>& viewpoint = std::nullopt,
                                                 const ExecutionContext& context = {});

/// Writes normals to the attributes that normals_of reads, keeping their type; as nx, ny, nz in float if there are none
/// yet.
void set_normals(PointCloud& cloud, std::span<const Vec3> normals);

/// Removes the attributes that normals_of reads; returns whether there were any.
bool remove_normals(PointCloud& cloud);

}  // namespace burnish
