#pragma once

#include <filesystem>
#include <string>

#include "burnish/denoise.hpp"
#include "tiles/scratch.hpp"
#include "tiles/tile_work.hpp"

namespace burnish::tiles {

/// Analyses a cloud from its tiles; returns the result as text for the plan.
[[nodiscard]] std::string choose_method(const std::filesystem::path& folder, const TilingPlan& plan,
                                        const DenoiseSettings& settings, const ExecutionContext& context);

/// The estimates for the cloud.
[[nodiscard]] DenoiseFindings findings_of(const TilingPlan& plan);

/// Parses that text. Throws Error if it is invalid.
[[nodiscard]] TileMethod method_of(const TilingPlan& plan);

}  // namespace burnish::tiles
