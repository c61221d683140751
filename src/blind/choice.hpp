#pragma once

#include <cstdint>
#include <vector>

#include "blind/plan.hpp"
#include "burnish/denoise.hpp"

namespace burnish::blind {

/// Throws Error if a setting makes no sense.
void check(const DenoiseSettings& settings);

/// A cloud to choose by: all of one that is small, and regions of one that is not, so that choosing costs no more for a
/// large cloud than for a small one.
struct Sample {
  std::vector<Vec3> points;
  std::vector<bool> counts;  ///< not those at the border of a region, who miss neighbours; empty if all count
};

/// Up to this many points, a cloud is its own sample.
inline constexpr std::size_t largest_whole_sample = 96000;

/// A larger cloud is known by regions: so many points that are nearest to one. That one is at a quantile of all points
/// by their distance to the mean, the same in every rotation.
inline constexpr std::size_t sample_regions = 8;
inline constexpr std::size_t sample_region_size = 6000;

/// Of the points by their distance to the mean, the place of the one around which a region lies.
[[nodiscard]] constexpr std::size_t region_place(std::size_t region, std::size_t points) {
  return (2 * region + 1) * points / (2 * sample_regions);
}

/// Regions are lists of points, nearest to the middle first. What is in several of them is taken once.
[[nodiscard]] Sample join_regions(const std::vector<std::vector<Vec3>>& regions);

[[nodiscard]] Sample take_sample(const std::vector<Vec3>& points, const ExecutionContext& context);

/// What was found out about a cloud, and what to do with it.
struct Choice {
  double spacing = 0.0;
  Estimate noise;
  Plan plan;
  double expected_error = 0.0;  ///< that the plan leaves: root mean square, all three directions together
};

/// What is told about it: everything but positions and outliers.
[[nodiscard]] DenoiseResult findings_of(const Choice& choice);

/// A cloud on which a plan was followed.
struct Followed {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> outliers;  ///< which have stayed where they were, ascending
};

/// Finds the plan with the least expected error. `followed`, if not null, gets the sample with the plan followed: most
/// of that work is done already.
[[nodiscard]] Choice choose(const Sample& sample, const DenoiseSettings& settings, Followed* followed,
                            const ExecutionContext& context);

}  // namespace burnish::blind
