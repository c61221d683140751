#pragma once

// Numbers of about 106 bits as sums of two doubles (Dekker, "A floating-point technique for extending the available
// precision", 1971). No fused multiply-add; overflow and underflow are not handled.

namespace burnish {

struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;  ///< at most half a unit in the last place of high
};

/// a + b, exactly, where a is 0 or |a| ≥ |b|.
[[nodiscard]] constexpr DoubleDouble ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b, exactly (Knuth).
[[nodiscard]] constexpr DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double part_of_b = sum - a;
  return {sum, (a - (sum - part_of_b)) + (b - part_of_b)};
}

/// The upper 26 bits of x, so that products of halves are exact.
[[nodiscard]] constexpr double upper_half(double x) {
  const double scaled = 134217729.0 * x;  // 2^27 + 1
  return scaled - (scaled - x);
}

/// a b, exactly, for |a| and |b| below 2^996 and a product above 2^-969.
[[nodiscard]] constexpr DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  const double a_high = upper_half(a);
  const double a_low = a - a_high;
  const double b_high = upper_half(b);
  const double b_low = b - b_high;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

[[nodiscard]] constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = exact_sum(a.high, b.high);
  return ordered_sum(sum.high, sum.low + (a.low + b.low));
}

[[nodiscard]] constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

[[nodiscard]] constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

[[nodiscard]] constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double quotient = a.high / b.high;
  const DoubleDouble product = exact_product(quotient, b.high);
  const double rest = (((a.high - product.high) - product.low) + a.low) - quotient * b.low;
  return ordered_sum(quotient, rest / b.high);
}

}  // namespace burnish
