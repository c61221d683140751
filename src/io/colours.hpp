#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "burnish/point_cloud.hpp"
#include "io/block_writer.hpp"

namespace burnish::io {

/// The columns of PTS and PTX files after the coordinates.
inline constexpr std::array<std::string_view, 4> echo_columns = {"intensity", "red", "green", "blue"};

/// Those columns of a cloud, in this order, to be written as numbers: nullptr if there is none, or if it holds lists or
/// text. Throws Error if one has another number of rows than the cloud has points.
[[nodiscard]] std::array<const Column*, 4> find_echo_columns(const BlockWriter& file, const PointCloud& cloud);

/// Colours in text files are either whole numbers up to 255 or parts of 1. If these columns, of double or int32, hold
/// whole numbers up to 255, they become bytes; columns of nothing but 0 and 1 stay, unless they are integers.
void make_bytes(std::span<Column> columns);

/// A colour as a part of 1: those of 16 bits are divided by 65535, other integers by 255.
[[nodiscard]] double part_of_one(const Column& column, std::size_t row);

}  // namespace burnish::io
