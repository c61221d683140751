#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

// Algebra for a Number that is a double or a vector of doubles whose lanes are separate problems. There are no branches
// on values, and every lane does what a double would do: results do not depend on how many lanes there are.

namespace burnish {

template <class Number>
inline constexpr std::size_t lane_count = sizeof(Number) / sizeof(double);

/// The number at place i of an array that holds, place by place, those of all lanes.
template <class Number>
[[gnu::always_inline]] inline Number load(const double* array, std::size_t i) {
  Number number;
  std::memcpy(&number, array + i * lane_count<Number>, sizeof(Number));
  return number;
}

template <class Number>
[[gnu::always_inline]] inline void store(const Number& number, double* array, std::size_t i) {
  std::memcpy(array + i * lane_count<Number>, &number, sizeof(Number));
}

template <class Number>
[[gnu::always_inline]] inline Number root(const Number& x) {
  if constexpr (std::is_same_v<Number, double>) {
    return std::sqrt(x);
  } else {
    Number result;
    for (std::size_t lane = 0; lane < lane_count<Number>; ++lane) {
      result[lane] = std::sqrt(x[lane]);
    }
    return result;
  }
}

template <class Number>
[[gnu::always_inline]] inline Number size_of(const Number& x) {
  return x < 0.0 ? -x : x;
}

template <class Number>
[[gnu::always_inline]] inline Number larger_of(const Number& a, const Number& b) {
  return a < b ? b : a;
}

template <class Number>
[[gnu::always_inline]] inline Number smaller_of(const Number& a, const Number& b) {
  return b < a ? b : a;
}

/// Whether a condition holds in any lane.
template <class Mask>
[[gnu::always_inline]] inline bool is_any(const Mask& mask) {
  if constexpr (std::is_same_v<Mask, bool>) {
    return mask;
  } else {
    long long any = 0;
    for (std::size_t lane = 0; lane < lane_count<Mask>; ++lane) {
      any |= mask[lane];
    }
    return any != 0;
  }
}

template <class Number>
struct Triple {
  Number x;
  Number y;
  Number z;
};

template <class Number>
[[gnu::always_inline]] inline Number dot(const Triple<Number>& a, const Triple<Number>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class Number>
[[gnu::always_inline]] inline Triple<Number> cross(const Triple<Number>& a, const Triple<Number>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class Number>
[[gnu::always_inline]] inline Triple<Number> times(const Number& factor, const Triple<Number>& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}

}  // namespace burnish
