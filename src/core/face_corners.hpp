#pragma once

#include "burnish/point_cloud.hpp"

namespace burnish {

/// True for the column of a table of faces that lists their corners, by either of the names it has in PLY files.
[[nodiscard]] inline bool lists_corners(const Column& column) {
  return column.is_list && (column.name == "vertex_indices" || column.name == "vertex_index");
}

}  // namespace burnish
