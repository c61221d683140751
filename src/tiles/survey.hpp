#pragma once

#include <filesystem>
#include <vector>

#include "blind/choice.hpp"
#include "tiles/scratch.hpp"

namespace burnish::tiles {

/// What all points were centred on before, if the cloud were in memory: the middle of the box around them.
[[nodiscard]] Vec3 origin_of(const Plan& plan);

/// The sample to choose by, relative to the origin: the points that blind::take_sample would take from the whole cloud.
[[nodiscard]] blind::Sample take_sample(const std::filesystem::path& folder, const Plan& plan,
                                        const ExecutionContext& context);

}  // namespace burnish::tiles
