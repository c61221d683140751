#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::automatic {

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

/// Where noise is weak, a part of a large sample suffices; none if all of it is needed. The search is among its points.
[[nodiscard]] std::optional<Sample> smaller_sample(const Sample& sample, const NeighbourSearch& search,
                                                   const ExecutionContext& context);

}  // namespace burnish::automatic
