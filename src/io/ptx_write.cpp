#include <fmt/format.h>

#include <array>

#include "io/append_number.hpp"
#include "io/colours.hpp"
#include "io/formats.hpp"

// One scan, without a transformation. ptx_read.cpp explains the lines.

namespace burnish::io {

void write_ptx(BlockWriter& file, const PointCloud& cloud) {
  const std::array<const Column*, 4> columns = find_echo_columns(file, cloud);
  const bool has_colours = columns[1] != nullptr && columns[2] != nullptr && columns[3] != nullptr;
  const bool is_organised = cloud.height > 0 && cloud.size() == cloud.width * cloud.height;
  file.expect_rows(cloud.size());
  file.append(is_organised ? fmt::format("{}\n{}\n", cloud.height, cloud.width) : fmt::format("1\n{}\n", cloud.size()));
  file.append("0 0 0\n1 0 0\n0 1 0\n0 0 1\n");          // place and axes of the scanner
  file.append("1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");  // the transformation
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    if (is_finite(cloud.positions[row])) {
      append_position(file, cloud, row);
    } else {
      file.append("0 0 0");
    }
    file.append(" ");
    if (columns[0] != nullptr) {
      append_number(file, *columns[0], row);
    } else {
      file.append("0");  // the format wants one, and it comes before the colour
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
