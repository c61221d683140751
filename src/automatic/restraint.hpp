#pragma once

#include <vector>

#include "automatic/windows.hpp"

namespace burnish::automatic {

/// Scales moves back where they are too large to be noise. Removing all noise moves points by one standard deviation of
/// it, in the root mean square of a window; larger moves are mostly due to shape, in parts of a cloud that are sparser,
/// or have finer detail, than most of it. Moves across the surface and along it are treated separately.
[[nodiscard]] std::vector<Vec3> restrain(const std::vector<Vec3>& before, const std::vector<Vec3>& after,
                                         const Windows& windows, std::span<const double> noise,
                                         const ExecutionContext& context);

}  // namespace burnish::automatic
