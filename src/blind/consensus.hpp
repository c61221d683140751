#pragma once

#include <vector>

#include "blind/windows.hpp"

namespace burnish::blind {

/// Moves every point towards what local fits agree on. A quadric is fitted to each window; where it leaves over more
/// than `noise`, the surface is not a quadric there. A point goes to the mean of the surfaces of its windows, the
/// certain ones weighing more, and only as far as they are more certain than the point itself: next to edges, and in
/// walls thinner than a window, it stays.
[[nodiscard]] std::vector<Vec3> consensus(const std::vector<Vec3>& points, const Windows& windows, double noise,
                                          const ExecutionContext& context);

}  // namespace burnish::blind
