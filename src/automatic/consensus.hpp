#pragma once

#include <vector>

#include "automatic/windows.hpp"

namespace burnish::automatic {

// Moves every point towards what local fits agree on. A surface is fitted to each window; where it leaves over more
// than `noise`, it is not of that kind there. A point goes to the mean of the surfaces of its windows, the certain ones
// weighing more, and only as far as they are more certain than the point itself.

/// Planes that most of a window lies on: on either side of an edge points are drawn to their own face. Planes of large
/// windows are the more certain ones where the surface is flat; where it bends they leave over more than those of small
/// windows do, and have little to say.
[[nodiscard]] std::vector<Vec3> consensus_of_planes(const std::vector<Vec3>& points, const Windows& small,
                                                    const Windows& large, std::span<const double> noise,
                                                    const ExecutionContext& context);

/// Quadrics: next to edges, and in walls thinner than a window, points stay.
[[nodiscard]] std::vector<Vec3> consensus_of_quadrics(const std::vector<Vec3>& points, const Windows& windows,
                                                      std::span<const double> noise, const ExecutionContext& context);

}  // namespace burnish::automatic
