#pragma once

#include <filesystem>
#include <vector>

#include "automatic/sample.hpp"
#include "automatic/sights.hpp"
#include "tiles/scratch.hpp"

namespace burnish::tiles {

/// What all points were centred on before, if the cloud were in memory: the middle of the box around them.
[[nodiscard]] Vec3 origin_of(const TilingPlan& plan);

/// What the cloud is known by, relative to the origin: what automatic::take_samples would take from the whole cloud.
[[nodiscard]] automatic::Samples take_samples(const std::filesystem::path& folder, const TilingPlan& plan,
                                              const ExecutionContext& context);

/// From those points to their scanners, if these are known.
[[nodiscard]] automatic::Sights sights_of(const automatic::Samples& samples, const std::filesystem::path& folder,
                                          const TilingPlan& plan, const ExecutionContext& context);

}  // namespace burnish::tiles
