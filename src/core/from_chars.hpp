#pragma once

#include <charconv>
#include <concepts>

namespace burnish {

#ifndef _WIN32
/// std::from_chars of a number with a fraction, by strtod of the C library and in its "C" locale.
std::from_chars_result from_chars_by_strtod(const char* first, const char* last, double& value);
std::from_chars_result from_chars_by_strtod(const char* first, const char* last, float& value);
std::from_chars_result from_chars_by_strtod(const char* first, const char* last, long double& value);
#endif

// libc++, the library of macOS, has std::from_chars for integers only.
#if defined(_LIBCPP_VERSION)
template <class Number>
std::from_chars_result from_chars(const char* first, const char* last, Number& value) {
  if constexpr (std::floating_point<Number>) {
    return from_chars_by_strtod(first, last, value);
  } else {
    return std::from_chars(first, last, value);
  }
}
#else
using std::from_chars;
#endif

}  // namespace burnish
