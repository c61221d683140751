#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The points that algorithms process: finite, distinct, near the origin, and in spatial order whatever the input
/// order. Exact duplicates share one point, and so move together.
struct WorkingPoints {
  /// The subtracted origin: the centre of the bounding box, unless another was given.
  Vec3 origin = Vec3::Zero();

  std::vector<Vec3> points;

  /// For every input point its index in `points`, or `absent` if it is not finite.
  std::vector<std::uint32_t> place;

  static constexpr std::uint32_t absent = 0xFFFFFFFF;

  /// Transforms new positions of the working points back to the order and origin of the input; points that are not
  /// finite are unchanged.
  [[nodiscard]] std::vector<Vec3> restore(std::span<const Vec3> input, std::span<const Vec3> moved) const;
};

[[nodiscard]] WorkingPoints working_points(std::span<const Vec3> input, const ExecutionContext& context = {});

/// The same near another origin, for a part of a cloud whose points must be rounded as in the whole.
[[nodiscard]] WorkingPoints working_points(std::span<const Vec3> input, const Vec3& origin,
                                           const ExecutionContext& context = {});

/// The mean of some points, which is rotated and translated with them.
[[nodiscard]] Vec3 mean_of(std::span<const Vec3> points);

/// The point farthest from the mean: where sampling begins if it must not depend on the order of the points.
[[nodiscard]] std::uint32_t farthest_from_mean(std::span<const Vec3> points);

}  // namespace burnish
