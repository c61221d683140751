#include "core/from_chars.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace burnish {
namespace {

/// What libc++ gets, beside what the standard library of this build has.
template <class Number>
void expect_same(const std::string& text) {
  Number expected = -7;
  Number found = -7;
  const char* const end = text.data() + text.size();
  const auto [place, error] = std::from_chars(text.data(), end, expected);
  const auto [found_place, found_error] = from_chars_by_strtod(text.data(), end, found);
  EXPECT_EQ(found_error, error) << text;
  EXPECT_EQ(found_place - text.data(), place - text.data()) << text;
  EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << text << ' ' << found;
  EXPECT_EQ(std::signbit(found), std::signbit(expected)) << text;
}

TEST(FromChars, IsThatOfTheStandardWithoutItToo) {
  for (const std::string text : {"0",
                                 "-0",
                                 "1",
                                 "-12.5",
                                 "3.",
                                 ".5",
                                 "-.5e1",
                                 "1e3",
                                 "1E+3",
                                 "1e-3",
                                 "1e",
                                 "1e+",
                                 "2ex",
                                 "7 8",
                                 "7,5",
                                 "7.5.5",
                                 "0x10",
                                 "1_000",
                                 "",
                                 "-",
                                 ".",
                                 "-.",
                                 "e5",
                                 "+1",
                                 " 1",
                                 "--1",
                                 "-+1",
                                 "-e",
                                 "inf",
                                 "-inf",
                                 "INF",
                                 "nan",
                                 "-nan",
                                 "NaN",
                                 "infinity",
                                 "Infinity5",
                                 "infinite",
                                 "nano",
                                 "in",
                                 "word",
                                 "0.1",
                                 "0.3e1x",
                                 "0e999",
                                 "0.000e-9",
                                 "1e999",
                                 "-1e999",
                                 "1e-999",
                                 "123e-999",
                                 "1e38",
                                 "1e39",
                                 "1e-45",
                                 "1e-50",
                                 "1e308",
                                 "1.8e308",
                                 "5e-324",
                                 "1e-310",
                                 "0.1234567890123456789012345678901",
                                 "9007199254740993",
                                 "123456789012345678901234567890",
                                 "3.4028235e38",
                                 "1.17549435e-38"}) {
    expect_same<double>(text);
    expect_same<float>(text);
  }
  for (const std::string text : {"1e400", "1e-400", "0.1", "-2.5e-3x"}) {
    expect_same<long double>(text);
  }
}

TEST(FromChars, LooksAtNothingBehindTheEnd) {
  const std::string text = "12.75";
  double value = 0.0;
  EXPECT_EQ(from_chars_by_strtod(text.data(), text.data() + 4, value).ptr, text.data() + 4);
  EXPECT_EQ(value, 12.7);
}

}  // namespace
}  // namespace burnish
