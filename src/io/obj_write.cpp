#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "io/append_number.hpp"
#include "io/colours.hpp"
#include "io/face_table.hpp"
#include "io/formats.hpp"

namespace burnish::io {
namespace {

/// Three attributes that belong together, if all are there and hold numbers.
using Triple = std::array<const Column*, 3>;

Triple find_triple(const BlockWriter& file, const PointCloud& cloud, std::array<const char*, 3> names) {
  Triple columns{};
  for (std::size_t i = 0; i < 3; ++i) {
    columns[i] = cloud.find_attribute(names[i]);
    if (columns[i] == nullptr || columns[i]->is_list || columns[i]->type() == ScalarType::text) {
      return {};
    }
    if (columns[i]->rows() != cloud.size()) {
      file.fail(fmt::format("column {} has {} rows, expected {}", names[i], columns[i]->rows(), cloud.size()));
    }
  }
  return columns;
}

void append_comments(BlockWriter& file, const std::vector<std::string>& comments) {
  for (std::string comment : comments) {
    std::ranges::replace_if(
        comment, [](char c) { return c == '\n' || c == '\r' || c == '\\'; }, ' ');
    file.append("# " + comment + '\n');
  }
}

}  // namespace

void write_obj(BlockWriter& file, const PointCloud& cloud) {
  const Triple colours = find_triple(file, cloud, {"red", "green", "blue"});
  const Triple normals = find_triple(file, cloud, {"nx", "ny", "nz"});
  const Column* const faces = find_faces(cloud);
  file.expect_rows(cloud.size());
  append_comments(file, cloud.comments);
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    if (normals[0] != nullptr) {
      file.append("vn");
      for (const Column* column : normals) {
        file.append(" ");
        append_number(file, *column, row);
      }
      file.append("\n");
    }
    file.append("v ");
    append_position(file, cloud, row);
    for (const Column* column : colours) {
      if (column != nullptr) {
        file.append(" ");
        append_number(file, static_cast<float>(part_of_one(*column, row)));
      }
    }
    file.append("\n");
    file.rows_done(1);
  }
  for (std::size_t face = 0; faces != nullptr && face < faces->rows(); ++face) {
    file.append("f");
    for_each_corner(*faces, face, [&](std::int64_t corner) {
      file.append(" ");
      append_number(file, corner + 1);
      if (normals[0] != nullptr) {
        file.append("//");
        append_number(file, corner + 1);
      }
    });
    file.append("\n");
  }
}

}  // namespace burnish::io
