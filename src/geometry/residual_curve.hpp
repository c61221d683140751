#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"
#include "geometry/quantised_direction.hpp"

namespace burnish {

/// The residuals of quadrics around one place as a function of the size of the neighbourhood, a variogram in the terms
/// of geostatistics. White noise has the same residual at every size; correlated noise increases it with every
/// doubling, but less each time; shape increases it more each time.
struct ResidualCurve {
  /// Sizes double, beginning with the first one that is wide compared with the noise.
  static constexpr std::size_t sizes = 4;

  std::array<double, sizes> deviation{};  ///< standard deviation, corrected for the coefficients and the ball's border
  std::size_t first_size = 0;             ///< points in the first neighbourhood; 0 if no size shows a surface
  double kurtosis = 0.0;                  ///< excess, of the second size
  double spacing = 0.0;                   ///< distance of neighbouring points
  double quantisation = 0.0;              ///< standard deviation across the surface that steps of coordinates cause
};

/// The curve at a place. The search must be over the points. Where coordinates are quantised, neighbourhoods span
/// several steps.
[[nodiscard]] ResidualCurve residual_curve(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                           const Vec3& place, const std::vector<QuantisedDirection>& directions);

/// Variance of heights of variance 1 over a plane, truncated by a ball of this radius around a point of the plane. At
/// height z the ball leaves a disc of area π(R² − z²).
[[nodiscard]] double variance_within(double radius);

/// The standard deviation that gives this variance when truncated by a ball of this radius.
[[nodiscard]] double undo_cut(double variance, double radius);

/// Whether points that spread by these standard deviations along their principal axes lie along a line. Their spread
/// across a fitted surface would be mistaken for noise.
[[nodiscard]] bool is_line(const Vec3& spread);

}  // namespace burnish
