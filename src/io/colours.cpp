#include "io/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace burnish::io {

std::array<const Column*, 4> find_echo_columns(const BlockWriter& file, const PointCloud& cloud) {
  std::array<const Column*, 4> columns{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column* const column = cloud.find_attribute(echo_columns[i]);
    if (column != nullptr && column->rows() != cloud.size()) {
      file.fail(fmt::format("column {} has {} rows, expected {}", echo_columns[i], column->rows(), cloud.size()));
    }
    const bool is_number = column != nullptr && !column->is_list && column->type() != ScalarType::text;
    columns[i] = is_number ? column : nullptr;
  }
  return columns;
}

void make_bytes(std::span<Column> columns) {
  const auto is_byte = [](auto v) {
    const auto value = static_cast<double>(v);
    return value >= 0.0 && value <= 255.0 && value == std::trunc(value);
  };
  bool above_one = false;
  for (const Column& column : columns) {
    const bool all_bytes = std::visit(
        [&]<class T>(const std::vector<T>& values) {
          if constexpr (std::is_arithmetic_v<T>) {
            above_one = above_one || std::is_integral_v<T> || std::ranges::any_of(values, [](T v) { return v > T{1}; });
            return std::ranges::all_of(values, is_byte);
          } else {
            return false;
          }
        },
        column.values);
    if (!all_bytes) {
      return;
    }
  }
  for (Column& column : columns) {
    if (!above_one) {
      return;
    }
    std::vector<std::uint8_t> bytes(column.rows());
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          if constexpr (std::is_arithmetic_v<T>) {
            std::ranges::transform(values, bytes.begin(), [](T v) { return static_cast<std::uint8_t>(v); });
          }
        },
        column.values);
    column.values = std::move(bytes);
  }
}

double part_of_one(const Column& column, std::size_t row) {
  return std::visit(
      [&]<class T>(const std::vector<T>& values) {
        if constexpr (std::is_integral_v<T>) {
          return static_cast<double>(values[row]) / (std::is_same_v<T, std::uint16_t> ? 65535.0 : 255.0);
        } else if constexpr (std::is_floating_point_v<T>) {
          return static_cast<double>(values[row]);
        } else {
          return 0.0;
        }
      },
      column.values);
}

}  // namespace burnish::io
