#pragma once

#include <cstddef>
#include <span>

#include "burnish/point_cloud.hpp"

namespace burnish::io {

/// Colours in text files are either whole numbers up to 255 or parts of 1. If these columns, of double or int32, hold
/// whole numbers up to 255, they become bytes; columns of nothing but 0 and 1 stay, unless they are integers.
void make_bytes(std::span<Column> columns);

/// A colour as a part of 1: those of 16 bits are divided by 65535, other integers by 255.
[[nodiscard]] double part_of_one(const Column& column, std::size_t row);

}  // namespace burnish::io
