#include "io/convert_column.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "io/scalar.hpp"

namespace burnish::io {
namespace {

template <class To, class From>
bool is_same_as(From value) {
  if constexpr (std::same_as<To, From>) {
    return true;
  } else if constexpr (std::integral<From> && std::integral<To>) {
    return std::in_range<To>(value);
  } else if constexpr (std::integral<To>) {
    // The limits themselves may be no floats: the upper one is compared as the power of two above it.
    const double bound = std::ldexp(1.0, std::numeric_limits<To>::digits);
    const bool is_inside = value >= static_cast<double>(std::numeric_limits<To>::min()) && value < bound;
    return is_inside && std::trunc(value) == value && !(value == 0 && std::signbit(value));
  } else if constexpr (std::integral<From>) {
    // Whole numbers that float types hold without gaps.
    constexpr int digits = std::numeric_limits<To>::digits;
    if constexpr (std::numeric_limits<From>::digits <= digits) {
      return true;
    } else {
      constexpr From largest = From{1} << digits;
      return value <= largest && (std::unsigned_integral<From> || value >= From{0} - largest);
    }
  } else {
    return static_cast<From>(static_cast<To>(value)) == value || std::isnan(value);
  }
}

/// Colours of 16 bits are the rule in LAS files: programs take 255 for almost black there.
bool is_byte_colour(const Column& column, ScalarType type) {
  constexpr auto names = std::to_array<std::string_view>({"red", "green", "blue", "nir"});
  return column.type() == ScalarType::uint8 && type == ScalarType::uint16 &&
         std::ranges::find(names, column.name) != names.end();
}

}  // namespace

bool can_convert(const Column& column, ScalarType type, unsigned bits) {
  if (column.type() == ScalarType::text) {
    return false;
  }
  return std::visit(
      [&]<class From>(const std::vector<From>& values) {
        if constexpr (!std::is_arithmetic_v<From>) {
          return false;
        } else {
          return with_number_type(type, [&]<class To>(std::type_identity<To>) {
            return std::ranges::all_of(values, [&](From value) {
              return is_same_as<To>(value) && (bits == 0 || static_cast<double>(value) < std::ldexp(1.0, int(bits)));
            });
          });
        }
      },
      column.values);
}

Column convert(const Column& column, ScalarType type) {
  Column result;  // not a copy: the values would be copied to be thrown away
  result.name = column.name;
  result.is_list = column.is_list;
  result.list_ends = column.list_ends;
  result.list_size_type = column.list_size_type;
  const bool is_colour = is_byte_colour(column, type);
  std::visit(
      [&]<class From>(const std::vector<From>& values) {
        if constexpr (std::is_arithmetic_v<From>) {
          with_number_type(type, [&]<class To>(std::type_identity<To>) {
            std::vector<To> converted(values.size());
            std::ranges::transform(values, converted.begin(), [&](From value) {
              return static_cast<To>(static_cast<To>(value) * static_cast<To>(is_colour ? 257 : 1));
            });
            result.values = std::move(converted);
          });
        }
      },
      column.values);
  return result;
}

}  // namespace burnish::io
