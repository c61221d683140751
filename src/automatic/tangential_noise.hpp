#pragma once

#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"

namespace burnish::automatic {

/// Takes out noise along the surface where it shows: at borders, rims and rods, which it makes wider. Elsewhere points
/// stay, because among points that are spread evenly nothing distinguishes one from another.
///
/// The density of noisy points falls off at a border over the standard deviation of the noise, and the mean shift of a
/// point, the kernel-weighted mean of its neighbours minus the point, follows the gradient of that density (Fukunaga
/// and Hostetler 1975). A point moves along the surface by its mean shift, less what the shift would be by chance.
/// `noise` is the standard deviation at each point, of which nothing has been taken out along the surface;
/// the search is among the points.
[[nodiscard]] std::vector<Vec3> remove_tangential_noise(const std::vector<Vec3>& points, std::span<const double> noise,
                                                        const NeighbourSearch& search, const ExecutionContext& context);

}  // namespace burnish::automatic
