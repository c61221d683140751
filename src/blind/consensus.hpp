#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::blind {

/// Moves every point towards what local fits agree on. A quadric is fitted to each of many overlapping neighbourhoods
/// of so many points around centres; where it leaves over more than `noise`, the surface is not a quadric there. A
/// point goes to the mean of the surfaces of its neighbourhoods, the certain ones weighing more, and only as far as
/// they are more certain than the point itself: next to edges, and in walls thinner than a neighbourhood, it stays.
[[nodiscard]] std::vector<Vec3> consensus(const std::vector<Vec3>& points, std::span<const std::uint32_t> centres,
                                          std::size_t neighbourhood, double noise, const ExecutionContext& context);

}  // namespace burnish::blind
