#pragma once

#include <bit>
#include <cstdint>

#include "geometry/lane_algebra.hpp"

namespace burnish {

/// The exponential of numbers that are not positive, within 2 ulp; 0 where it would be subnormal.
template <class Number>
[[gnu::always_inline]] inline Number exp_of_negative(const Number& x) {
  using Whole [[gnu::vector_size(sizeof(Number))]] = std::int64_t;
  constexpr double rounder = 0x1.8p52;  // added and subtracted again, it rounds to whole numbers
  const Number least = Number{} - 708.0;
  const auto is_small = x < least;
  const Number bounded = is_small ? least : x;
  const Number shifted = bounded * 1.4426950408889634 + rounder;
  const Number twos = shifted - rounder;
  // log 2 in two parts: products with the first, which has few digits, are exact.
  const Number r = (bounded - twos * 0x1.62e42fee00000p-1) - twos * 0x1.a39ef35793c76p-33;
  // Taylor's series, for |r| up to log 2 / 2.
  Number series = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0;
  series = series * r + 1.0 / 39916800.0;
  series = series * r + 1.0 / 3628800.0;
  series = series * r + 1.0 / 362880.0;
  series = series * r + 1.0 / 40320.0;
  series = series * r + 1.0 / 5040.0;
  series = series * r + 1.0 / 720.0;
  series = series * r + 1.0 / 120.0;
  series = series * r + 1.0 / 24.0;
  series = series * r + 1.0 / 6.0;
  series = series * r + 0.5;
  series = series * r + 1.0;
  series = series * r + 1.0;
  // The lowest bits of the shifted number are the exponent.
  Whole bits;
  static_assert(sizeof bits == sizeof shifted);
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  Number power;
  std::memcpy(&power, &bits, sizeof power);
  return is_small ? Number{} : series * power;
}

}  // namespace burnish
