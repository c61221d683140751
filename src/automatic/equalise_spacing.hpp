#pragma once

#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"

namespace burnish::automatic {

/// Equalises the spacing: points closer to each other than in a hexagonal lattice of their density repel each other
/// along the surface, each by at most `max_move` in all. The search is among the points.
[[nodiscard]] std::vector<Vec3> equalise_spacing(const std::vector<Vec3>& points, std::span<const double> max_move,
                                                 const NeighbourSearch& search, const ExecutionContext& context);

}  // namespace burnish::automatic
