#pragma once

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "burnish/point_cloud.hpp"

// From a scalar type known only at run time to the C++ type, in one place.

namespace burnish::io {

/// Calls f(std::type_identity<T>{}) with the C++ type of a number type. Text is not a number: the caller has dealt with
/// it before.
template <class F>
decltype(auto) with_number_type(ScalarType type, F&& f) {
  switch (type) {
    case ScalarType::int8:
      return f(std::type_identity<std::int8_t>{});
    case ScalarType::uint8:
      return f(std::type_identity<std::uint8_t>{});
    case ScalarType::int16:
      return f(std::type_identity<std::int16_t>{});
    case ScalarType::uint16:
      return f(std::type_identity<std::uint16_t>{});
    case ScalarType::int32:
      return f(std::type_identity<std::int32_t>{});
    case ScalarType::uint32:
      return f(std::type_identity<std::uint32_t>{});
    case ScalarType::int64:
      return f(std::type_identity<std::int64_t>{});
    case ScalarType::uint64:
      return f(std::type_identity<std::uint64_t>{});
    case ScalarType::float32:
      return f(std::type_identity<float>{});
    case ScalarType::float64:
      return f(std::type_identity<double>{});
    case ScalarType::text:
      break;
  }
  throw std::logic_error("text is not a number type");
}

/// Bytes of one value of a number type.
[[nodiscard]] inline std::size_t scalar_size(ScalarType type) {
  return with_number_type(type, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

[[nodiscard]] inline bool is_float(ScalarType type) {
  return type == ScalarType::float32 || type == ScalarType::float64;
}

/// An empty column of numbers of that type.
[[nodiscard]] inline Values make_values(ScalarType type) {
  return with_number_type(type, []<class T>(std::type_identity<T>) { return Values(std::vector<T>()); });
}

}  // namespace burnish::io
