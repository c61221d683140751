#include "core/math.hpp"

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/double_double.hpp"

// Tables, computed by the compiler, bring every argument near to 0, where few terms of a Taylor series suffice (Tang,
// "Table-driven implementation of the exponential function in IEEE floating-point arithmetic", 1989). Rounding errors
// that matter are carried in second doubles.

namespace burnish::math {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0,
              "results are the same bytes only where doubles are computed with as doubles");

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
/// Adding and subtracting it rounds a number below 2^51 to the nearest integer, which is in the lowest bits of the sum.
constexpr double rounder = 0x1.8p52;

constexpr std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr double from_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }
/// 2^exponent, for exponents of normal numbers.
constexpr double power_of_two(int exponent) { return from_bits(static_cast<std::uint64_t>(exponent + 1023) << 52U); }

bool is_nan(double x) { return x != x; }
/// Not std::abs, which is a call in builds without optimisation.
double size_of(double x) { return from_bits(bits_of(x) & ~(std::uint64_t{1} << 63U)); }
double with_sign_of(double size, double sign) {
  return from_bits(bits_of(size) | (bits_of(sign) & (std::uint64_t{1} << 63U)));
}

constexpr DoubleDouble log_of_2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr DoubleDouble half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// ------------------------------------------------------------------------------------------------------- exponential

constexpr int exp_bits = 7;
constexpr std::size_t exp_entries = std::size_t{1} << exp_bits;

/// 2^(i/128).
constexpr auto powers_of_two = [] {
  const DoubleDouble step{log_of_2.high / exp_entries, log_of_2.low / exp_entries};
  DoubleDouble ratio{1.0, 0.0};  // e^step, from the innermost bracket of its Taylor series on
  for (int n = 14; n >= 1; --n) {
    ratio = DoubleDouble{1.0, 0.0} + ratio * step / DoubleDouble{static_cast<double>(n), 0.0};
  }
  std::array<DoubleDouble, exp_entries> table{};
  table[0] = {1.0, 0.0};
  for (std::size_t i = 1; i < table.size(); ++i) {
    table[i] = table[i - 1] * ratio;
  }
  return table;
}();

/// An exponential as factor · 2^exponent, factor = high (1 + rest) from 1 to 2.
struct Exponential {
  double high;
  double rest;
  int exponent;
};

/// e^(x + low), for |x| below 2^20 and a small low.
Exponential exponential(double x, double low) {
  constexpr double steps_per_unit = exp_entries / log_of_2.high;
  constexpr double step_high = 0x1.62e42fef80000p-8;  // log 2 / 128; few digits, so that products with steps are exact
  constexpr double step_low = 0x1.1cf79abc9e3b4p-43;
  const double shifted = x * steps_per_unit + rounder;
  const double steps = shifted - rounder;
  const auto number = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits_of(shifted)));
  const DoubleDouble power = powers_of_two[static_cast<std::size_t>(number) & (exp_entries - 1)];
  const double r = ((x - steps * step_high) - steps * step_low) + low;  // at most log 2 / 256
  const double square = r * r;
  const double series = r + square * ((0.5 + r * (1.0 / 6.0)) + square * (1.0 / 24.0 + r * (1.0 / 120.0)));
  return {power.high, series + power.low / power.high, number >> exp_bits};
}

/// e^(x + low).
double exp_of_sum(double x, double low) {
  if (!(size_of(x) < 708.0)) {
    if (is_nan(x)) {
      return x;
    }
    if (x > 710.0) {
      return infinity;
    }
    if (x < -746.0) {
      return 0.0;
    }
    // The last multiplication alone rounds to a number that may be subnormal or infinite.
    const Exponential e = exponential(x, low);
    const int half = e.exponent / 2;
    return (e.high + e.high * e.rest) * power_of_two(half) * power_of_two(e.exponent - half);
  }
  const Exponential e = exponential(x, low);
  return (e.high + e.high * e.rest) * power_of_two(e.exponent);
}

// --------------------------------------------------------------------------------------------------------- logarithm

constexpr std::size_t log_entries = 128;
constexpr std::uint64_t log_start = 0x3fe6000000000000;  // 0.6875: mantissas are taken from there to 1.375

struct LogEntry {
  double inverse = 1.0;  ///< a multiple of 1/128 near to 1/z, for z of one interval
  double high = 0.0;     ///< -log inverse, a multiple of 2^-42, so that sums of it are exact
  double low = 0.0;
};

