#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// Farthest-point sampling: starts with point `first` and repeatedly adds the point that is farthest from all chosen so
/// far (of several at the same distance, the one of the lowest index). Returns the indices in the order in which they
/// were chosen. Exact, in near-linear time for points on a surface. The points must be finite and `count` at most their
/// number.
[[nodiscard]] std::vector<std::uint32_t> farthest_point_sample(std::span<const Vec3> points, std::size_t count,
                                                               std::uint32_t first = 0,
                                                               const ExecutionContext& context = {});

/// The paper's diameter of a cloud: the largest distance among 200 farthest-point samples, taken from point 0 on.
[[nodiscard]] double sampled_diameter(std::span<const Vec3> points);

}  // namespace burnish
