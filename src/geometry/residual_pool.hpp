#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "core/math.hpp"
#include "geometry/residual_curve.hpp"
#include "geometry/variogram.hpp"

namespace burnish {

/// Two sheets of a wall are farther apart than this, in spacings; nearer ones are one noisy surface.
inline constexpr double least_sheet_gap = 1.2;

/// Residual curves at places on a surface.
struct Survey {
  std::vector<Vec3> places;
  std::vector<ResidualCurve> curves;
};

/// Measures curves at some of the points. The search must be over the points. Steps of coordinates count as noise.
[[nodiscard]] Survey measure_curves(const std::vector<Vec3>& points, const std::vector<std::uint32_t>& sample,
                                    const NeighbourSearch& search, const ExecutionContext& context);

/// The noise of a place, estimated from its residuals and those of the places around it.
struct Pool {
  Variogram variogram;
  double kurtosis = 0.0;
  double spacing = 0.0;
  bool has_two_sheets = false;
  /// Standard errors of the logarithm of the noise: statistical, and because residuals may be due to shape.
  double error_by_chance = 0.0;
  double other_error = 0.0;
  bool is_of_steps = false;  ///< whether steps of coordinates explain the residuals

  /// From 0 (residuals are due to shape) to 1 (due to noise).
  [[nodiscard]] double trust() const;

  /// `correlated` is the variance of the correlated part over that of the white part: neighbouring residuals are then
  /// correlated, so fewer of them are independent.
  [[nodiscard]] double standard_error(double correlated) const {
    return math::hypot(error_by_chance * std::sqrt(1.0 + correlated), other_error);
  }
};

[[nodiscard]] Pool pool_around(const Survey& survey, std::span<const std::uint32_t> members);

}  // namespace burnish
