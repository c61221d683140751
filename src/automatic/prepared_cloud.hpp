#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automatic/sights.hpp"
#include "automatic/strays.hpp"
#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"

namespace burnish::automatic {

/// The input of the steps of a plan: a cloud without outliers, with strays moved to the surface.
struct PreparedCloud {
  std::vector<Vec3> points;
  NeighbourSearch search;               ///< among the points
  std::vector<double> noise;            ///< standard deviation at each point
  std::vector<Vec3> sights;             ///< from each point to its scanner; empty if not known
  std::vector<std::uint32_t> outliers;  ///< indices in the original cloud, ascending
};

/// Prepares points that are finite, distinct and in spatial order. The search is among them, the noise theirs.
[[nodiscard]] PreparedCloud prepare_cloud(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                          const std::vector<double>& noise, const StrayRule& rule, const Sights& sights,
                                          const ExecutionContext& context);

/// The same cloud with other positions.
[[nodiscard]] PreparedCloud moved(const PreparedCloud& cloud, std::vector<Vec3> points,
                                  const ExecutionContext& context);

}  // namespace burnish::automatic
