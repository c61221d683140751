#pragma once

#include <array>

#include "geometry/residual_curve.hpp"

namespace burnish {

/// Components of the variance of residuals, from its growth with the size of the neighbourhood. Geostatistics calls
/// these nugget and partial sill.
struct Variogram {
  double white = 0.0;       ///< of noise that is independent from point to point
  double correlated = 0.0;  ///< of noise that neighbouring points share, beyond that in the smallest neighbourhood
  double residual = 0.0;    ///< in the smallest neighbourhood, shape included
};

/// Fits, by least squares with coefficients that are not negative,
///
///     variance(j) = white + correlated (1 − 2⁻ʲ) + crease 2.83ʲ + cubic 8ʲ
///
/// to the residual variances of quadrics in neighbourhoods that were doubled j times. The lowest-order term that a
/// quadric cannot represent is cubic: its variance grows with the third power of the number of points. That of a
/// crease, averaged over where it crosses the neighbourhood, grows with the power 1.5. Relative errors of all variances
/// have equal weight.
[[nodiscard]] Variogram fit_variogram(const std::array<double, ResidualCurve::sizes>& variance);

}  // namespace burnish
