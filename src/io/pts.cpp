#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "io/append_number.hpp"
#include "io/colours.hpp"
#include "io/formats.hpp"
#include "io/text_layout.hpp"

// PTS, as Leica's programs write it: the number of points, then a line for each of x, y, z, perhaps the strength of the
// echo, perhaps a colour in bytes.

namespace burnish::io {

PointCloud read_pts(BlockReader& file) {
  PointCloud cloud = read_text(file);
  const std::size_t columns = cloud.attributes.size();
  const bool has_intensity = columns == 1 || columns == 4;
  if (!has_intensity && columns != 3) {
    return cloud;  // not the usual columns: what they mean is not guessed
  }
  for (std::size_t i = 0; i < columns; ++i) {
    if (cloud.attributes[i].name != default_column_name(i + 3)) {
      return cloud;
    }
  }
  for (std::size_t i = 0; i < columns; ++i) {
    cloud.attributes[i].name = echo_columns[i + (has_intensity ? 0 : 1)];
  }
  if (columns > 1) {
    make_bytes(std::span(cloud.attributes).last(3));
  }
  return cloud;
}

void write_pts(BlockWriter& file, const PointCloud& cloud) {
  const std::array<const Column*, 4> columns = find_echo_columns(file, cloud);
  const bool has_colours = columns[1] != nullptr && columns[2] != nullptr && columns[3] != nullptr;
  file.expect_rows(cloud.size());
  file.append(fmt::format("{}\n", cloud.size()));
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    append_position(file, cloud, row);
    if (columns[0] != nullptr) {
      file.append(" ");
      append_number(file, *columns[0], row);
    }
    for (std::size_t i = 1; has_colours && i < columns.size(); ++i) {
      file.append(" ");
      append_number(file, *columns[i], row);
    }
    file.append("\n");
    file.rows_done(1);
  }
}

}  // namespace burnish::io
