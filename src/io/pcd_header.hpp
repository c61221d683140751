#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/line_reader.hpp"
#include "io/records.hpp"

// The head of a PCD file, after the description in the documentation of the Point Cloud Library: lines of a keyword and
// its values, down to DATA.

namespace burnish::io {

enum class PcdEncoding : std::uint8_t { ascii, binary, compressed };

struct PcdHeader {
  PcdEncoding encoding = PcdEncoding::ascii;
  std::vector<RecordField> fields;  ///< padding, whose name is "_", among them
  std::size_t record_size = 0;
  std::uint64_t points = 0;
  std::uint64_t width = 0;
  std::uint64_t height = 1;

  /// Comments, and the viewpoint with that word before it unless it is the usual one: so it is found again when the
  /// cloud is written as PCD, and other formats keep it too.
  std::vector<std::string> comments;
};

inline constexpr std::string_view pcd_viewpoint = "VIEWPOINT";
inline constexpr std::string_view pcd_usual_viewpoint = "0 0 0 1 0 0 0";
inline constexpr std::string_view pcd_padding = "_";

/// Reads up to and including the line DATA. The number of points is not checked against the size of the file here.
[[nodiscard]] PcdHeader read_pcd_header(LineReader& lines);

}  // namespace burnish::io
