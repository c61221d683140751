#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "burnish/error.hpp"
#include "burnish/estimate.hpp"
#include "burnish/view.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/spatial_order.hpp"
#include "view/attribute_fields.hpp"
#include "view/original_colours.hpp"
#include "view/surface_look.hpp"

namespace burnish {
namespace {

/// Clouds that hold the same points, and which of these are shown.
struct Group {
  std::vector<std::size_t> clouds;
  std::vector<std::uint32_t> rows;
};

/// Those with as many points as the first go with it, all others by themselves.
std::vector<Group> groups_of(std::span<const ViewedCloud> clouds) {
  std::vector<Group> groups(1);
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    if (clouds[i].cloud.size() == clouds[0].cloud.size()) {
      groups[0].clouds.push_back(i);
    } else {
      groups.push_back({{i}, {}});
    }
  }
  return groups;
}

/// The points that are finite in all clouds of a group, or an even part of them, in spatial order.
std::vector<std::uint32_t> rows_to_show(std::span<const ViewedCloud> clouds, const Group& group, double part,
                                        const ExecutionContext& context) {
  const std::vector<Vec3>& first = clouds[group.clouds[0]].cloud.positions;
  std::vector<std::uint32_t> finite;
  std::vector<Vec3> positions;
  for (std::size_t row = 0; row < first.size(); ++row) {
    if (std::ranges::all_of(group.clouds, [&](std::size_t c) { return is_finite(clouds[c].cloud.positions[row]); })) {
      finite.push_back(static_cast<std::uint32_t>(row));
      positions.push_back(first[row]);
    }
  }
  const std::vector<std::uint32_t> order = spatial_order(positions, context);
  const auto count = static_cast<double>(finite.size());
  const auto wanted = static_cast<std::size_t>(std::ceil(part * count));
  std::vector<std::uint32_t> rows(wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    // One of every run of neighbours along the curve.
    const double along = (static_cast<double>(i) + 0.5) * count / static_cast<double>(wanted);
    rows[i] = finite[order[static_cast<std::size_t>(along)]];
  }
  return rows;
}

double quantile(std::vector<float> values, double part) {
  std::erase_if(values, [](float v) { return !std::isfinite(v); });
  if (values.empty()) {
    return 0.0;
  }
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

/// The next number up that has one digit, or is 1.5 of something: legends look tidy then.
double tidy(double value) {
  if (!(value > 0.0)) {
    return 0.0;
  }
  const double power = math::pow(10.0, std::floor(math::log10(value)));
  for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (value <= step * power * (1.0 + 1e-9)) {
      return step * power;
    }
  }
  return 10.0 * power;
}

/// A range for the colours of a field: what nearly all values of one of the clouds stay in.
double range_of(const std::vector<float>& values, double part) {
  std::vector<float> sizes(values.size());
  std::ranges::transform(values, sizes.begin(), [](float v) { return std::abs(v); });
  const double usual = quantile(sizes, part);
  return tidy(usual > 0.0 ? usual : quantile(sizes, 1.0));
}

SceneCloud scene_cloud(const ViewedCloud& viewed, const std::vector<std::uint32_t>& rows,
                       const ExecutionContext& context) {
  const PointCloud& cloud = viewed.cloud;
  SceneCloud result;
  result.name = viewed.name;
  result.points = cloud.size();
  result.not_finite =
      static_cast<std::size_t>(std::ranges::count_if(cloud.positions, [](const Vec3& p) { return !is_finite(p); }));
  if (rows.empty()) {
    throw Error(viewed.name + (result.not_finite < cloud.size() ? ": no point is finite here and in the first cloud"
                               : cloud.size() == 0              ? ": has no points"
                                                                : ": has no finite points"));
  }
  result.rows = rows;
  result.positions.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    result.positions.push_back(cloud.positions[row]);
  }
  Eigen::AlignedBox3d box;
  for (const Vec3& p : result.positions) {
    box.extend(p);
  }
  if (!std::isfinite(box.diagonal().norm())) {
    throw Error(viewed.name + ": its points are too far apart to be shown");
  }
  result.colours = original_colours(cloud, rows);
  const auto thinned = static_cast<double>(cloud.size() - result.not_finite) / static_cast<double>(rows.size());
  result.spacing = estimate_spacing(cloud.positions, context) * std::sqrt(std::max(1.0, thinned));
  result.facts = viewed.facts;
  return result;
}

/// Normals and curvatures of the clouds of a group. What is outside is found in the last one, which is the smoothest as
/// a rule, and taken over by the others.
std::vector<SurfaceLook> looks_of(std::span<const ViewedCloud> clouds, const Group& group, const Scene& scene,
                                  const ExecutionContext& context) {
  std::vector<SurfaceLook> looks;
  for (const std::size_t c : group.clouds) {
    looks.push_back(surface_look(clouds[c].cloud.positions, group.rows, context));
  }
  orient_outwards(scene.clouds[group.clouds.back()].positions, looks.back(), context);
  for (SurfaceLook& look : looks) {
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
      if (look.normals[i].dot(looks.back().normals[i]) < 0.0) {
        look.flip(i);
      }
    }
  }
  return looks;
}

/// How the points of a cloud came from the first one: along its normals, and in all.
struct Moves {
  std::vector<float> along_normal;
  std::vector<float> length;
};

Moves moves_between(const SceneCloud& first, const SceneCloud& cloud) {
  Moves moves;
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    const Vec3 move = cloud.positions[i] - first.positions[i];
    moves.along_normal.push_back(static_cast<float>(move.dot(cloud.normals[i].cast<double>())));
    moves.length.push_back(static_cast<float>(move.norm()));
  }
  return moves;
}

