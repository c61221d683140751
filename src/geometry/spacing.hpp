#pragma once

#include <span>

#include "burnish/estimate.hpp"
#include "burnish/neighbours.hpp"

namespace burnish {

/// estimate_spacing for points that are finite, distinct and in spatial order. The search is among them.
[[nodiscard]] Estimate spacing_among(std::span<const Vec3> points, const NeighbourSearch& search,
                                     const ExecutionContext& context);

}  // namespace burnish
