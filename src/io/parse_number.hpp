#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

#include "core/from_chars.hpp"

namespace burnish::io {

/// A decimal integer in its plain spelling, nothing else.
[[nodiscard]] inline bool parse_integer(std::string_view token, std::int64_t& value) {
  const char* const end = token.data() + token.size();
  const auto [stop, failure] = from_chars(token.data(), end, value);
  return failure == std::errc() && stop == end && !(value == 0 && token.front() == '-');  // -0 is a float
}

/// The number a whole token spells, without regard to the locale; false if it spells none or T cannot hold it.
/// "nan" and "inf" are numbers for float types; "7.0" is one for integer types.
template <class T>
[[nodiscard]] bool parse_number(std::string_view token, T& value) {
  if (token.starts_with('+') && token.size() > 1 && token[1] != '-') {
    token.remove_prefix(1);
  }
  const char* const end = token.data() + token.size();
  const auto [stop, failure] = from_chars(token.data(), end, value);
  if (failure == std::errc() && stop == end) {
    return true;
  }
  if constexpr (std::floating_point<T>) {
    if (failure != std::errc::result_out_of_range || stop != end) {
      return false;
    }
    // Too small for the type is zero, too large is no number of it: a wider type shows which it was.
    long double wide = 0;
    if (from_chars(token.data(), end, wide).ec != std::errc()) {
      return false;
    }
    value = static_cast<T>(wide);
    return std::isfinite(value);
  } else {
    double real = 0;
    constexpr double exact = 9007199254740992.0;  // beyond 2^53 a double is no exact integer
    if (failure == std::errc::result_out_of_range || !parse_number(token, real) || std::trunc(real) != real ||
        std::abs(real) > exact || real < static_cast<double>(std::numeric_limits<T>::min()) ||
        real > static_cast<double>(std::numeric_limits<T>::max())) {
      return false;
    }
    value = static_cast<T>(real);
    return true;
  }
}

}  // namespace burnish::io
