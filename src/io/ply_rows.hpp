#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/line_reader.hpp"
#include "io/ply_header.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {

/// Some rows of an element, from `begin` up to `end`.
struct PlyRows {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A property and where its values go: a list is appended to its column; those of a plain property go to the places of
/// `target`, where there is room for all rows that are read.
struct PlyField {
  ScalarType type = ScalarType::float32;
  Strided<char> target;
  Column* list = nullptr;
};

/// Throws Error if the rest of the file cannot hold the rows an element declares: nothing may be allocated before.
void check_ply_rows(BlockReader& file, PlyEncoding encoding, const PlyElement& element);

/// Reads the next rows of an element into its fields, one for each of its properties.
void read_ply_rows(LineReader& lines, PlyEncoding encoding, const PlyElement& element, const PlyRows& rows,
                   const std::vector<PlyField>& fields);

}  // namespace burnish::io
