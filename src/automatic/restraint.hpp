#pragma once

#include <vector>

#include "automatic/windows.hpp"

namespace burnish::automatic {

/// Takes moves back where they are too large to be noise that was taken out. Taking out all of it moves points by the
/// noise, in the mean of a window; where they moved further, most of that was shape: in parts of a cloud that are
/// sparser, or finer, than what the plan was made for. Across the surface and along it are looked at apart.
[[nodiscard]] std::vector<Vec3> restrain(const std::vector<Vec3>& before, const std::vector<Vec3>& after,
                                         const Windows& windows, std::span<const double> noise,
                                         const ExecutionContext& context);

}  // namespace burnish::automatic
