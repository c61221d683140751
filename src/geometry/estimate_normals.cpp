#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

#include "burnish/neighbours.hpp"
#include "burnish/normals.hpp"
#include "geometry/normals.hpp"
#include "geometry/working_points.hpp"

namespace burnish {
namespace {

constexpr std::size_t neighbours_to_fit = 16;
constexpr std::size_t neighbours_to_orient = 10;
using Names = std::array<std::string_view, 3>;
constexpr std::array<Names, 2> known_names{{{"nx", "ny", "nz"}, {"normal_x", "normal_y", "normal_z"}}};

/// The names of the attributes with the normals of a cloud; nullptr if it has none.
const Names* names_in(const PointCloud& cloud) {
  const auto has_all = [&](const Names& names) {
    return std::ranges::all_of(names, [&](std::string_view name) { return cloud.find_attribute(name) != nullptr; });
  };
  const auto found = std::ranges::find_if(known_names, has_all);
  return found == known_names.end() || normals_of(cloud).empty() ? nullptr : &*found;
}

}  // namespace

std::vector<Vec3> estimate_normals(std::span<const Vec3> positions, std::span<const Vec3> before,
                                   const std::optional<Vec3>& viewpoint, const ExecutionContext& context) {
  std::vector<Vec3> result(positions.size(), Vec3::Zero());
  const WorkingPoints working = working_points(positions, context);
  if (working.points.size() < 3) {
    return result;
  }
  const NeighbourSearch search(working.points, context);
  const Neighbourhoods neighbourhoods(working.points, search, neighbours_to_fit, context);
  std::vector<Vec3> normals = estimate_normals(working.points, neighbourhoods, neighbours_to_fit, context);
  if (before.empty() && !viewpoint) {
    orient_normals(working.points, normals, neighbourhoods, neighbours_to_orient, Orientation::along_arc, context);
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!is_finite(positions[i])) {
      continue;
    }
    const Vec3& normal = normals[working.place[i]];
    const Vec3 wanted = !before.empty() ? before[i] : viewpoint ? Vec3(*viewpoint - positions[i]) : normal;
    result[i] = normal.dot(wanted) < 0.0 ? Vec3(-normal) : normal;
  }
  return result;
}

void set_normals(PointCloud& cloud, std::span<const Vec3> normals) {
  if (names_in(cloud) == nullptr) {
    for (const std::string_view name : known_names[0]) {
      Column column;
      column.name = name;
      column.values = std::vector<float>(cloud.size());
      cloud.attributes.push_back(std::move(column));
    }
  }
  const Names& names = *names_in(cloud);
  for (int axis = 0; axis < 3; ++axis) {
    const auto column = std::ranges::find(cloud.attributes, names[static_cast<std::size_t>(axis)], &Column::name);
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          if constexpr (std::is_floating_point_v<T>) {
            for (std::size_t i = 0; i < normals.size(); ++i) {
              values[i] = static_cast<T>(normals[i][axis]);
            }
          }
        },
        column->values);
  }
}

bool remove_normals(PointCloud& cloud) {
  const Names* const names = names_in(cloud);
  if (names == nullptr) {
    return false;
  }
  std::erase_if(cloud.attributes,
                [&](const Column& column) { return std::ranges::find(*names, column.name) != names->end(); });
  return true;
}

}  // namespace burnish
