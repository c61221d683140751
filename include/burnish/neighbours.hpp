#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// How distance is measured: squared Euclidean distance, or the sum of the three coordinate differences.
enum class Metric : std::uint8_t { squared_euclidean, city_block };

/// Exact nearest neighbours in a set of points, which it copies. Build once, then query from any number of threads.
class NeighbourSearch {
 public:
  /// The points must be finite.
  explicit NeighbourSearch(std::span<const Vec3> points, const ExecutionContext& context = {},
                           Metric metric = Metric::squared_euclidean);
  ~NeighbourSearch();
  NeighbourSearch(NeighbourSearch&&) noexcept;
  NeighbourSearch& operator=(NeighbourSearch&&) noexcept;

  /// A search among the same points, in the same order, after they have moved. Much cheaper to build than a new one,
  /// and as exact; queries take longer the farther points have moved relative to their distances.
  [[nodiscard]] NeighbourSearch moved_to(std::span<const Vec3> points, const ExecutionContext& context = {}) const;

  /// A search among the same points without some of them, whose indices are given, ascending: those behind them move
  /// up. Much cheaper than a new one, and as exact; queries take longer where many are left out.
  [[nodiscard]] NeighbourSearch without(std::span<const std::uint32_t> left_out,
                                        const ExecutionContext& context = {}) const;

  /// Finds the nearest points, nearest first, equal distances in the order of their indices: as many as fit into
  /// `indices` (`distances` must be as long). Returns their number, which is less than the size of `indices` only if
  /// the set is smaller. If several points at the same distance do not all fit, the choice among them depends on the
  /// order of the set.
  std::size_t nearest(const Vec3& query, std::span<std::uint32_t> indices, std::span<double> distances) const;

  /// Finds all points at a distance below `radius`, a length in the metric, in no particular order. Stops and returns
  /// false if there are more than `limit`, so that a radius that is far too large costs little.
  bool within_radius(const Vec3& query, double radius, std::size_t limit, std::vector<std::uint32_t>& indices) const;

 private:
  friend class NeighbourQueries;
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

/// Queries for as many nearest points one after the other, each near the one before: where that one's neighbours are
/// bounds how far the next one has to look.
class NeighbourQueries {
 public:
  struct Found {
    std::span<const std::uint32_t> indices;  ///< in no particular order
    std::span<const double> distances;
    double farthest = 0.0;  ///< of these distances; infinite if the set has fewer points than are wanted
  };

  /// The search must stay alive and unchanged.
  NeighbourQueries(const NeighbourSearch& search, std::size_t wanted);
  ~NeighbourQueries();
  NeighbourQueries(const NeighbourQueries&) = delete;
  NeighbourQueries& operator=(const NeighbourQueries&) = delete;

  /// The nearest points, all if there are fewer than are wanted. Valid until the next call.
  Found nearest(const Vec3& query);

 private:
  struct Memory;
  const NeighbourSearch& search_;
  std::size_t wanted_;
  Vec3 last_query_ = Vec3::Zero();
  double last_distance_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace burnish
