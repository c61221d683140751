#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The points by their distance from their mean: an order that stays the same however the cloud is turned, moved,
/// scaled or stored, and that jumps about all over it. For picking samples.
[[nodiscard]] std::vector<std::uint32_t> intrinsic_order(std::span<const Vec3> points, const ExecutionContext& context);

/// So many points (all, if there are fewer), evenly from the intrinsic order.
[[nodiscard]] std::vector<std::uint32_t> intrinsic_sample(std::span<const Vec3> points, std::size_t count,
                                                          const ExecutionContext& context);

}  // namespace burnish
