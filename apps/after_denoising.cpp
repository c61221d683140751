#include "after_denoising.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <type_traits>
#include <variant>

#include "burnish/normals.hpp"

namespace burnish::cli {

std::vector<bool> points_to_keep(const std::vector<bool>& selected, const std::vector<Diagnostic>& diagnostics) {
  std::vector<bool> keep(selected.size(), true);
  const auto found = std::ranges::find(diagnostics, "outliers", &Diagnostic::name);
  if (found != diagnostics.end()) {
    for (const std::uint32_t i : std::get<std::vector<std::uint32_t>>(found->value)) {
      keep[i] = !selected[i];
    }
  }
  return keep;
}

namespace {

void set_attribute(PointCloud& cloud, Column column) {
  std::erase_if(cloud.attributes, [&](const Column& other) { return other.name == column.name; });
  cloud.attributes.push_back(std::move(column));
}

/// Gives points that are not kept the class that LAS has for noise. The values may be of any type: text files have
/// theirs as doubles. False if they are not one number per point.
bool set_low_points(Column& classes, const std::vector<bool>& keep) {
  if (classes.is_list || classes.rows() != keep.size()) {
    return false;
  }
  return std::visit(
      [&]<class T>(std::vector<T>& values) {
        if constexpr (std::is_arithmetic_v<T>) {
          constexpr T low_point = 7;
          for (std::size_t i = 0; i < keep.size(); ++i) {
            values[i] = keep[i] ? values[i] : low_point;
          }
          return true;
        } else {
          return false;
        }
      },
      classes.values);
}

}  // namespace

void mark_points(PointCloud& cloud, const std::vector<bool>& keep, const std::string& output) {
  const std::string ending = CLI::detail::to_lower(std::filesystem::path(output).extension().string());
  const bool has_classes = cloud.format_data.contains("las header") || ending == ".las" || ending == ".laz";
  auto classes = std::ranges::find(cloud.attributes, "classification", &Column::name);
  if (has_classes && classes == cloud.attributes.end()) {
    cloud.attributes.push_back({"classification", std::vector<std::uint8_t>(cloud.size()), {}});
    classes = std::prev(cloud.attributes.end());
  }
  if (!has_classes || !set_low_points(*classes, keep)) {
    std::vector<std::uint8_t> marks(cloud.size(), 0);
    std::ranges::transform(keep, marks.begin(), [](bool is_kept) { return is_kept ? 0 : 1; });
    set_attribute(cloud, {"outlier", std::move(marks), {}});
  }
}

void add_attributes(PointCloud& cloud, std::vector<Column> attributes, const std::vector<std::string>& wanted,
                    const std::vector<bool>& has_moved) {
  for (Column& column : attributes) {
    if (std::ranges::find(wanted, column.name) == wanted.end()) {
      continue;
    }
    if (column.name == "moved") {
      auto& distances = std::get<std::vector<double>>(column.values);
      for (std::size_t i = 0; i < distances.size(); ++i) {
        distances[i] = has_moved[i] ? distances[i] : 0.0;
      }
    }
    set_attribute(cloud, std::move(column));
  }
}

std::vector<Vec3> directions_to_scanner(const PointCloud& cloud) {
  std::vector<Vec3> directions = scanner_positions_of(cloud);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    directions[i] -= cloud.positions[i];
  }
  return directions;
}

std::string treat_normals(PointCloud& cloud, const std::vector<bool>& has_moved, Normals wish,
                          const ExecutionContext& context) {
  if (wish == Normals::remove) {
    return remove_normals(cloud) ? "; normals removed" : "";
  }
  const std::vector<Vec3> before = normals_of(cloud);
  if (wish == Normals::keep || (wish == Normals::update && before.empty()) ||
      (!before.empty() && std::ranges::find(has_moved, true) == has_moved.end())) {
    return "";
  }
  const std::vector<Vec3> to_scanner = before.empty() ? directions_to_scanner(cloud) : std::vector<Vec3>();
  std::vector<Vec3> normals =
      estimate_normals(cloud.positions, before.empty() ? to_scanner : before, viewpoint_of(cloud), context);
  for (std::size_t i = 0; i < before.size(); ++i) {
    normals[i] = has_moved[i] ? normals[i] : before[i];
  }
  set_normals(cloud, normals);
  return before.empty() ? "; normals added" : "; normals updated";
}

void treat_normals(PointCloud& part, const std::vector<bool>& has_moved, Normals wish,
                   std::span<const Vec3> estimated) {
  if (wish == Normals::remove) {
    remove_normals(part);
  }
  if (estimated.empty()) {
    return;
  }
  const std::vector<Vec3> before = normals_of(part);
  const std::vector<Vec3> to_scanner = before.empty() ? directions_to_scanner(part) : std::vector<Vec3>();
  const std::optional<Vec3> viewpoint = viewpoint_of(part);
  std::vector<Vec3> normals(estimated.begin(), estimated.end());
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const Vec3 side = !before.empty()       ? before[i]
                      : !to_scanner.empty() ? to_scanner[i]
                      : viewpoint           ? Vec3(*viewpoint - part.positions[i])
                                            : normals[i];
    normals[i] =
        !before.empty() && !has_moved[i] ? before[i] : Vec3(side.dot(normals[i]) < 0.0 ? -normals[i] : normals[i]);
  }
  set_normals(part, normals);
}

std::vector<bool> move_points(PointCloud& cloud, std::span<const Vec3> positions, const std::vector<bool>& selected) {
  std::vector<bool> has_moved(cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    has_moved[i] = selected[i] && is_finite(cloud.positions[i]) && positions[i] != cloud.positions[i];
    cloud.positions[i] = has_moved[i] ? positions[i] : cloud.positions[i];
  }
  return has_moved;
}

}  // namespace burnish::cli
