#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::automatic {

/// Chooses centres of patches from a cloud. Points are visited in the order of the distance to their nearest neighbour,
/// largest first; a point becomes a centre unless it is too near to one chosen before. Centres are evenly spread in
/// space, as with farthest-point sampling, which is better where noise is strong, but the choice of a point depends on
/// its surroundings only. It does not change when the cloud is rotated, translated, scaled, reordered or divided into
/// pieces.
class Centres {
 public:
  /// The search is among the points. Both must stay alive and unchanged.
  Centres(const std::vector<Vec3>& points, const NeighbourSearch& search, const ExecutionContext& context);

  /// Centres for patches of `patch_size` points, at least `distance` from each other; nearer only where points are so
  /// dense that some would be in no patch. In the order in which they were chosen. They are computed once and stored.
  const std::vector<std::uint32_t>& choose(double distance, std::size_t patch_size);

  /// The distance at which a point is in `coverage` patches, on average.
  [[nodiscard]] double find_distance(std::size_t patch_size, double coverage) const;

 private:
  [[nodiscard]] std::vector<std::uint32_t> find(double distance, std::size_t patch_size) const;

  const std::vector<Vec3>& points_;
  const ExecutionContext& context_;
  const NeighbourSearch& search_;
  std::vector<std::uint32_t> order_;
  std::map<std::pair<double, std::size_t>, std::vector<std::uint32_t>> chosen_;
};

}  // namespace burnish::automatic
