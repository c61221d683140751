#pragma once

#include <cstdint>
#include <vector>

#include "automatic/analyse.hpp"
#include "geometry/working_points.hpp"

namespace burnish::automatic {

/// A cloud after all steps of a plan.
struct PlanResult {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> outliers;  ///< unchanged points, ascending
  std::vector<double> noise;            ///< estimated at each point
  std::vector<double> variance;         ///< of the remaining error at each point, relative to that at others
};

/// Runs the plan on a cloud: points that are finite, distinct and in spatial order. The result at a point depends on
/// the points within halo_radius().
[[nodiscard]] PlanResult run_plan(const ChosenPlan& chosen, const std::vector<Vec3>& points, const Sights& sights,
                                  const ExecutionContext& context);

/// The result for the input points, from that for the working points; without the findings.
[[nodiscard]] DenoiseResult to_result(const ChosenPlan& chosen, const PlanResult& done, const WorkingPoints& working,
                                      std::span<const Vec3> positions);

/// The halo radius, in local spacings: points farther away change the result by less than a thousandth of the spacing.
[[nodiscard]] double halo_radius(const Plan& plan);

/// Larger clouds are processed in pieces of this size: large compared with their halo, and small enough that one piece
/// per thread fits into memory easily.
inline constexpr std::size_t piece_size = 300000;

/// The same piece by piece, each with its halo: several at a time, with memory independent of the size of the cloud.
/// Pieces have at most `most_points` points of their own.
[[nodiscard]] PlanResult run_plan_in_pieces(const ChosenPlan& chosen, const std::vector<Vec3>& points,
                                            const Sights& sights, std::size_t most_points,
                                            const ExecutionContext& context);

}  // namespace burnish::automatic
