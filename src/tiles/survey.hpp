#pragma once

#include <filesystem>
#include <vector>

#include "automatic/sample.hpp"
#include "automatic/sights.hpp"
#include "tiles/scratch.hpp"

namespace burnish::tiles {

/// The origin of all points, the same as for the cloud in memory: the centre of the bounding box.
[[nodiscard]] Vec3 origin_of(const TilingPlan& plan);

/// The samples of the cloud, relative to the origin: those that automatic::take_samples would take from the whole
/// cloud.
[[nodiscard]] automatic::Samples take_samples(const std::filesystem::path& folder, const TilingPlan& plan,
                                              const ExecutionContext& context);

/// From those points to their scanners, if these are known.
[[nodiscard]] automatic::Sights sights_of(const automatic::Samples& samples, const std::filesystem::path& folder,
                                          const TilingPlan& plan, const ExecutionContext& context);

}  // namespace burnish::tiles
