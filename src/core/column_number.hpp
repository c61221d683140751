#pragma once

#include <cstddef>
#include <type_traits>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// The value of a plain column in a row; 0 for text.
[[nodiscard]] inline double number_at(const Column& column, std::size_t row) {
  return std::visit(
      [&]<class T>(const std::vector<T>& values) {
        if constexpr (std::is_arithmetic_v<T>) {
          return static_cast<double>(values[row]);
        } else {
          return 0.0;
        }
      },
      column.values);
}

}  // namespace burnish