constexpr double log_of_2_high = 0x1.62e42fefa3800p-1;  // a multiple of 2^-42
constexpr double log_of_2_low = 0x1.ef35793c76730p-45;

/// log (n/128), for n from 93 to 187.
constexpr auto logarithms = [] {
  std::array<DoubleDouble, 2 * log_entries> table{};
  // log a/b = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …) with s = (a - b) / (a + b)
  const auto log_of_ratio = [](std::size_t a) {
    const DoubleDouble s = DoubleDouble{1.0, 0.0} / DoubleDouble{2.0 * static_cast<double>(a) - 1.0, 0.0};
    const DoubleDouble square = s * s;
    DoubleDouble series{};
    for (int n = 15; n >= 1; n -= 2) {
      series = series * square + DoubleDouble{2.0, 0.0} / DoubleDouble{static_cast<double>(n), 0.0};
    }
    return series * s;
  };
  for (std::size_t n = log_entries + 1; n < 190; ++n) {
    table[n] = table[n - 1] + log_of_ratio(n);
  }
  for (std::size_t n = log_entries; n > 90; --n) {
    table[n - 1] = table[n] + -log_of_ratio(n);
  }
  return table;
}();

constexpr auto log_table = [] {
  std::array<LogEntry, log_entries> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double middle = from_bits(log_start + (static_cast<std::uint64_t>(2 * i + 1) << 44U));
    const auto n = static_cast<std::size_t>(128.0 / middle + 0.5);
    const DoubleDouble value = -logarithms[n];
    const double high = (value.high + 0x1.8p10) - 0x1.8p10;  // rounded to a multiple of 2^-42
    table[i] = {static_cast<double>(n) / 128.0, high, (value.high - high) + value.low};
  }
  return table;
}();

/// log x for positive and finite x, with some 64 bits.
DoubleDouble precise_log(double x) {
  std::uint64_t bits = bits_of(x);
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    bits = bits_of(x * 0x1p54);
    exponent = -54;
  }
  const std::uint64_t above = bits - log_start;
  const LogEntry& entry = log_table[(above >> 45U) & (log_entries - 1)];
  const auto steps = static_cast<std::int32_t>(static_cast<std::int64_t>(above) >> 52U);
  const double z = from_bits(bits - (above & (std::uint64_t{0xfff} << 52U)));
  const auto twos = static_cast<double>(exponent + steps);
  // r = z inverse - 1, exactly: halves of z, for products of all of it with the inverse have too many digits.
  const double z_high = from_bits(bits_of(z) & ~std::uint64_t{0xffffffff});
  const DoubleDouble r = exact_sum(z_high * entry.inverse - 1.0, (z - z_high) * entry.inverse);
  // log (1 + r) = r - r²/2 + r³/3 - …
  const double h = r.high;
  const double h2 = h * h;
  const double h4 = h2 * h2;
  const double series = ((1.0 / 3.0 - h * 0.25) + h2 * (1.0 / 5.0 - h * (1.0 / 6.0))) +
                        h4 * ((1.0 / 7.0 - h * 0.125) + h2 * (1.0 / 9.0 - h * 0.1));
  const DoubleDouble half_square = exact_product(0.5 * h, h);
  const DoubleDouble start = exact_sum(twos * log_of_2_high + entry.high, h);
  const DoubleDouble sum = exact_sum(start.high, -half_square.high);
  const double low = ((start.low + sum.low) + (h * h2 * series + (r.low - h * r.low))) +
                     ((twos * log_of_2_low + entry.low) - half_square.low);
  return ordered_sum(sum.high, low);
}

/// The logarithm of 0, infinity, negative numbers and NaN.
double special_log(double x) {
  if (x == 0.0) {
    return -infinity;
  }
  return x < 0.0 ? not_a_number : x;
}

bool is_positive_and_finite(double x) { return x > 0.0 && x < infinity; }

// --------------------------------------------------------------------------------------------- trigonometric functions

/// An angle as r + quadrant · π/2, |r| ≤ π/4.
struct ReducedAngle {
  DoubleDouble r;
  unsigned quadrant;
};