SceneField measured(std::string id, std::string label, std::string unit, bool has_sign) {
  SceneField field;
  field.id = std::move(id);
  field.label = std::move(label);
  field.unit = std::move(unit);
  field.has_sign = has_sign;
  return field;
}

std::string inverse(const std::string& unit) { return unit.empty() ? "" : "1/" + unit; }

/// Adds a field unless it is 0 everywhere. The range of the colours is that of the clouds that `typical` names.
void add_field(Scene& scene, SceneField field, std::span<const std::size_t> typical, double part) {
  for (const std::size_t c : typical) {
    field.high = std::max(field.high, range_of(field.values[c], part));
  }
  if (field.high > 0.0) {
    field.low = field.has_sign ? -field.high : 0.0;
    scene.fields.push_back(std::move(field));
  }
}

void add_moves(Scene& scene) {
  const std::size_t count = scene.clouds.size();
  SceneField along = measured("move", "Move along the normal", scene.settings.unit, true);
  SceneField length = measured("moved", "Length of the move", scene.settings.unit, false);
  along.values.resize(count);
  length.values.resize(count);
  std::vector<std::size_t> moved;
  for (std::size_t c = 1; c < count; ++c) {
    SceneCloud& cloud = scene.clouds[c];
    if (!cloud.follows_first) {
      continue;
    }
    Moves moves = moves_between(scene.clouds[0], cloud);
    for (const auto& [name, part] : {std::pair("moved, median", 0.5), {"moved, 95 %", 0.95}, {"moved, most", 1.0}}) {
      cloud.facts.push_back({name, fmt::format("{:.4g}", quantile(moves.length, part)),
                             "how far points are from their place in the first cloud"});
    }
    along.values[c] = std::move(moves.along_normal);
    length.values[c] = std::move(moves.length);
    moved.push_back(c);
  }
  if (count == 2) {
    along.values[0] = along.values[1];
    length.values[0] = length.values[1];
  }
  add_field(scene, std::move(along), moved, 0.98);
  add_field(scene, std::move(length), moved, 0.98);
}

void add_distances_to_truth(Scene& scene, const ExecutionContext& context) {
  if (!scene.settings.distance_to_truth) {
    return;
  }
  SceneField field = measured("truth", "Distance to the truth", scene.settings.unit, false);
  for (const SceneCloud& cloud : scene.clouds) {
    std::vector<float> values(cloud.positions.size());
    parallel_for(context, values.size(), 256, [&](std::size_t i) {
      values[i] = static_cast<float>(scene.settings.distance_to_truth(cloud.positions[i]));
    });
    field.values.push_back(std::move(values));
  }
  add_field(scene, std::move(field), std::array{std::size_t{0}}, 0.98);
}

/// The noise around every point. Files may have it as an attribute, which is better informed.
void add_noise_field(Scene& scene, std::span<const ViewedCloud> clouds, const ExecutionContext& context) {
  if (std::ranges::any_of(clouds, [](const ViewedCloud& c) { return c.cloud.find_attribute("noise") != nullptr; })) {
    return;
  }
  SceneField field = measured("noise", "Noise around the point", scene.settings.unit, false);
  for (std::size_t c = 0; c < clouds.size(); ++c) {
    const std::vector<double> noise = estimate_local_noise(clouds[c].cloud.positions, context);
    std::vector<float> values;
    values.reserve(scene.clouds[c].rows.size());
    for (const std::uint32_t row : scene.clouds[c].rows) {
      values.push_back(static_cast<float>(noise[row]));
    }
    field.values.push_back(std::move(values));
  }
  add_field(scene, std::move(field), std::array{std::size_t{0}}, 0.98);
}

}  // namespace

Scene make_scene(std::span<const ViewedCloud> clouds, const ViewSettings& settings, const ExecutionContext& context) {
  if (clouds.empty()) {
    throw Error("there is no cloud to look at");
  }
  Scene scene;
  scene.settings = settings;
  scene.clouds.resize(clouds.size());
  std::vector<Group> groups = groups_of(clouds);
  const double points = std::accumulate(clouds.begin(), clouds.end(), 0.0, [](double sum, const ViewedCloud& viewed) {
    return sum + static_cast<double>(viewed.cloud.size());
  });
  const double part = std::min(1.0, static_cast<double>(settings.max_points) / std::max(points, 1.0));

  SceneField curvature = measured("curvature", "Mean curvature", inverse(settings.unit), true);
  curvature.values.resize(clouds.size());
  double done = 0.0;
  for (Group& group : groups) {
    context.report("measuring", done / static_cast<double>(clouds.size()));
    group.rows = rows_to_show(clouds, group, part, context);
    for (const std::size_t c : group.clouds) {
      scene.clouds[c] = scene_cloud(clouds[c], group.rows, context);
      scene.clouds[c].follows_first = c > 0 && &group == groups.data();
    }
    std::vector<SurfaceLook> looks = looks_of(clouds, group, scene, context);
    for (std::size_t k = 0; k < group.clouds.size(); ++k) {
      SceneCloud& cloud = scene.clouds[group.clouds[k]];
      for (const Vec3& normal : looks[k].normals) {
        cloud.normals.emplace_back(normal.cast<float>());
      }
      curvature.values[group.clouds[k]] = std::move(looks[k].curvatures);
    }
    done += static_cast<double>(group.clouds.size());
  }
  add_moves(scene);
  add_distances_to_truth(scene, context);
  add_noise_field(scene, clouds, context);
  add_field(scene, std::move(curvature), std::array{clouds.size() - 1}, 0.95);
  add_attribute_fields(scene, clouds);
  context.report("measuring", 1.0);
  return scene;
}

}  // namespace burnish
