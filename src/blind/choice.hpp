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

/// A larger cloud is known by regions: so many points that are nearest to one.
inline constexpr std::size_t sample_regions = 8;
inline constexpr std::size_t sample_region_size = 6000;

/// Candidates for the middle of a region are at quantiles of all points by their distance to the mean, the same in
/// every rotation.
inline constexpr std::size_t middle_candidates = 32;
[[nodiscard]] constexpr std::size_t candidate_place(std::size_t candidate, std::size_t points) {
  return (2 * candidate + 1) * points / (2 * middle_candidates);
}

/// Those of the candidates that regions lie around: spread over all of the cloud, so that they overlap little.
[[nodiscard]] std::vector<Vec3> choose_middles(const std::vector<Vec3>& candidates, std::size_t regions);

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

/// Finds the plan with the least expected error.
[[nodiscard]] Choice choose(const Sample& sample, const DenoiseSettings& settings, const ExecutionContext& context);

}  // namespace burnish::blind
