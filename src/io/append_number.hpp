#pragma once

#include <charconv>
#include <cstddef>

#include "burnish/point_cloud.hpp"
#include "io/block_writer.hpp"

// Numbers in the text files burnish writes, whatever the locale.

namespace burnish::io {

/// The shortest digits that give the same number again.
template <class T>
void append_number(BlockWriter& file, T value) {
  constexpr std::size_t longest = 32;
  char* const room = file.room(longest);
  file.take(static_cast<std::size_t>(std::to_chars(room, room + longest, value).ptr - room));
}

/// A coordinate, with the digits of a float if that is what the cloud's file held.
inline void append_coordinate(BlockWriter& file, const PointCloud& cloud, std::size_t row, Eigen::Index axis) {
  const double value = cloud.positions[row][axis];
  if (cloud.position_type == ScalarType::float32) {
    append_number(file, static_cast<float>(value));
  } else {
    append_number(file, value);
  }
}

/// The value of a column of numbers.
inline void append_number(BlockWriter& file, const Column& column, std::size_t row) {
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        if constexpr (std::is_arithmetic_v<T>) {
          append_number(file, values[row]);
        }
      },
      column.values);
}

/// The three coordinates, separated by blanks.
inline void append_position(BlockWriter& file, const PointCloud& cloud, std::size_t row) {
  for (const Eigen::Index axis : {0, 1, 2}) {
    if (axis > 0) {
      file.append(" ");
    }
    append_coordinate(file, cloud, row, axis);
  }
}

}  // namespace burnish::io
