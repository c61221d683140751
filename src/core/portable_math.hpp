#pragma once

#include <array>
#include <cmath>
#include <cstddef>

// Functions of the C library that differ in the last digits from one library to the next, from operations that do not:
// additions, multiplications and divisions are exact to the bit on every machine.

namespace burnish {

/// The natural logarithm, accurate to a few units in the last place. x must be positive and finite.
[[nodiscard]] inline double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --exponent;
  }
  // log m = 2 artanh s = 2 (s + s^3/3 + s^5/5 + …), |s| < 0.172
  const double s = (m - 1.0) / (m + 1.0);
  double series = 0.0;
  for (int n = 23; n >= 1; n -= 2) {
    series = series * s * s + 1.0 / n;
  }
  return 2.0 * s * series + exponent * 0.69314718055994531;
}

/// sin 2πt for |t| ≤ 1/4, accurate to 1e-15: the Taylor series, whose terms after x^21 / 21! are below 1e-17.
[[nodiscard]] inline double sine_of_quarter_turn(double t) {
  constexpr std::array coefficients = [] {
    std::array<double, 11> inverse_factorials{1.0};  // 1, −1/3!, 1/5!, …
    for (std::size_t i = 1; i < inverse_factorials.size(); ++i) {
      const auto n = static_cast<double>(2 * i);
      inverse_factorials[i] = -inverse_factorials[i - 1] / (n * (n + 1.0));
    }
    return inverse_factorials;
  }();
  const double x = 6.283185307179586477 * t;
  const double square = x * x;
  double series = 0.0;
  for (std::size_t i = coefficients.size(); i > 0; --i) {
    series = series * square + coefficients[i - 1];
  }
  return x * series;
}

/// sin 2πt and cos 2πt.
struct SineCosine {
  double sine = 0.0;
  double cosine = 0.0;
};

[[nodiscard]] inline SineCosine sine_cosine_of_turns(double t) {
  const double fraction = t - std::floor(t + 0.5);  // from −1/2 to 1/2
  const double size = std::abs(fraction);
  return {sine_of_quarter_turn(size <= 0.25 ? fraction : std::copysign(0.5 - size, fraction)),
          sine_of_quarter_turn(0.25 - size)};
}

}  // namespace burnish
