#include "burnish/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "burnish/error.hpp"
#include "burnish/sampling.hpp"
#include "core/parallel.hpp"
#include "evaluate/finite_points.hpp"
#include "evaluate/scan_view.hpp"

namespace burnish {
namespace {

/// The points of a cloud and the columns of a scan, side by side.
class ScanCloud {
 public:
  explicit ScanCloud(bool with_truth) : with_truth_(with_truth) {}

  void add(const ScanView& view, std::size_t number, const Vec3& viewpoint, std::size_t row, const ScanPoint& point) {
    positions_.push_back(view.registered(point.position));
    scan_.push_back(static_cast<std::int32_t>(number));
    row_.push_back(static_cast<std::uint16_t>(row));
    column_.push_back(point.column);
    incidence_.push_back(point.incidence);
    for (const std::size_t axis : {0U, 1U, 2U}) {
      const auto index = static_cast<Eigen::Index>(axis);
      viewpoint_[axis].push_back(viewpoint[index]);
      if (with_truth_) {
        truth_[axis].push_back(point.truth[index]);
      }
    }
  }

  [[nodiscard]] PointCloud take() {
    PointCloud cloud;
    cloud.positions = std::move(positions_);
    const auto add_column = [&](std::string name, auto& values) {
      Column column;
      column.name = std::move(name);
      column.values = std::move(values);
      cloud.attributes.push_back(std::move(column));
    };
    add_column("scan", scan_);
    add_column("row", row_);
    add_column("column", column_);
    for (const std::size_t axis : {0U, 1U, 2U}) {
      add_column(fmt::format("viewpoint_{}", "xyz"[axis]), viewpoint_[axis]);
    }
    add_column("incidence", incidence_);
    for (const std::size_t axis : {0U, 1U, 2U}) {
      if (with_truth_) {
        add_column(fmt::format("true_{}", "xyz"[axis]), truth_[axis]);
      }
    }
    return cloud;
  }

