#include "core/from_chars.hpp"

#ifndef _WIN32
#include <locale.h>
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include <algorithm>
#include <cmath>
#include <string>

namespace burnish {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The end of the decimal number or word at the start of a text. strtod would also accept leading blanks, a plus sign
/// and hexadecimal digits.
const char* end_of_number(const char* first, const char* last) {
  const char* const start = first != last && *first == '-' ? first + 1 : first;
  if (start != last && is_letter(*start)) {
    return std::find_if_not(start, last, is_letter);
  }
  const char* end = std::find_if_not(start, last, is_digit);
  if (end != last && *end == '.') {
    end = std::find_if_not(end + 1, last, is_digit);
  }
  if (end != last && (*end == 'e' || *end == 'E')) {
    const char* const sign = end + 1;
    const char* const digits = sign != last && (*sign == '-' || *sign == '+') ? sign + 1 : sign;
    if (digits != last && is_digit(*digits)) {
      end = std::find_if_not(digits, last, is_digit);
    }
  }
  return end;
}

template <class Number, class Parse>
std::from_chars_result from_chars_of(const char* first, const char* last, Number& value, const Parse& parse) {
  static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string text(first, end_of_number(first, last));
  char* end = nullptr;
  const Number number = parse(text.c_str(), &end, c_locale);
  const auto used = static_cast<std::size_t>(end - text.c_str());
  if (used == 0) {
    return {first, std::errc::invalid_argument};
  }
  const bool has_digits = is_digit(text[used - 1]) || text[used - 1] == '.';
  const bool is_zero = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == text.npos;
  if (has_digits && (!std::isfinite(number) || (number == 0 && !is_zero))) {
    return {first + used, std::errc::result_out_of_range};
  }
  value = number;
  return {first + used, std::errc()};
}

}  // namespace

std::from_chars_result from_chars_by_strtod(const char* first, const char* last, double& value) {
  return from_chars_of(first, last, value, ::strtod_l);
}
std::from_chars_result from_chars_by_strtod(const char* first, const char* last, float& value) {
  return from_chars_of(first, last, value, ::strtof_l);
}
std::from_chars_result from_chars_by_strtod(const char* first, const char* last, long double& value) {
  return from_chars_of(first, last, value, ::strtold_l);
}

}  // namespace burnish
#endif
