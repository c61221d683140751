#pragma once

#include <cstdint>
#include <vector>

#include "automatic/plan.hpp"
#include "automatic/sights.hpp"
#include "automatic/strays.hpp"
#include "burnish/denoise.hpp"
#include "geometry/noise_field.hpp"

namespace burnish::automatic {

/// Throws Error if a setting makes no sense.
void check(const DenoiseSettings& settings);

/// Points of a cloud.
struct Sample {
  std::vector<Vec3> points;
  std::vector<bool> counts;  ///< not those at the border of a region, who miss neighbours; empty if all count
};

/// What a cloud is known by: all of it if it is small, and regions if not, so that this costs no more for a large cloud
/// than for a small one.
struct Samples {
  Sample to_choose;        ///< few and large regions, to try steps on
  Sample to_survey_noise;  ///< many regions, those among them; empty if `to_choose` is the whole cloud
};

/// Up to this many points, a cloud is its own sample.
inline constexpr std::size_t largest_whole_sample = 96000;

/// Regions of a larger cloud: how many there are, the number of points of each, and the part of them, nearest to the
/// middle, that count.
struct RegionLayout {
  std::size_t regions;
  std::size_t size;
  double part_that_counts;
};
inline constexpr RegionLayout regions_to_choose{8, 6000, 0.6};
inline constexpr RegionLayout regions_to_survey_noise{32, 2000, 0.3};

/// Candidates for the middle of a region are at quantiles of all points by their distance to the mean, the same in
/// every rotation: four for each region.
[[nodiscard]] constexpr std::size_t candidate_count(const RegionLayout& layout) { return 4 * layout.regions; }
[[nodiscard]] constexpr std::size_t candidate_rank(const RegionLayout& layout, std::size_t candidate,
                                                   std::size_t points) {
  return (2 * candidate + 1) * points / (2 * candidate_count(layout));
}

/// Those of the candidates that regions lie around: spread over all of the cloud, so that they overlap little.
[[nodiscard]] std::vector<Vec3> choose_middles(const std::vector<Vec3>& candidates, std::size_t regions);

/// Regions are lists of points, nearest to the middle first. What is in several of them is taken once.
[[nodiscard]] Sample join_regions(const std::vector<std::vector<Vec3>>& regions, double part_that_counts);

[[nodiscard]] Samples take_samples(const std::vector<Vec3>& points, const ExecutionContext& context);

/// What was found out about a cloud, and what to do with it.
struct ChosenPlan {
  double spacing = 0.0;
  Estimate noise;           ///< of the whole cloud
  Estimate measured_noise;  ///< the same, or what the points show where it was given
  Decision decision = Decision::denoise;
  NoiseField field;       ///< of the noise to take out
  double strength = 1.0;  ///< what the noise to take out is as a multiple of what was found
  StrayRule strays;
  Plan plan;
  double expected_error = 0.0;  ///< that the plan leaves across the surface: root mean square
  bool is_error_rough = false;  ///< see DenoiseFindings
};

/// A cloud whose strays are where the surface is, unless they are outliers.
struct StrayResult {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> outliers;  ///< ascending
  std::vector<double> noise;            ///< to take out of each point
};

[[nodiscard]] StrayResult pull_in_strays(const ChosenPlan& chosen, const std::vector<Vec3>& points,
                                         const ExecutionContext& context);

/// What is told about it.
[[nodiscard]] DenoiseFindings findings_of(const ChosenPlan& chosen);

/// Finds the plan with the least expected error.
[[nodiscard]] ChosenPlan choose(const Samples& samples, const Sights& sights, const DenoiseSettings& settings,
                                const ExecutionContext& context);

}  // namespace burnish::automatic