/// Of angles from 2^20 on (Payne and Hanek, "Radian reduction for trigonometric functions", 1983): of the product with
/// 2/π, digits whose place is above that of 4 are left out from the start.
ReducedAngle reduce_large(double x) {
  // 2/π after the point, 32 binary digits each
  static constexpr std::array<std::uint32_t, 38> two_by_pi{
      0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
      0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
      0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
      0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
      0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
  constexpr int limbs = 6;
  const std::uint64_t bits = bits_of(x);
  // x = mantissa · 2^exponent
  const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52U) - 1)) | (std::uint64_t{1} << 52U);
  const int exponent = static_cast<int>((bits >> 52U) & 0x7ff) - 1075;
  // Digits of 2/π · 2^exponent from the place of 2 downwards; there are none before the first.
  const int first = exponent - 2;
  const auto digits_from = [](int bit) -> std::uint32_t {
    const auto limb_at = [](int limb) -> std::uint64_t {
      return limb < 0 ? 0U : two_by_pi[static_cast<std::size_t>(limb)];
    };
    const int limb = (bit + 64) / 32 - 2;
    const auto shift = static_cast<unsigned>(bit - 32 * limb);
    return static_cast<std::uint32_t>(((limb_at(limb) << 32U | limb_at(limb + 1)) << shift) >> 32U);
  };
  // The product with the mantissa modulo 4; limb 0 is the lowest.
  std::array<std::uint32_t, limbs> product{};
  const std::array<std::uint64_t, 2> factors{mantissa & 0xffffffff, mantissa >> 32U};
  for (int f = 0; f < 2; ++f) {
    std::uint64_t carry = 0;
    for (int limb = f; limb < limbs; ++limb) {
      const std::uint64_t digits = digits_from(first + 32 * (limbs - 1 - (limb - f)));
      const auto place = static_cast<std::size_t>(limb);
      const std::uint64_t sum = product[place] + factors[static_cast<std::size_t>(f)] * digits + carry;
      product[place] = static_cast<std::uint32_t>(sum);
      carry = sum >> 32U;
    }
  }
  // Two digits before the point, then the fraction, which is taken from -1/2 to 1/2.
  unsigned quadrant = product[limbs - 1] >> 30U;
  const bool is_more_than_half = (product[limbs - 1] >> 29U & 1U) != 0;
  product[limbs - 1] &= 0x3fffffff;
  DoubleDouble fraction{};
  for (int limb = 0; limb < limbs; ++limb) {
    // Digits of 1 - fraction are those of the fraction, each the other way round, but for a unit in the last place.
    const std::uint32_t mask = limb == limbs - 1 ? 0x3fffffff : 0xffffffff;
    const std::uint32_t digits = product[static_cast<std::size_t>(limb)] ^ (is_more_than_half ? mask : 0U);
    fraction = DoubleDouble{static_cast<double>(digits) * power_of_two(32 * (limb - limbs) + 2), 0.0} + fraction;
  }
  if (is_more_than_half) {
    ++quadrant;
    fraction = -fraction;
  }
  const DoubleDouble r = fraction * half_pi;
  return x < 0.0 ? ReducedAngle{-r, (0U - quadrant) & 3U} : ReducedAngle{r, quadrant & 3U};
}

ReducedAngle reduce(double x) {
  const double size = size_of(x);
  if (size <= 0x1.921fb54442d18p-1) {
    return {{x, 0.0}, 0};
  }
  if (size >= 0x1p20) {
    return reduce_large(x);
  }
  // π/2 in four parts, of which the first three have 33 digits, so that products with whole numbers are exact.
  const double shifted = x * (1.0 / half_pi.high) + rounder;
  const double turns = shifted - rounder;
  const DoubleDouble first = exact_sum(x - turns * 0x1.921fb544p+0, -turns * 0x1.0b4611a6p-34);
  const DoubleDouble rest = exact_sum(-turns * 0x1.3198a2ep-69, -turns * 0x1.b839a252049c1p-104);
  return {first + rest, static_cast<unsigned>(bits_of(shifted)) & 3U};
}

/// sin r and cos r for |r| ≤ π/4, by their Taylor series.
double sine_near_0(DoubleDouble r) {
  const double x = r.high;
  const double s = x * x;
  const double s2 = s * s;
  const double series =
      ((-1.0 / 6 + s * (1.0 / 120)) + s2 * (-1.0 / 5040 + s * (1.0 / 362880))) +
      s2 * s2 *
          ((-1.0 / 39916800 + s * (1.0 / 6227020800)) + s2 * (-1.0 / 1307674368000 + s * (1.0 / 355687428096000)));
  // The derivative of the sine is 1 - s/2 here.
  return x + (s * x * series + (r.low - 0.5 * s * r.low));
}

