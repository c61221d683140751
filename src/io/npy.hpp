#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/block_reader.hpp"
#include "io/records.hpp"

// NumPy's file format, after NEP 1: a short text that is a Python dictionary with type, order and shape, then the bare
// values of one array.

namespace burnish::io {

struct NpyHeader {
  std::vector<std::uint64_t> shape;
  bool is_column_major = false;
  bool swap = false;
  bool is_half = false;             ///< floats of 16 bits, read as floats of 32
  std::vector<RecordField> fields;  ///< of a structured type; of any other, one field without a name
  bool is_structured = false;
  std::size_t item_size = 0;

  /// Product of the first dimensions but the last `without` ones: number of rows.
  [[nodiscard]] std::uint64_t rows(std::size_t without) const;
};

/// The head of a file, up to its values, for values of a type and shape as NumPy writes them: "'<f8'", "5, 3".
[[nodiscard]] std::string npy_head(const std::string& type, const std::string& shape);

/// How NumPy names a type: "<f8".
[[nodiscard]] std::string npy_type_name(ScalarType type);

/// A name of plain letters and signs, without quotes and slashes.
[[nodiscard]] std::string npy_name(const std::string& name);

/// "5," or, of an organised cloud, "3, 4".
[[nodiscard]] std::string npy_shape(const PointCloud& cloud);

/// Reads up to the values, and checks that the file is long enough for them.
[[nodiscard]] NpyHeader read_npy_header(BlockReader& file);

/// The points in an array of N × 3 or more, H × W × 3 or more, or of a structured type with fields x, y and z.
[[nodiscard]] PointCloud read_npy_points(BlockReader& file, const NpyHeader& header);

/// An array of N or N × k values as a column of N rows.
[[nodiscard]] Column read_npy_column(BlockReader& file, const NpyHeader& header, std::string name);

}  // namespace burnish::io
