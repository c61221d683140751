#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::automatic {

/// The criterion that distinguishes strays that are noise from outliers. It is estimated on a sample and applied to the
/// whole cloud.
struct StrayRule {
  double typical_distance = 0.0;  ///< median over the points of the mean distance to their nearest neighbours
  /// Strays up to this height above the surface, in distances of neighbouring points there, are noise and are moved to
  /// the surface; those beyond are outliers.
  double farthest_pull = 0.0;
};

/// A point that lies off the surface nearby by more than the noise explains.
struct Stray {
  std::uint32_t point = 0;
  double height = 0.0;  ///< above the surface, in distances of neighbouring points there; infinite if there is none
  Vec3 foot;            ///< its projection onto the surface
};

/// Looks for strays among points. Points, search and context must stay alive.
class StraySearch {
 public:
  StraySearch(const std::vector<Vec3>& points, const NeighbourSearch& search, const ExecutionContext& context);

  [[nodiscard]] double typical_distance() const;

  /// Whether a point is so isolated that it has no relation to the noise of others.
  [[nodiscard]] std::vector<bool> isolated(double typical_distance) const;

  /// Which points may be strays.
  enum class Among : std::uint8_t {
    isolated,  ///< points far from their neighbours, or among others that fill a volume
    all        ///< for noise with heavy tails, where large errors are among other points
  };

  /// Points that lie more than four standard deviations of the noise off the plane that most points around them lie on,
  /// in ascending order. `noise` is the standard deviation at each point.
  [[nodiscard]] std::vector<Stray> find(double typical_distance, std::span<const double> noise, Among among) const;

 private:
  static constexpr std::size_t neighbours = 8;

  /// Isolation of a point: its distance to its neighbours over theirs to their own.
  [[nodiscard]] double isolation(std::size_t p) const;
  [[nodiscard]] bool fills_volume(const Vec3& centre) const;
  [[nodiscard]] Stray offset_of(std::uint32_t p, const std::vector<bool>& is_suspect,
                                std::span<const double> noise) const;

  const std::vector<Vec3>& points_;
  const NeighbourSearch& search_;
  const ExecutionContext& context_;
  std::vector<std::array<std::uint32_t, neighbours + 1>> nearest_;
  std::vector<double> distance_;  ///< of every point to its nearest neighbours, on average
};

/// Decides by the frequency of strays as a function of height: large errors become rare with the height, outliers are
/// as frequent far from a surface as near it.
[[nodiscard]] double farthest_pull(const std::vector<Stray>& strays);

}  // namespace burnish::automatic
