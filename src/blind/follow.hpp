#pragma once

#include <cstdint>
#include <vector>

#include "blind/choice.hpp"

namespace burnish::blind {

/// Follows the plan on all of a cloud: points that are finite, distinct and in spatial order.
[[nodiscard]] Followed follow(const Choice& choice, const std::vector<Vec3>& points, const ExecutionContext& context);

}  // namespace burnish::blind
