#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "io/append_number.hpp"
#include "io/colours.hpp"
#include "io/face_table.hpp"
#include "io/formats.hpp"

namespace burnish::io {

void write_off(BlockWriter& file, const PointCloud& cloud) {
  constexpr std::array<const char*, 6> names = {"nx", "ny", "nz", "red", "green", "blue"};
  std::array<const Column*, 6> columns{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns[i] = cloud.find_attribute(names[i]);
    if (columns[i] != nullptr && (columns[i]->is_list || columns[i]->type() == ScalarType::text)) {
      columns[i] = nullptr;
    }
    if (columns[i] != nullptr && columns[i]->rows() != cloud.size()) {
      file.fail(fmt::format("column {} has {} rows, expected {}", names[i], columns[i]->rows(), cloud.size()));
    }
  }
  // Three together or none.
  for (const std::size_t first : {0U, 3U}) {
    if (columns[first] == nullptr || columns[first + 1] == nullptr || columns[first + 2] == nullptr) {
      columns[first] = columns[first + 1] = columns[first + 2] = nullptr;
    }
  }
  const Column* const faces = find_faces(cloud);
  file.expect_rows(cloud.size());
  file.append(fmt::format("{}{}OFF\n", columns[3] == nullptr ? "" : "C", columns[0] == nullptr ? "" : "N"));
  for (std::string comment : cloud.comments) {
    std::ranges::replace_if(
        comment, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    file.append("# " + comment + '\n');
  }
  file.append(fmt::format("{} {} 0\n", cloud.size(), faces == nullptr ? 0 : faces->rows()));
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    append_position(file, cloud, row);
    for (const Column* column : columns) {
      if (column == nullptr) {
        continue;
      }
      file.append(" ");
      if (column->type() == ScalarType::uint16) {
        append_number(file, static_cast<float>(part_of_one(*column, row)));
      } else {
        append_number(file, *column, row);
      }
    }
    file.append("\n");
    file.rows_done(1);
  }
  for (std::size_t face = 0; faces != nullptr && face < faces->rows(); ++face) {
    append_number(file, faces->list_ends[face] - (face == 0 ? 0 : faces->list_ends[face - 1]));
    for_each_corner(*faces, face, [&](std::int64_t corner) {
      file.append(" ");
      append_number(file, corner);
    });
    file.append("\n");
  }
}

}  // namespace burnish::io
