#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::automatic {

/// A sample of the points of a cloud.
struct Sample {
  std::vector<Vec3> points;
  std::vector<bool> counts;  ///< false at the border of a region, where neighbours are missing; empty if all count
};

/// Samples of a cloud for the analysis: all points of a small cloud, otherwise regions, so that the cost does not
/// depend on the size of the cloud.
struct Samples {
  Sample to_choose;        ///< few large regions, on which steps are tried
  Sample to_survey_noise;  ///< many regions, those among them; empty if `to_choose` is the whole cloud
};

/// Up to this many points, a cloud is its own sample.
inline constexpr std::size_t largest_whole_sample = 96000;

/// Regions of a larger cloud: their number, the points of each, and the fraction of these, nearest to the centre, that
/// count.
struct RegionLayout {
  std::size_t regions;
  std::size_t size;
  double part_that_counts;
};
inline constexpr RegionLayout regions_to_choose{8, 6000, 0.6};
inline constexpr RegionLayout regions_to_survey_noise{32, 2000, 0.3};

/// Candidates for the centres of regions: quantiles of all points by their distance to the mean, which do not depend on
/// rotation; four for each region.
[[nodiscard]] constexpr std::size_t candidate_count(const RegionLayout& layout) { return 4 * layout.regions; }
[[nodiscard]] constexpr std::size_t candidate_rank(const RegionLayout& layout, std::size_t candidate,
                                                   std::size_t points) {
  return (2 * candidate + 1) * points / (2 * candidate_count(layout));
}

/// The candidates that become centres of regions: spread over the cloud, so that regions overlap little.
[[nodiscard]] std::vector<Vec3> choose_middles(const std::vector<Vec3>& candidates, std::size_t regions);

/// Regions are lists of points, nearest to the centre first. Points in several regions are taken once.
[[nodiscard]] Sample join_regions(const std::vector<std::vector<Vec3>>& regions, double part_that_counts);

[[nodiscard]] Samples take_samples(const std::vector<Vec3>& points, const ExecutionContext& context);

/// For weak noise, a part of a large sample; empty if all of it is needed. The search is among its points.
[[nodiscard]] std::optional<Sample> smaller_sample(const Sample& sample, const NeighbourSearch& search,
                                                   const ExecutionContext& context);

}  // namespace burnish::automatic
