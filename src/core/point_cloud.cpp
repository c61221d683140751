#include "burnish/point_cloud.hpp"

#include <algorithm>
#include <type_traits>

namespace burnish {
namespace {

/// Copies a column of numbers to one coordinate of all normals; false if it is no such column.
bool copy_coordinate(const Column* column, Eigen::Index axis, std::vector<Vec3>& normals) {
  if (column == nullptr || column->is_list || column->rows() != normals.size()) {
    return false;
  }
  return std::visit(
      [&]<class T>(const std::vector<T>& values) {
        if constexpr (std::is_arithmetic_v<T>) {
          for (std::size_t i = 0; i < values.size(); ++i) {
            normals[i][axis] = static_cast<double>(values[i]);
          }
        }
        return std::is_arithmetic_v<T>;
      },
      column->values);
}

}  // namespace

std::size_t Column::rows() const {
  return is_list ? list_ends.size() : std::visit([](const auto& v) { return v.size(); }, values);
}

const Column* PointCloud::find_attribute(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, &Column::name);
  return found == attributes.end() ? nullptr : &*found;
}

std::vector<Vec3> normals_of(const PointCloud& cloud) {
  std::vector<Vec3> normals(cloud.size());
  for (const std::string prefix : {"n", "normal_"}) {
    if (copy_coordinate(cloud.find_attribute(prefix + "x"), 0, normals) &&
        copy_coordinate(cloud.find_attribute(prefix + "y"), 1, normals) &&
        copy_coordinate(cloud.find_attribute(prefix + "z"), 2, normals)) {
      return normals;
    }
  }
  return {};
}

}  // namespace burnish
