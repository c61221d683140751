#include "io/face_table.hpp"

#include <algorithm>
#include <utility>

#include "core/face_corners.hpp"
#include "io/scalar.hpp"

namespace burnish::io {

Table FaceTable::take() {
  std::size_t longest = 0;
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    longest = std::max(longest, end - begin);
    begin = end;
  }
  Column column;
  column.name = "vertex_indices";
  column.is_list = true;
  column.list_size_type = longest <= 255 ? ScalarType::uint8 : ScalarType::int32;
  Table table;
  table.name = "face";
  table.rows = ends_.size();
  column.list_ends = std::move(ends_);
  column.values = std::move(corners_);
  table.columns.push_back(std::move(column));
  return table;
}

const Column* find_faces(const PointCloud& cloud) {
  const auto table = std::ranges::find(cloud.tables, "face", &Table::name);
  if (table == cloud.tables.end()) {
    return nullptr;
  }
  const auto column = std::ranges::find_if(table->columns, [](const Column& one) {
    return lists_corners(one) && one.type() != ScalarType::text && !is_float(one.type());
  });
  return column == table->columns.end() ? nullptr : &*column;
}

}  // namespace burnish::io
