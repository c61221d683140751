#include "automatic/sample.hpp"

#include <algorithm>

#include "burnish/sampling.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/spatial_order.hpp"

namespace burnish::automatic {
namespace {

/// Where noise is weak, regions with a small border suffice if the cloud is larger than this.
constexpr std::size_t largest_sample_if_weak = 30000;
constexpr RegionLayout regions_if_weak{8, 1700, 0.6};

/// The union of regions spread over a cloud. The search is over the points, and `order` is their intrinsic order.
Sample take_regions(const std::vector<Vec3>& points, const NeighbourSearch& search,
                    std::span<const std::uint32_t> order, const RegionLayout& layout) {
  std::vector<Vec3> candidates;
  for (std::size_t c = 0; c < candidate_count(layout); ++c) {
    candidates.push_back(points[order[candidate_rank(layout, c, points.size())]]);
  }
  std::vector<std::vector<Vec3>> regions;
  for (const Vec3& middle : choose_middles(candidates, layout.regions)) {
    std::vector<std::uint32_t> indices(layout.size);
    std::vector<double> distances(layout.size);
    search.nearest(middle, indices, distances);
    std::vector<Vec3>& region = regions.emplace_back(layout.size);
    std::ranges::transform(indices, region.begin(), [&](std::uint32_t i) { return points[i]; });
  }
  return join_regions(regions, layout.part_that_counts);
}

}  // namespace

std::vector<Vec3> choose_middles(const std::vector<Vec3>& candidates, std::size_t regions) {
  const auto nearest = [](const std::vector<Vec3>& places, const Vec3& to) {
    return std::ranges::min_element(places, {}, [&](const Vec3& place) { return (place - to).squaredNorm(); });
  };
  std::vector<Vec3> seeds;
  for (const std::uint32_t seed : farthest_point_sample(candidates, regions)) {
    seeds.push_back(candidates[seed]);
  }
  // Points far from all others are at the ends of a shape; points in the middle of nearby candidates are better.
  std::vector<Vec3> sums(seeds.size(), Vec3::Zero());
  std::vector<double> counts(seeds.size(), 0.0);
  for (const Vec3& candidate : candidates) {
    const auto seed = static_cast<std::size_t>(nearest(seeds, candidate) - seeds.begin());
    sums[seed] += candidate;
    counts[seed] += 1.0;
  }
  std::vector<Vec3> middles;
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    middles.push_back(*nearest(candidates, sums[s] / counts[s]));
  }
  return middles;
}

Sample join_regions(const std::vector<std::vector<Vec3>>& regions, double part_that_counts) {
  std::vector<Vec3> points;
  std::vector<bool> counts;
  for (const std::vector<Vec3>& region : regions) {
    for (std::size_t i = 0; i < region.size(); ++i) {
      points.push_back(region[i]);
      counts.push_back(static_cast<double>(i) < part_that_counts * static_cast<double>(region.size()));
    }
  }
  Sample sample;
  for (const std::uint32_t p : spatial_order(points)) {
    if (!sample.points.empty() && sample.points.back() == points[p]) {
      sample.counts.back() = sample.counts.back() || counts[p];
    } else {
      sample.points.push_back(points[p]);
      sample.counts.push_back(counts[p]);
    }
  }
  return sample;
}

Samples take_samples(const std::vector<Vec3>& points, const ExecutionContext& context) {
  if (points.size() <= largest_whole_sample) {
    return {{points, {}}, {}};
  }
  const NeighbourSearch search(points, context);
  const std::vector<std::uint32_t> order = intrinsic_order(points, context);
  return {take_regions(points, search, order, regions_to_choose),
          take_regions(points, search, order, regions_to_survey_noise)};
}

std::optional<Sample> smaller_sample(const Sample& sample, const NeighbourSearch& search,
                                     const ExecutionContext& context) {
  if (!sample.counts.empty() || sample.points.size() <= largest_sample_if_weak) {
    return std::nullopt;
  }
  return take_regions(sample.points, search, intrinsic_order(sample.points, context), regions_if_weak);
}

}  // namespace burnish::automatic
