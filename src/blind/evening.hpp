#pragma once

#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::blind {

/// Evens out the spacing: points closer to each other than their density asks for push each other apart along the
/// surface, each by at most `reach` in all.
[[nodiscard]] std::vector<Vec3> even_out(const std::vector<Vec3>& points, double reach,
                                         const ExecutionContext& context);

}  // namespace burnish::blind
