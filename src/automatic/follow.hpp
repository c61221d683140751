#pragma once

#include <cstdint>
#include <vector>

#include "automatic/choice.hpp"
#include "geometry/working_points.hpp"

namespace burnish::automatic {

/// A cloud on which a plan was followed.
struct Followed {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> outliers;  ///< which have stayed where they were, ascending
  std::vector<double> variance;         ///< of the error that is left at each point, relative to that at others
};

/// Follows the plan on a cloud: points that are finite, distinct and in spatial order. A point goes where its
/// surroundings tell it to, up to reach() around it.
[[nodiscard]] Followed follow(const Choice& choice, const std::vector<Vec3>& points, const ExecutionContext& context);

/// What became of working points as the result for the points they stand for, without the findings.
[[nodiscard]] DenoiseResult to_result(const Choice& choice, const Followed& followed, const WorkingPoints& working,
                                      std::span<const Vec3> positions, const ExecutionContext& context);

/// How far the surroundings reach that have a say in where a point goes, in distances of neighbouring points there.
/// What lies beyond makes a difference of less than a thousandth of such a distance.
[[nodiscard]] double reach(const Plan& plan);

/// Larger clouds are done in pieces of this size: large against what has to be looked at around them, and few enough
/// points that a piece for every thread fits into memory easily.
inline constexpr std::size_t piece_size = 300000;

/// The same piece by piece, each with what is around it: several at a time, and in a memory that does not grow with the
/// cloud. Pieces have at most so many points of their own.
[[nodiscard]] Followed follow_in_pieces(const Choice& choice, const std::vector<Vec3>& points, std::size_t most_points,
                                        const ExecutionContext& context);

}  // namespace burnish::automatic
