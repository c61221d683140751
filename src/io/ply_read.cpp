#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include "io/formats.hpp"
#include "io/ply_rows.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};

/// 0, 1, 2 for a coordinate, 3 for anything else.
std::size_t axis_of(const PlyProperty& property) {
  return static_cast<std::size_t>(std::ranges::find(axis_names, property.name) - axis_names.begin());
}

Column make_column(const PlyProperty& property, std::size_t rows) {
  Column column;
  column.name = property.name;
  column.values = make_values(property.type);
  column.is_list = property.is_list;
  if (property.is_list) {
    column.list_size_type = property.list_size_type;
    column.list_ends.reserve(rows);
  } else {
    std::visit([&](auto& values) { values.resize(rows); }, column.values);
  }
  return column;
}

PlyField field_of(Column& column) {
  PlyField field;
  field.type = column.type();
  if (column.is_list) {
    field.list = &column;
  } else {
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          field.target = {reinterpret_cast<char*>(values.data()), sizeof(T), column.type()};
        },
        column.values);
  }
  return field;
}

/// The type to give positions back in: that of the file, or double if its coordinates differ in type.
ScalarType position_type(const BlockReader& file, const PlyElement& vertex) {
  std::array<const PlyProperty*, 3> axes{};
  for (const PlyProperty& property : vertex.properties) {
    if (const std::size_t axis = axis_of(property); axis < 3) {
      axes[axis] = &property;
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (axes[axis] == nullptr || axes[axis]->is_list) {
      file.fail(fmt::format("element \"vertex\" {} {}, so its points have no position",
                            axes[axis] == nullptr ? "has no property" : "has a list as property", axis_names[axis]));
    }
  }
  const bool same = axes[0]->type == axes[1]->type && axes[1]->type == axes[2]->type;
  return same ? axes[0]->type : ScalarType::float64;
}

void read_vertices(LineReader& lines, PlyEncoding encoding, const PlyElement& element, PointCloud& cloud) {
  cloud.position_type = position_type(lines.file(), element);
  check_ply_rows(lines.file(), encoding, element);
  cloud.positions.resize(element.rows);
  cloud.attributes.reserve(element.properties.size());  // fields point into it
  std::vector<PlyField> fields;
  for (const PlyProperty& property : element.properties) {
    if (const std::size_t axis = axis_of(property); axis < 3) {
      fields.push_back({property.type, axis_values(cloud, axis), nullptr});
    } else {
      cloud.attributes.push_back(make_column(property, element.rows));
      fields.push_back(field_of(cloud.attributes.back()));
    }
  }
  read_ply_rows(lines, encoding, element, fields);
}

Table read_table(LineReader& lines, PlyEncoding encoding, const PlyElement& element) {
  check_ply_rows(lines.file(), encoding, element);
  Table table;
  table.name = element.name;
  table.rows = element.rows;
  table.columns.reserve(element.properties.size());
  std::vector<PlyField> fields;
  for (const PlyProperty& property : element.properties) {
    table.columns.push_back(make_column(property, element.rows));
    fields.push_back(field_of(table.columns.back()));
  }
  read_ply_rows(lines, encoding, element, fields);
  return table;
}

}  // namespace

PointCloud read_ply(BlockReader& file) {
  LineReader lines(file);
  PlyHeader header = read_ply_header(lines);
  if (std::ranges::find(header.elements, "vertex", &PlyElement::name) == header.elements.end()) {
    file.fail("the PLY header has no element \"vertex\", so there are no points");
  }
  PointCloud cloud;
  cloud.comments = std::move(header.comments);
  for (const PlyElement& element : header.elements) {
    if (element.name == "vertex") {
      read_vertices(lines, header.encoding, element, cloud);
    } else {
      cloud.tables.push_back(read_table(lines, header.encoding, element));
    }
  }
  return cloud;
}

}  // namespace burnish::io
