#pragma once

#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"

namespace burnish::automatic {

/// Removes noise along the surface where it is observable: at borders, rims and rods, which it widens. Elsewhere points
/// do not move, because among evenly spread points it cannot be observed.
///
/// The density of noisy points falls off at a border over the standard deviation of the noise, and the mean shift of a
/// point, the kernel-weighted mean of its neighbours minus the point, follows the gradient of that density (Fukunaga
/// and Hostetler 1975). A point moves along the surface by its mean shift, less the shift expected by chance. `noise`
/// is the standard deviation of the remaining noise along the surface at each point; the search is among the points.
[[nodiscard]] std::vector<Vec3> remove_tangential_noise(const std::vector<Vec3>& points, std::span<const double> noise,
                                                        const NeighbourSearch& search, const ExecutionContext& context);

}  // namespace burnish::automatic
