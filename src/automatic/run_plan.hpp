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
  std::vector<double> noise;            ///< that was there to take out of each point
  std::vector<double> variance;         ///< of the error that is left at each point, relative to that at others
};

/// Carries out the plan on a cloud: points that are finite, distinct and in spatial order. Where a point goes depends
/// on what lies within halo_radius() around it.
[[nodiscard]] PlanResult run_plan(const ChosenPlan& chosen, const std::vector<Vec3>& points, const Sights& sights,
                                  const ExecutionContext& context);

/// What became of working points as the result for the points they stand for, without the findings.
[[nodiscard]] DenoiseResult to_result(const ChosenPlan& chosen, const PlanResult& done, const WorkingPoints& working,
                                      std::span<const Vec3> positions);

/// How far the surroundings reach that have a say in where a point goes, in distances of neighbouring points there.
/// What lies beyond makes a difference of less than a thousandth of such a distance.
[[nodiscard]] double halo_radius(const Plan& plan);

/// Larger clouds are done in pieces of this size: large against what has to be looked at around them, and few enough
/// points that a piece for every thread fits into memory easily.
inline constexpr std::size_t piece_size = 300000;

/// The same piece by piece, each with what is around it: several at a time, and in a memory that does not grow with the
/// cloud. Pieces have at most `most_points` points of their own.
[[nodiscard]] PlanResult run_plan_in_pieces(const ChosenPlan& chosen, const std::vector<Vec3>& points,
                                            const Sights& sights, std::size_t most_points,
                                            const ExecutionContext& context);

}  // namespace burnish::automatic
