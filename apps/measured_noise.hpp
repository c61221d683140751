#pragma once

#include <optional>
#include <span>

#include "burnish/denoise.hpp"

namespace burnish::cli {

/// Spacing and noise of a cloud as `denoise` finds them, without looking for the steps to take. None if coordinates are
/// too large to be denoised.
[[nodiscard]] std::optional<Analysis> measure_noise(std::span<const Vec3> positions, const ExecutionContext& context);

}  // namespace burnish::cli