double cosine_near_0(DoubleDouble r) {
  const double x = r.high;
  const double s = x * x;
  const double s2 = s * s;
  const double series = ((1.0 / 24 + s * (-1.0 / 720)) + s2 * (1.0 / 40320 + s * (-1.0 / 3628800))) +
                        s2 * s2 * ((1.0 / 479001600 + s * (-1.0 / 87178291200)) + s2 * (1.0 / 20922789888000));
  const double half = 0.5 * s;
  const double start = 1.0 - half;
  // What 1 - s/2 loses to rounding; the derivative of the cosine is -x.
  return start + (((1.0 - start) - half) + (s2 * series - x * r.low));
}

double sine_of(const ReducedAngle& angle) {
  const double value = (angle.quadrant & 1U) != 0 ? cosine_near_0(angle.r) : sine_near_0(angle.r);
  return (angle.quadrant & 2U) != 0 ? -value : value;
}

double cosine_of(ReducedAngle angle) {
  ++angle.quadrant;
  return sine_of(angle);
}

/// arctan (i/16)
constexpr auto arctangents = [] {
  std::array<DoubleDouble, 17> table{};
  for (std::size_t i = 1; i < table.size(); ++i) {
    // arctan a - arctan b = arctan t with t = (a - b) / (1 + a b), by its Taylor series
    const auto n = static_cast<double>(i);
    const DoubleDouble t = DoubleDouble{16.0, 0.0} / DoubleDouble{256.0 + n * (n - 1.0), 0.0};
    const DoubleDouble square = t * t;
    DoubleDouble series{};
    for (int k = 25; k >= 1; k -= 2) {
      series = DoubleDouble{1.0, 0.0} / DoubleDouble{static_cast<double>(k), 0.0} + -(series * square);
    }
    table[i] = table[i - 1] + series * t;
  }
  return table;
}();

/// arctan y/x for 0 ≤ y ≤ x, x from 1 to 2.
DoubleDouble arctangent(double y, double x) {
  const double shifted = 16.0 * (y / x) + rounder;
  const double place = shifted - rounder;
  const auto i = static_cast<std::size_t>(bits_of(shifted) & 31U);
  // The tangent of what is left: (y - c x) / (x + c y), with c = i/16.
  const double c = place * 0.0625;
  const double x_high = upper_half(x);
  const DoubleDouble above = exact_sum(y - c * x_high, -c * (x - x_high));
  const double y_high = upper_half(y);
  DoubleDouble below = exact_sum(x, c * y_high);
  below.low += c * (y - y_high);
  const DoubleDouble t = above / below;
  const double s = t.high * t.high;
  const double series = (-1.0 / 3 + s * (1.0 / 5)) + s * s * ((-1.0 / 7 + s * (1.0 / 9)) + s * s * (-1.0 / 11));
  const DoubleDouble sum = ordered_sum(arctangents[i].high, t.high);
  return {sum.high, sum.low + ((arctangents[i].low + t.low) + t.high * s * series)};
}

}  // namespace

double exp(double x) { return exp_of_sum(x, 0.0); }

double expm1(double x) {
  if (!(size_of(x) < 40.0)) {
    return x < 0.0 ? -1.0 : exp(x);
  }
  if (size_of(x) < 0x1p-54) {
    return x;
  }
  const Exponential e = exponential(x, 0.0);
  const double scale = e.high * power_of_two(e.exponent);
  const DoubleDouble start = exact_sum(scale, -1.0);
  return start.high + (start.low + scale * e.rest);
}

double log(double x) { return is_positive_and_finite(x) ? precise_log(x).high : special_log(x); }

double log2(double x) {
  constexpr DoubleDouble inverse = DoubleDouble{1.0, 0.0} / log_of_2;
  return is_positive_and_finite(x) ? (precise_log(x) * inverse).high : special_log(x);
}

