#include "core/math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "core/random.hpp"

namespace burnish {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr int samples = 100000;

/// Of a value and what it should be, in units in the last place of a double.
double error_in_ulp(double value, long double truth) {
  if (std::isnan(value) || std::isinf(value)) {
    const auto rounded = static_cast<double>(truth);
    return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(rounded) ||
                   (std::isnan(value) && std::isnan(rounded))
               ? 0.0
               : infinity;
  }
  int exponent = 0;
  std::frexp(truth, &exponent);
  return static_cast<double>(std::abs(value - truth) / std::ldexp(1.0L, std::max(exponent - 53, -1074)));
}

/// Any finite number, its exponent uniform over all there are.
double any_number(RandomStream& random) {
  for (;;) {
    const auto number = std::bit_cast<double>(random.bits());
    if (std::isfinite(number)) {
      return number;
    }
  }
}

/// The largest error of a function of one number between two bounds, or of any number where both are 0.
template <class Ours, class Exact>
double worst_error(const Ours& ours, const Exact& exact, double low, double high) {
  RandomStream random(1, 0);
  double worst = 0.0;
  for (int i = 0; i < samples; ++i) {
    const double x = low < high ? low + (high - low) * random.uniform() : std::abs(any_number(random));
    worst = std::max(worst, error_in_ulp(ours(x), exact(static_cast<long double>(x))));
  }
  return worst;
}

#define BURNISH_WORST_ERROR(name, low, high) \
  worst_error([](double x) { return math::name(x); }, [](long double x) { return std::name(x); }, low, high)

/// That long double holds more than double does, so that errors can be seen.
bool has_reference() { return std::numeric_limits<long double>::digits >= 64; }

TEST(Math, ErrorsAreWithinTheirBounds) {
  if (!has_reference()) {
    GTEST_SKIP() << "long double is no more accurate than double here";
  }
  EXPECT_LT(BURNISH_WORST_ERROR(exp, -708.0, 709.7), 0.52);
  EXPECT_LT(BURNISH_WORST_ERROR(exp, -1.0, 1.0), 0.52);
  EXPECT_LT(BURNISH_WORST_ERROR(exp, -746.0, -708.0), 0.8);
  EXPECT_LT(BURNISH_WORST_ERROR(expm1, -40.0, 40.0), 3.0);
  EXPECT_LT(BURNISH_WORST_ERROR(expm1, -0.01, 0.01), 3.0);
  EXPECT_LT(BURNISH_WORST_ERROR(log, 0.0, 0.0), 0.52);
  EXPECT_LT(BURNISH_WORST_ERROR(log, 0.5, 2.0), 0.52);
  EXPECT_LT(BURNISH_WORST_ERROR(log, 1.0 - 1e-7, 1.0 + 1e-7), 0.52);
  EXPECT_LT(BURNISH_WORST_ERROR(log2, 0.0, 0.0), 0.52);
  EXPECT_LT(BURNISH_WORST_ERROR(log10, 0.0, 0.0), 0.52);
  EXPECT_LT(BURNISH_WORST_ERROR(log10, 0.9, 1.1), 0.52);
  for (const double size : {0.8, 10.0, 1e6, 1e9}) {
    EXPECT_LT(BURNISH_WORST_ERROR(sin, -size, size), 0.9) << size;
    EXPECT_LT(BURNISH_WORST_ERROR(cos, -size, size), 0.9) << size;
    EXPECT_LT(BURNISH_WORST_ERROR(tan, -size, size), 3.0) << size;
  }
  EXPECT_LT(BURNISH_WORST_ERROR(sin, 0.0, 0.0), 0.9);
  EXPECT_LT(BURNISH_WORST_ERROR(cos, 0.0, 0.0), 0.9);
  EXPECT_LT(BURNISH_WORST_ERROR(asin, -1.0, 1.0), 2.0);
  EXPECT_LT(BURNISH_WORST_ERROR(acos, -1.0, 1.0), 2.0);
}

TEST(Math, ErrorsOfTwoArgumentsAreWithinTheirBounds) {
  if (!has_reference()) {
    GTEST_SKIP() << "long double is no more accurate than double here";
  }
  RandomStream random(2, 0);
  double of_pow = 0.0;
  double of_atan2 = 0.0;
  double of_hypot = 0.0;
  for (int i = 0; i < samples; ++i) {
    double x = any_number(random);
    double y = i % 3 == 0 ? any_number(random) : x * random.symmetric();
    of_atan2 = std::max(of_atan2, error_in_ulp(math::atan2(y, x), std::atan2(y, static_cast<long double>(x))));
    of_hypot = std::max(of_hypot, error_in_ulp(math::hypot(x, y), std::hypot(x, static_cast<long double>(y))));
    x = i % 3 == 0 ? std::abs(x) : 1.0 + random.symmetric();
    y = 700.0 / std::log(x) * random.symmetric();
    of_pow = std::max(of_pow, error_in_ulp(math::pow(x, y), std::pow(x, static_cast<long double>(y))));
  }
  EXPECT_LT(of_atan2, 0.52);
  EXPECT_LT(of_hypot, 1.3);
  EXPECT_LT(of_pow, 0.52);
}

TEST(Math, SpecialValuesAreThoseOfTheStandard) {
  const auto same = [](double ours, double theirs, const char* name, double x, double y = 0.0) {
    EXPECT_TRUE(std::bit_cast<std::uint64_t>(ours) == std::bit_cast<std::uint64_t>(theirs) ||
                (std::isnan(ours) && std::isnan(theirs)))
        << name << " of " << x << ", " << y << " is " << ours << ", not " << theirs;
  };
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double large = std::numeric_limits<double>::max();
  const double values[] = {0.0,  -0.0, 1.0,   -1.0,  2.0,    -2.0,     3.0,       -3.0,        0.5,
                           -0.5, tiny, -tiny, large, -large, infinity, -infinity, not_a_number};
  for (const double x : values) {
    if (std::isinf(x) || std::isnan(x) || x == 0.0 || std::abs(x) == tiny || x == -large || x == large) {
      same(math::exp(x), std::exp(x), "exp", x);
      same(math::expm1(x), std::expm1(x), "expm1", x);
      same(math::asin(x), std::asin(x), "asin", x);
      same(math::acos(x), std::acos(x), "acos", x);
    }
    if (!(x > 0.0 && std::isfinite(x)) || x == 1.0) {
      same(math::log(x), std::log(x), "log", x);
      same(math::log2(x), std::log2(x), "log2", x);
      same(math::log10(x), std::log10(x), "log10", x);
    }
    if (!std::isfinite(x) || std::abs(x) <= tiny) {
      same(math::sin(x), std::sin(x), "sin", x);
      same(math::cos(x), std::cos(x), "cos", x);
      same(math::tan(x), std::tan(x), "tan", x);
    }
    for (const double y : values) {
      same(math::pow(x, y), std::pow(x, y), "pow", x, y);
      same(math::atan2(y, x), std::atan2(y, x), "atan2", y, x);
      same(math::hypot(x, y), std::hypot(x, y), "hypot", x, y);
    }
  }
  for (int power = -1074; power < 1024; ++power) {
    EXPECT_EQ(math::log2(std::ldexp(1.0, power)), power);
    EXPECT_EQ(math::pow(2.0, power), std::ldexp(1.0, power));
  }
  EXPECT_EQ(math::asin(1.0), 0.5 * std::numbers::pi);
  EXPECT_EQ(math::exp(710.0), infinity);
  EXPECT_EQ(math::exp(-746.0), 0.0);
}

TEST(Math, TurnsAreExactAtTheirQuarters) {
  for (int quarters = -9; quarters <= 9; ++quarters) {
    const math::SineCosine value = math::sine_cosine_of_turns(0.25 * quarters);
    EXPECT_EQ(value.sine, quarters % 2 == 0 ? 0.0 : ((quarters % 4 + 4) % 4 == 1 ? 1.0 : -1.0)) << quarters;
    EXPECT_EQ(value.cosine, quarters % 2 != 0 ? 0.0 : ((quarters % 4 + 4) % 4 == 0 ? 1.0 : -1.0)) << quarters;
  }
  for (int i = -3000; i <= 3000; ++i) {
    const double turns = i / 1000.0 + 1e-5;
    const math::SineCosine value = math::sine_cosine_of_turns(turns);
    EXPECT_NEAR(value.sine, std::sin(2.0 * std::numbers::pi * turns), 1e-14) << turns;
    EXPECT_NEAR(value.cosine, std::cos(2.0 * std::numbers::pi * turns), 1e-14) << turns;
  }
}

TEST(Math, TheBytesAreThoseOfEveryMachine) {
  RandomStream random(3, 0);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, by words
  const auto add = [&](double value) {
    if (!std::isnan(value)) {  // whose sign bit the standard leaves open
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
    }
  };
  for (int i = 0; i < samples; ++i) {
    const double any = any_number(random);
    const double usual = 10.0 * random.symmetric();
    const double other = 10.0 * random.symmetric();
    for (const double x : {any, usual}) {
      add(math::exp(x));
      add(math::expm1(x));
      add(math::log(x));
      add(math::log2(x));
      add(math::log10(x));
      add(math::sin(x));
      add(math::cos(x));
      add(math::tan(x));
      add(math::asin(0.1 * x));
      add(math::acos(0.1 * x));
      add(math::pow(x, other));
      add(math::pow(std::abs(x), other));
      add(math::atan2(x, other));
      add(math::hypot(x, other));
    }
  }
  // Found on x86-64; the point of the number is that every other machine and compiler finds it too.
  EXPECT_EQ(hash, 17235763769315412184U);
}

}  // namespace
}  // namespace burnish
