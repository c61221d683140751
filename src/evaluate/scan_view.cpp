#include "evaluate/scan_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/math.hpp"
#include "core/random.hpp"
#include "geometry/rotation.hpp"

namespace burnish {
namespace {

/// The items of random streams that belong to scans. Those of points of clouds, random points and random quantities are
/// others, so that noise added to a scan with the same seed is independent of that of the scan.
constexpr std::uint64_t first_scan_item = std::uint64_t{3} << 61U;
constexpr std::uint64_t items_of_view = std::uint64_t{1} << 33U;
constexpr std::uint64_t registration_item = items_of_view - 1;

/// Noise that grows with 1 / cos(incidence) does not grow beyond this.
constexpr double least_cosine = 0.01;

/// The camera looks along the direction, z upwards in the image as far as that is possible.
Eigen::Matrix3d axes_looking_along(const Vec3& forwards) {
  const Vec3 up = std::abs(forwards.z()) < 0.999 ? Vec3::UnitZ() : Vec3::UnitY();
  const Vec3 right = forwards.cross(up).normalized();
  Eigen::Matrix3d axes;
  axes << right, forwards.cross(right), forwards;
  return axes;
}

std::vector<Eigen::Vector2d> grid_line(std::size_t count, double step, bool is_angle) {
  std::vector<Eigen::Vector2d> line(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double offset = step * (static_cast<double>(i) + 0.5 - 0.5 * static_cast<double>(count));
    line[i] = is_angle ? Eigen::Vector2d(math::sin(offset), math::cos(offset)) : Eigen::Vector2d(offset, 1.0);
  }
  return line;
}

}  // namespace

ScanView::ScanView(const ScanScene& scene, const ScanSensor& sensor, const Vec3& viewpoint, std::size_t number)
    : scene_(scene),
      sensor_(sensor),
      viewpoint_(viewpoint),
      first_item_(first_scan_item + items_of_view * number),
      columns_(grid_line(sensor.width, sensor.column_step, sensor.kind == Sensor::lidar)),
      rows_(grid_line(sensor.height, sensor.row_step, sensor.kind == Sensor::lidar)) {
  const Vec3 to_centre = scene.centre - viewpoint;
  const double distance = to_centre.stableNorm();
  axes_ = axes_looking_along(distance > 0.0 ? Vec3(to_centre / distance) : Vec3::UnitX());
  wall_ = sensor.background > 0.0 ? distance + sensor.background : 0.0;
  if (sensor.registration > 0.0) {
    RandomStream random(sensor.seed, first_item_ + registration_item);
    const auto vector = [&]() -> Vec3 {
      const double x = random.normal();
      const double y = random.normal();
      return {x, y, random.normal()};
    };
    shift_ = sensor.registration * vector();
    const Vec3 rotation = sensor.registration / scene.radius * vector();
    rotation_ = rotation_about(rotation.stableNormalized(), rotation.norm());
  }
}

Vec3 ScanView::direction(std::size_t row, std::size_t column) const {
  const Eigen::Vector2d& across = columns_[column];
  const Eigen::Vector2d& down = rows_[row];
  return (axes_ * Vec3(down.y() * across.x(), down.x(), down.y() * across.y())).normalized();
}

double ScanView::measure_of(double range, const Vec3& direction) const {
  return sensor_.kind == Sensor::lidar ? range : range * direction.dot(axes_.col(2));
}

/// The mean over the beam: the ray in its middle and a hexagon around that, turned at random. Opposite rays have the
/// same weight, so that on a plane nothing changes; weights are random, so that a point at an edge may float anywhere
/// between foreground and background.
double ScanView::averaged(double centre, const Vec3& direction, RandomStream& random) const {
  const double radius = 0.375 * sensor_.beam;  // three quarters of the way from the axis to the border of the cone
  const Vec3 x = direction.unitOrthogonal();
  const Vec3 y = direction.cross(x);
  const Eigen::Vector2d angle = random.direction2().first;
  const Vec3 a = radius * (angle.x() * x + angle.y() * y);
  const Vec3 b = radius * (angle.x() * y - angle.y() * x);
  double weights = random.uniform();
  double sum = weights * centre;
  constexpr double sine = 0.86602540378443865;
  for (const Vec3& offset : {Vec3(a), Vec3(0.5 * a + sine * b), Vec3(-0.5 * a + sine * b)}) {
    const double weight = random.uniform();
    for (const double side : {1.0, -1.0}) {
      const Vec3 ray = (direction + side * offset).normalized();
      const RayHit hit = scene_.first_hit({viewpoint_, ray});
      const double forwards = ray.dot(axes_.col(2));
      const bool has_wall = wall_ > 0.0 && forwards > 0.0;
      if (hit.found() || has_wall) {
        sum += weight * measure_of(hit.found() ? hit.distance : wall_ / forwards, ray);
        weights += weight;
      }
    }
  }
  return weights > 0.0 ? sum / weights : centre;
}

std::optional<double> ScanView::quantised(double measure) const {
  if (sensor_.quantisation > 0.0) {
    if (sensor_.kind == Sensor::lidar) {
      measure = std::round(measure / sensor_.quantisation) * sensor_.quantisation;
    } else {
      // Steps of 1 / m: at the reference distance they change m by `quantisation`.
      const double unit = sensor_.reference * (sensor_.reference / sensor_.quantisation);
      measure = unit / std::round(unit / measure);
    }
  }
  return measure > 0.0 && std::isfinite(measure) ? std::optional(measure) : std::nullopt;
}

ScanView::Row ScanView::scan_row(std::size_t row) const {
  Row result;
  const bool is_correlated = sensor_.correlation > 0.0;
  const double innovation = std::sqrt(1.0 - sensor_.correlation * sensor_.correlation);
  double error = 0.0;  // in standard deviations; of all columns, hit or not, where the next depends on it
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    RandomStream random(sensor_.seed, first_item_ + row * columns_.size() + column);
    if (is_correlated) {
      error = column == 0 ? random.normal() : sensor_.correlation * error + innovation * random.normal();
    }
    const Vec3 ray = direction(row, column);
    const RayHit hit = scene_.first_hit({viewpoint_, ray});
    ++result.rays;
    const double cosine = std::min(1.0, std::abs(hit.normal.dot(ray)));
    if (!hit.found() || cosine < sensor_.smallest_cosine) {
      continue;
    }
    ++result.hits;
    if (!is_correlated) {
      error = random.normal();
    }
    double measure = measure_of(hit.distance, ray);
    if (sensor_.beam > 0.0) {
      measure = averaged(measure, ray, random);
      result.rays += 6;
    }
    measure += error * sensor_.noise * math::pow(measure / sensor_.reference, sensor_.range_power) /
               math::pow(std::max(cosine, least_cosine), sensor_.incidence_power);
    if (!(measure > 0.0)) {
      continue;  // noise as large as the range
    }
    if (const std::optional<double> read = quantised(measure)) {
      ScanPoint point;
      point.position = viewpoint_ + *read / measure_of(1.0, ray) * ray;
      point.truth = viewpoint_ + hit.distance * ray;
      point.incidence = static_cast<float>(math::acos(cosine) * 180.0 / std::numbers::pi);
      point.column = static_cast<std::uint16_t>(column);
      result.points.push_back(point);
    }
  }
  return result;
}

}  // namespace burnish
