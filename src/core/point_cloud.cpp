#include "burnish/point_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/face_corners.hpp"

namespace burnish {
namespace {

std::size_t row_begin(const Column& column, std::size_t row) {
  return !column.is_list ? row : row == 0 ? 0 : column.list_ends[row - 1];
}

std::size_t row_end(const Column& column, std::size_t row) { return column.is_list ? column.list_ends[row] : row + 1; }

/// Renumbers the corners of faces. False for faces with a removed corner.
std::vector<bool> renumber(Column& corners, const std::vector<bool>& keep, const std::vector<std::size_t>& number) {
  std::vector<bool> whole(corners.rows(), true);
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        if constexpr (std::is_arithmetic_v<T>) {
          for (std::size_t face = 0; face < whole.size(); ++face) {
            for (std::size_t i = row_begin(corners, face); i < row_end(corners, face); ++i) {
              const bool exists =
                  values[i] >= T{0} && static_cast<double>(values[i]) < static_cast<double>(keep.size());
              const std::size_t corner = exists ? static_cast<std::size_t>(values[i]) : 0;
              whole[face] = whole[face] && exists && keep[corner];
              values[i] = whole[face] ? static_cast<T>(number[corner]) : values[i];
            }
          }
        }
      },
      corners.values);
  return whole;
}

}  // namespace

std::size_t Column::rows() const {
  return is_list ? list_ends.size() : std::visit([](const auto& v) { return v.size(); }, values);
}

const Column* PointCloud::find_attribute(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, &Column::name);
  return found == attributes.end() ? nullptr : &*found;
}

std::optional<std::vector<double>> numbers_of(const PointCloud& cloud, std::string_view name) {
  const Column* const column = cloud.find_attribute(name);
  if (column == nullptr || column->is_list || column->rows() != cloud.size()) {
    return std::nullopt;
  }
  return std::visit(
      []<class T>(const std::vector<T>& values) -> std::optional<std::vector<double>> {
        if constexpr (std::is_arithmetic_v<T>) {
          return std::vector<double>(values.begin(), values.end());
        } else {
          return std::nullopt;
        }
      },
      column->values);
}

std::vector<Vec3> normals_of(const PointCloud& cloud) {
  for (const std::string prefix : {"n", "normal_"}) {
    const auto x = numbers_of(cloud, prefix + "x");
    const auto y = numbers_of(cloud, prefix + "y");
    const auto z = numbers_of(cloud, prefix + "z");
    if (x && y && z) {
      std::vector<Vec3> normals(cloud.size());
      for (std::size_t i = 0; i < normals.size(); ++i) {
        normals[i] = {(*x)[i], (*y)[i], (*z)[i]};
      }
      return normals;
    }
  }
  return {};
}

void keep_rows(Column& column, const std::vector<bool>& keep) {
  std::visit(
      [&](auto& values) {
        std::size_t next = 0;
        std::size_t rows = 0;
        std::size_t begin = 0;
        for (std::size_t row = 0; row < keep.size(); ++row) {
          const std::size_t end = row_end(column, row);
          if (keep[row]) {
            if (next != begin) {  // a string moved onto itself would be empty
              std::move(values.begin() + static_cast<std::ptrdiff_t>(begin),
                        values.begin() + static_cast<std::ptrdiff_t>(end),
                        values.begin() + static_cast<std::ptrdiff_t>(next));
            }
            next += end - begin;
            if (column.is_list) {
              column.list_ends[rows] = next;
            }
            ++rows;
          }
          begin = end;
        }
        values.resize(next);
        if (column.is_list) {
          column.list_ends.resize(rows);
        }
      },
      column.values);
}

void keep_points(PointCloud& cloud, const std::vector<bool>& keep) {
  std::vector<std::size_t> number(keep.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    number[i] = next;
    if (keep[i]) {
      cloud.positions[next++] = cloud.positions[i];
    }
  }
  if (next == keep.size()) {
    return;
  }
  cloud.positions.resize(next);
  cloud.width = cloud.height = 0;
  for (Column& column : cloud.attributes) {
    keep_rows(column, keep);
  }
  for (Table& table : cloud.tables) {
    const auto corners = std::ranges::find_if(table.columns, lists_corners);
    if (corners == table.columns.end()) {
      continue;
    }
    const std::vector<bool> whole = renumber(*corners, keep, number);
    for (Column& column : table.columns) {
      keep_rows(column, whole);
    }
    table.rows = static_cast<std::size_t>(std::ranges::count(whole, true));
  }
}

}  // namespace burnish
