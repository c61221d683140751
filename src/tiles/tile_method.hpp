#pragma once

#include <filesystem>
#include <string>

#include "burnish/denoise.hpp"
#include "tiles/scratch.hpp"
#include "tiles/tile_work.hpp"

namespace burnish::tiles {

/// Finds out how to denoise a cloud from its tiles, as text for the plan.
[[nodiscard]] std::string choose_method(const std::filesystem::path& folder, const TilingPlan& plan,
                                        const DenoiseSettings& settings, const ExecutionContext& context);

/// What was found out about the cloud.
[[nodiscard]] DenoiseFindings findings_of(const TilingPlan& plan);

/// What that text says. Throws Error if it says nothing that makes sense.
[[nodiscard]] TileMethod method_of(const TilingPlan& plan);

}  // namespace burnish::tiles
