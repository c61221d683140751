#pragma once

#include <cstdint>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::blind {

/// Points that are far from all others, ascending: their distance to their eight nearest, on average, is more than four
/// times what is usual for these, and five times the noise more.
[[nodiscard]] std::vector<std::uint32_t> find_outliers(const std::vector<Vec3>& points, double noise,
                                                       const ExecutionContext& context);

}  // namespace burnish::blind
