#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The indices of the points along a space-filling (Morton) curve: consecutive points are close in space, so that
/// processing in this order uses the cache well. The order depends on the positions only, not on the input order
/// (except among exact duplicates).
[[nodiscard]] std::vector<std::uint32_t> spatial_order(std::span<const Vec3> points,
                                                       const ExecutionContext& context = {});

}  // namespace burnish
