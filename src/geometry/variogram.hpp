#pragma once

#include <array>

#include "geometry/residual_curve.hpp"

namespace burnish {

/// What the variance of residuals is made of, as their growth with the size of the neighbourhood shows. Geostatistics
/// calls these nugget and partial sill.
struct Variogram {
  double white = 0.0;       ///< of noise that differs from point to point
  double correlated = 0.0;  ///< of noise that neighbouring points share, beyond what the smallest neighbourhood shows
  double residual = 0.0;    ///< in the smallest neighbourhood, shape included
};

/// Fits, by least squares with coefficients that are not negative,
///
///     variance(j) = white + correlated (1 − 2⁻ʲ) + crease 2.83ʲ + cubic 8ʲ
///
/// to the residual variances of quadrics in neighbourhoods that were doubled j times. The first term that a quadric
/// does not follow is cubic: its variance grows with the third power of the number of points. That of a crease,
/// averaged over where it crosses the neighbourhood, grows with the power 1.5. Relative errors of all variances count
/// alike.
[[nodiscard]] Variogram fit_variogram(const std::array<double, ResidualCurve::sizes>& variance);

}  // namespace burnish
