#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The finite ones of the points, in their order.
[[nodiscard]] std::vector<Vec3> finite_points(std::span<const Vec3> points);

/// The finite ones of the points, sorted along a space-filling curve so that neighbour queries stay in the cache.
/// Throws Error if there are none; `name` says which cloud it was.
[[nodiscard]] std::vector<Vec3> finite_points_in_space(std::span<const Vec3> points, std::string_view name,
                                                       const ExecutionContext& context);

/// The largest distance of a point to the centre of the bounding box of all: the radius by which published
/// evaluations normalise a shape. The points must be finite; 0 if there are none.
[[nodiscard]] double radius_around_box_centre(std::span<const Vec3> points);

}  // namespace burnish
