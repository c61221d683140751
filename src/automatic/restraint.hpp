#pragma once

#include <vector>

#include "automatic/windows.hpp"

namespace burnish::automatic {

/// Scales moves back where they are too large to be noise. Removing all noise moves points by one standard deviation of
/// it, in the root mean square of a window; where they moved further, most of that was shape: in parts of a cloud that
/// are sparser, or finer, than most of it. Moves across the surface and along it are treated separately.
[[nodiscard]] std::vector<Vec3> restrain(const std::vector<Vec3>& before, const std::vector<Vec3>& after,
                                         const Windows& windows, std::span<const double> noise,
                                         const ExecutionContext& context);

}  // namespace burnish::automatic
