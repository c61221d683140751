#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace burnish {

/// A smooth function at one place.
struct Tangent {
  double value = 0.0;
  double slope = 0.0;
  /// The second derivative is nowhere below -bend from here on, at least as far as `trust`.
  double bend = 0.0;
  double trust = std::numeric_limits<double>::infinity();
};

/// The first zero in [start, end] of a function that is positive at `start`. Newton's method that never steps over a
/// zero: a parabola of second derivative -bend through value and slope lies below the function, so its zero comes
/// first. Steps converge quadratically to a simple zero, and pass a narrow miss in a number of steps that grows only
/// with its logarithm. `accuracy`: steps that short end the search.
template <class Function>
[[nodiscard]] std::optional<double> first_zero(const Function& function, double start, double end, double accuracy) {
  for (double t = start; t <= end;) {
    const Tangent f = function(t);
    if (f.value <= 0.0) {
      return t;
    }
    // The positive zero of value + slope x - bend x^2 / 2, without cancellation.
    const double root = std::sqrt(f.slope * f.slope + 2.0 * f.bend * f.value);
    const double step = f.slope <= 0.0 ? 2.0 * f.value / (root - f.slope) : (f.slope + root) / f.bend;
    if (step <= accuracy) {
      return t + step;
    }
    t += std::min(step, f.trust);
  }
  return std::nullopt;
}

}  // namespace burnish
