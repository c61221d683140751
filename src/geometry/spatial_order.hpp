#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The indices of the points along a space-filling (Morton) curve: points that follow each other are close in space,
/// so that work done in this order stays in the cache. The order depends on the positions only, not on the order the
/// points come in (except among exact duplicates).
[[nodiscard]] std::vector<std::uint32_t> spatial_order(std::span<const Vec3> points,
                                                       const ExecutionContext& context = {});

}  // namespace burnish
