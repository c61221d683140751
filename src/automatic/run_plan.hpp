#pragma once

#include <cstdint>
#include <vector>

#include "automatic/analyse.hpp"
#include "geometry/working_points.hpp"

namespace burnish::automatic {

/// A cloud after all steps of a plan.
struct PlanResult {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> outliers;  ///< which have stayed where they were, ascending
  std::vector<double> noise;            ///< found at each point
  std::vector<double> variance;         ///< of the remaining error at each point, relative to that at others
};

/// Carries out the plan on a cloud: points that are finite, distinct and in spatial order. Where a point goes depends
/// on what lies within halo_radius() around it.
[[nodiscard]] PlanResult run_plan(const ChosenPlan& chosen, const std::vector<Vec3>& points, const Sights& sights,
                                  const ExecutionContext& context);

/// The result for the input points, from that for the working points they share; without the findings.
[[nodiscard]] DenoiseResult to_result(const ChosenPlan& chosen, const PlanResult& done, const WorkingPoints& working,
                                      std::span<const Vec3> positions);

/// The halo radius: how far points are that influence where a point goes, in distances of neighbouring points there.
/// Points beyond make a difference of less than a thousandth of such a distance.
[[nodiscard]] double halo_radius(const Plan& plan);

/// Larger clouds are processed in pieces of this size: large against their halo, and small enough that a piece for
/// every thread fits into memory easily.
inline constexpr std::size_t piece_size = 300000;

/// The same piece by piece, each with its halo: several at a time, in memory that does not grow with the cloud. Pieces
/// have at most `most_points` points of their own.
[[nodiscard]] PlanResult run_plan_in_pieces(const ChosenPlan& chosen, const std::vector<Vec3>& points,
                                            const Sights& sights, std::size_t most_points,
                                            const ExecutionContext& context);

}  // namespace burnish::automatic
