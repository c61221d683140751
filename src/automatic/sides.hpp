#pragma once

#include <span>
#include <vector>

#include "automatic/windows.hpp"

namespace burnish::automatic {

/// Finds walls so thin that windows contain both of their sheets. The result has a unit vector for every point of such
/// a wall, away from the other sheet, and zero for all other points; it is empty if there is no wall.
///
/// The residuals of a quadric over a window are split into two normal distributions with the variance of the noise
/// (expectation maximisation). A window contains two sheets if that explains the residuals better than one distribution
/// of any variance, and if the points of the two lie above each other, not side by side as at an edge.
[[nodiscard]] std::vector<Vec3> find_sides(const std::vector<Vec3>& points, const Windows& windows,
                                           std::span<const double> noise, const ExecutionContext& context);

}  // namespace burnish::automatic
