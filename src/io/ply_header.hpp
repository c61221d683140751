#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/line_reader.hpp"

// The head of a PLY file, after the description by Greg Turk (1994): elements in order, each with its number of rows
// and its properties in order.

namespace burnish::io {

enum class PlyEncoding : std::uint8_t { ascii, little_endian, big_endian };

struct PlyProperty {
  std::string name;
  ScalarType type = ScalarType::float32;
  bool is_list = false;
  ScalarType list_size_type = ScalarType::uint8;
};

struct PlyElement {
  std::string name;
  std::uint64_t rows = 0;
  std::vector<PlyProperty> properties;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;

  /// Comments, and obj_info lines with that word before them: it distinguishes the two when they are written again.
  std::vector<std::string> comments;
};

inline constexpr std::string_view ply_info = "obj_info";

/// Reads up to and including the line end_header. What a header declares is not checked against the size of the file
/// here.
[[nodiscard]] PlyHeader read_ply_header(LineReader& lines);

/// The name of a number type in a header that every reader understands.
[[nodiscard]] std::string_view ply_type_name(ScalarType type);

}  // namespace burnish::io