 private:
  bool with_truth_;
  std::vector<Vec3> positions_;
  std::vector<std::int32_t> scan_;
  std::vector<std::uint16_t> row_;
  std::vector<std::uint16_t> column_;
  std::vector<float> incidence_;
  std::array<std::vector<double>, 3> viewpoint_;
  std::array<std::vector<double>, 3> truth_;
};

/// A row with a point in every column; the missing ones are NaN.
std::vector<ScanPoint> filled(const std::vector<ScanPoint>& points, std::size_t width) {
  ScanPoint missing;
  missing.position.setConstant(std::numeric_limits<double>::quiet_NaN());
  missing.truth = missing.position;
  missing.incidence = std::numeric_limits<float>::quiet_NaN();
  std::vector<ScanPoint> row(width, missing);
  for (std::size_t column = 0; column < width; ++column) {
    row[column].column = static_cast<std::uint16_t>(column);
  }
  for (const ScanPoint& point : points) {
    row[point.column] = point;
  }
  return row;
}

std::string viewpoint_comment(const Vec3& p, const Eigen::Matrix3d& axes) {
  const Eigen::Quaterniond q(axes);
  return fmt::format("VIEWPOINT {} {} {} {} {} {} {}", p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z());
}

ScanResult scan_scene(const ScanScene& scene, const ScanSettings& settings, const ExecutionContext& context) {
  ScanResult result;
  result.viewpoints = viewpoints_of(settings, scene);
  for (std::size_t i = 0; i < result.viewpoints.size(); ++i) {
    const Vec3& p = result.viewpoints[i];
    const bool is_near = (p - scene.centre).stableNorm() < 1.1 * scene.radius;
    if (is_near && scene.contains(p)) {
      throw Error(fmt::format(
          "viewpoint {} at {:.6g}, {:.6g}, {:.6g} is inside; move it outside, or farther from the centre (a "
          "room can be scanned from within if its normals point inwards)",
          i, p.x(), p.y(), p.z()));
    }
  }
  const ScanSensor sensor = resolve_sensor(settings, scene, result.viewpoints);
  result.spacing = sensor.spacing;
  result.diameter = scene.diameter;
  result.reference = sensor.reference;
  result.noise = sensor.noise;

  const bool is_organised = settings.organised && settings.sensor == Sensor::depth && result.viewpoints.size() == 1;
  constexpr std::size_t rows_at_once = 64;
  ScanCloud cloud(settings.truth);
  std::string comment;
  std::size_t hits = 0;
  for (std::size_t number = 0; number < result.viewpoints.size(); ++number) {
    const ScanView view(scene, sensor, result.viewpoints[number], number);
    const Vec3 viewpoint = view.registered(result.viewpoints[number]);
    comment = viewpoint_comment(viewpoint, view.registered_axes());
    for (std::size_t first = 0; first < sensor.height; first += rows_at_once) {
      const double done = static_cast<double>(number * sensor.height + first);
      context.report("scanning", done / static_cast<double>(result.viewpoints.size() * sensor.height));
      std::vector<ScanView::Row> rows(std::min(rows_at_once, sensor.height - first));
      parallel_for(context, rows.size(), 1, [&](std::size_t i) { rows[i] = view.scan_row(first + i); });
      for (std::size_t i = 0; i < rows.size(); ++i) {
        result.rays += rows[i].rays;
        hits += rows[i].hits;
        result.points += rows[i].points.size();
        for (const ScanPoint& point : is_organised ? filled(rows[i].points, sensor.width) : rows[i].points) {
          cloud.add(view, number, viewpoint, first + i, point);
        }
      }
    }
  }
  context.report("scanning", 1.0);
  if (result.points == 0) {
    throw Error(hits == 0
                    ? "no point is seen: no ray meets a surface that is turned to the sensor; move the viewpoint, "
                      "or make the image or its field of view larger"
                    : "no point is seen: errors are so large that nothing is in front of the sensor; make noise "
                      "and quantisation smaller, or the reference distance larger");
  }
  result.cloud = cloud.take();
  if (is_organised) {
    result.cloud.width = sensor.width;
    result.cloud.height = sensor.height;
    result.cloud.comments.push_back(comment);
  }
  return result;
}

/// Centre and size of what these points are spread over.
void set_extent(ScanScene& scene, std::span<const Vec3> points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) {
    box.extend(p);
  }
  scene.centre = 0.5 * box.min() + 0.5 * box.max();
  scene.radius = radius_around_box_centre(points);
  scene.diameter = sampled_diameter(points);
}

/// Throws Error if no ray can meet the mesh wherever it comes from.
void check_area(const TriangleMesh& mesh, double size) {
  const bool has_area = std::ranges::any_of(mesh.triangles, [&](const auto& triangle) {
    const Vec3& a = mesh.vertices[triangle[0]];
    const Vec3 u = mesh.vertices[triangle[1]] / size - a / size;
    const Vec3 v = mesh.vertices[triangle[2]] / size - a / size;
    return u.cross(v).squaredNorm() > 0.0;
  });
  if (!has_area || !std::isfinite(size)) {
    throw Error("no triangle of the mesh has an area that can be computed, so that no ray meets it; check its corners");
  }
}

}  // namespace

ScanResult scan(const Shape& shape, const ScanSettings& settings, const ExecutionContext& context) {
  check_scan_settings(settings);
  ScanScene scene;
  scene.first_hit = [&](const Ray& ray) { return shape.first_hit(ray); };
  scene.contains = [&](const Vec3& p) { return shape.contains(p); };
  constexpr std::size_t enough = 20000;  // to know the extent
  set_extent(scene, shape.sample_at_random(enough, 1, context));
  return scan_scene(scene, settings, context);
}

ScanResult scan(const TriangleMesh& mesh, const ScanSettings& settings, const ExecutionContext& context) {
  check_scan_settings(settings);
  const MeshRays rays(mesh);
  ScanScene scene;
  scene.first_hit = [&](const Ray& ray) { return rays.first_hit(ray); };
  scene.contains = [&](const Vec3& p) { return rays.winding_number(p) > 0.5; };
  std::vector<bool> is_corner(mesh.vertices.size(), false);
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      is_corner[corner] = true;
    }
  }
  std::vector<Vec3> corners;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (is_corner[v]) {
      corners.push_back(mesh.vertices[v]);
    }
  }
  set_extent(scene, corners);
  check_area(mesh, scene.diameter);
  return scan_scene(scene, settings, context);
}

}  // namespace burnish
