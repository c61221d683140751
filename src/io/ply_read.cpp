#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include "io/cloud_parts.hpp"
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
  read_ply_rows(lines, encoding, element, {0, element.rows}, fields);
  return table;
}

class PlyParts final : public CloudParts {
 public:
  explicit PlyParts(BlockReader& file) : lines_(file), header_(read_ply_header(lines_)) {
    const auto found = std::ranges::find(header_.elements, "vertex", &PlyElement::name);
    if (found == header_.elements.end()) {
      file.fail("the PLY header has no element \"vertex\", so there are no points");
    }
    vertex_ = static_cast<std::size_t>(found - header_.elements.begin());
    for (std::size_t e = 0; e < vertex_; ++e) {
      tables_before_.push_back(read_table(lines_, header_.encoding, header_.elements[e]));
    }
    position_type_ = position_type(file, *found);
    check_ply_rows(file, header_.encoding, *found);
    points_ = found->rows;
    start_ = file.offset();
  }

  void read_tail(PointCloud& cloud) override {
    cloud.tables = std::move(tables_before_);
    for (std::size_t e = vertex_ + 1; e < header_.elements.size(); ++e) {
      cloud.tables.push_back(read_table(lines_, header_.encoding, header_.elements[e]));
    }
  }

  [[nodiscard]] std::vector<Table> table_shapes() const override {
    std::vector<Table> shapes;
    for (std::size_t e = 0; e < header_.elements.size(); ++e) {
      if (e != vertex_) {
        shapes.push_back({header_.elements[e].name, header_.elements[e].rows, {}});
        for (const PlyProperty& property : header_.elements[e].properties) {
          shapes.back().columns.push_back(make_column(property, 0));
        }
      }
    }
    return shapes;
  }

  [[nodiscard]] bool has_unequal_lists() const override {
    return std::ranges::any_of(header_.elements[vertex_].properties, &PlyProperty::is_list);
  }

 private:
  [[nodiscard]] PointCloud read_rows(std::uint64_t first, std::size_t count) override {
    const PlyElement& element = header_.elements[vertex_];
    PointCloud cloud;
    cloud.comments = header_.comments;
    cloud.position_type = position_type_;
    cloud.positions.resize(count);
    cloud.attributes.reserve(element.properties.size());  // fields point into it
    std::vector<PlyField> fields;
    for (const PlyProperty& property : element.properties) {
      if (const std::size_t axis = axis_of(property); axis < 3) {
        fields.push_back({property.type, axis_values(cloud, axis), nullptr});
      } else {
        cloud.attributes.push_back(make_column(property, count));
        fields.push_back(field_of(cloud.attributes.back()));
      }
    }
    read_ply_rows(lines_, header_.encoding, element, {first, first + count}, fields);
    return cloud;
  }

  void go_back() override { lines_.file().seek(start_); }

  LineReader lines_;
  PlyHeader header_;
  std::uint64_t start_ = 0;  ///< of the points
  std::size_t vertex_ = 0;   ///< which element the points are
  ScalarType position_type_ = ScalarType::float64;
  std::vector<Table> tables_before_;
};

}  // namespace

std::unique_ptr<CloudParts> ply_parts(BlockReader& file) { return std::make_unique<PlyParts>(file); }

PointCloud read_ply(BlockReader& file) { return read_all(*ply_parts(file)); }

}  // namespace burnish::io