double log10(double x) {
  constexpr DoubleDouble inverse{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  return is_positive_and_finite(x) ? (precise_log(x) * inverse).high : special_log(x);
}

double pow(double x, double y) {
  if (y == 0.0 || x == 1.0) {
    return 1.0;
  }
  if (is_nan(x) || is_nan(y)) {
    return x + y;
  }
  const double size = size_of(x);
  const double exponent = size_of(y);
  // Whole numbers from 2^53 on are even.
  const bool is_whole = exponent >= 0x1p53 || exponent == (exponent < 0x1p52 ? (exponent + 0x1p52) - 0x1p52 : exponent);
  const bool is_odd = is_whole && exponent < 0x1p53 && (static_cast<std::uint64_t>(exponent) & 1U) != 0;
  const double sign = is_odd ? x : 1.0;
  if (size == 1.0 && exponent == infinity) {
    return 1.0;
  }
  if (size == 0.0 || size == infinity || exponent == infinity) {
    const bool is_large = (size > 1.0) == (y > 0.0);
    return with_sign_of(is_large ? infinity : 0.0, sign);
  }
  if (x < 0.0 && !is_whole) {
    return not_a_number;
  }
  if (size == 1.0) {
    return with_sign_of(1.0, sign);
  }
  if (exponent < 0x1p-70) {
    return 1.0;
  }
  if (exponent > 0x1p70) {
    return with_sign_of((size > 1.0) == (y > 0.0) ? infinity : 0.0, sign);
  }
  const DoubleDouble log_x = precise_log(size);
  const DoubleDouble product = exact_product(log_x.high, y);
  return with_sign_of(exp_of_sum(product.high, product.low + log_x.low * y), sign);
}

double sin(double x) {
  if (!(size_of(x) < infinity)) {
    return not_a_number;
  }
  return size_of(x) < 0x1p-27 ? x : sine_of(reduce(x));
}

double cos(double x) {
  if (!(size_of(x) < infinity)) {
    return not_a_number;
  }
  return cosine_of(reduce(x));
}

double tan(double x) {
  if (!(size_of(x) < infinity)) {
    return not_a_number;
  }
  if (size_of(x) < 0x1p-27) {
    return x;
  }
  const ReducedAngle angle = reduce(x);
  return sine_of(angle) / cosine_of(angle);
}

double asin(double x) { return size_of(x) < 0x1p-27 ? x : atan2(x, std::sqrt((1.0 - x) * (1.0 + x))); }

double acos(double x) { return atan2(std::sqrt((1.0 - x) * (1.0 + x)), x); }

double atan2(double y, double x) {
  if (is_nan(x) || is_nan(y)) {
    return x + y;
  }
  const bool is_left = bits_of(x) >> 63U != 0;
  double larger = size_of(x);
  double smaller = size_of(y);
  const bool is_steep = smaller > larger;
  if (is_steep) {
    std::swap(larger, smaller);
  }
  DoubleDouble angle{};
  if (larger == infinity) {
    angle = {smaller == infinity ? 0.5 * half_pi.high : 0.0, smaller == infinity ? 0.5 * half_pi.low : 0.0};
  } else if (larger > 0.0) {
    // The larger is brought between 1 and 2.
    double scale = 1.0;
    if (larger < std::numeric_limits<double>::min()) {
      larger *= 0x1p100;
      smaller *= 0x1p100;
    }
    const int power = static_cast<int>(bits_of(larger) >> 52U) - 1023;
    scale = power_of_two(power / 2);
    larger = larger / scale / power_of_two(power - power / 2);
    const double scaled = smaller / scale / power_of_two(power - power / 2);
    if (scaled > 0x1p-400) {
      angle = arctangent(scaled, larger);
    } else if (!is_steep && !is_left) {
      return with_sign_of(size_of(y) / size_of(x), y);  // too small for the tangent to differ from its angle
    } else {
      angle = {scaled, 0.0};
    }
  }
  if (is_steep) {
    angle = half_pi + -angle;
  }
  if (is_left) {
    angle = DoubleDouble{2.0 * half_pi.high, 2.0 * half_pi.low} + -angle;
  }
  return with_sign_of(angle.high + angle.low, y);
}

double hypot(double x, double y) { return hypot(x, y, 0.0); }

double hypot(double x, double y, double z) {
  x = size_of(x);
  y = size_of(y);
  z = size_of(z);
  if (x == infinity || y == infinity || z == infinity) {
    return infinity;
  }
  const double larger = x > y ? x : y;
  const double largest = larger > z ? larger : z;
  double scale = 1.0;
  if (largest > 0x1p500) {
    scale = 0x1p-600;
  } else if (largest < 0x1p-450) {
    scale = 0x1p600;
  }
  x *= scale;
  y *= scale;
  z *= scale;
  return std::sqrt((x * x + y * y) + z * z) / scale;
}

SineCosine sine_cosine_of_turns(double t) {
  const double shifted = 4.0 * t + rounder;
  const double quarters = shifted - rounder;
  const double r = 4.0 * t - quarters;
  const ReducedAngle angle{exact_product(r, half_pi.high), static_cast<unsigned>(bits_of(shifted)) & 3U};
  return {sine_of(angle), cosine_of(angle)};
}

}  // namespace burnish::math
