#include "evaluate/scan_sensor.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "burnish/error.hpp"
#include "core/math.hpp"

namespace burnish {
namespace {

using Unit = ScanLength::Unit;

constexpr double degree = std::numbers::pi / 180.0;

/// Lengths beyond this many diameters of the scene are refused: at such a distance, coordinates that differ by less
/// than 10^-9 diameters are the same number.
constexpr double most_diameters = 1e7;

/// A length in the unit of the scene. No spacing is needed for lengths that the spacing itself depends on.
double resolved(const ScanLength& length, double spacing, double diameter) {
  switch (length.unit) {
    case Unit::spacing:
      return length.value * spacing;
    case Unit::diameter:
      return length.value * diameter;
    case Unit::absolute:
      break;
  }
  return length.value;
}

void check_length(std::string_view name, double length, double diameter) {
  if (!(length <= most_diameters * diameter)) {
    throw Error(fmt::format("{} is {:.6g}, expected at most {:g} times the diameter of the scene, which is {:.6g}",
                            name, length, most_diameters, diameter));
  }
}

/// Directions spread evenly over the sphere along a spiral. The first of one is a view from the right, above the front.
std::vector<Vec3> spread_directions(std::size_t count) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), Vec3(0.6, -0.62, 0.5));
  const double golden_angle = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<Vec3> directions;
  for (std::size_t i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(count);
    const double around = std::sqrt(1.0 - z * z);
    const double angle = golden_angle * static_cast<double>(i);
    directions.push_back(turn * Vec3(around * math::cos(angle), around * math::sin(angle), z));
  }
  return directions;
}

/// The angle from side to side that shows all of the scene from a distance, in radians.
double fitting_field_of_view(Sensor sensor, double distance, double radius) {
  constexpr double margin = 1.05;
  const bool is_outside = distance > margin * radius;
  if (sensor == Sensor::lidar) {
    return is_outside ? 2.0 * math::asin(margin * radius / distance) : 2.0 * std::numbers::pi;
  }
  constexpr double widest = 120.0 * degree;
  return is_outside ? std::min(widest, 2.0 * math::asin(margin * radius / distance)) : widest;
}

}  // namespace

std::vector<Vec3> viewpoints_of(const ScanSettings& settings, const ScanScene& scene) {
  if (!settings.viewpoints.empty()) {
    return settings.viewpoints;
  }
  const double distance = resolved(settings.distance, 0.0, scene.diameter);
  std::vector<Vec3> viewpoints = spread_directions(settings.views);
  for (Vec3& p : viewpoints) {
    p = scene.centre + distance * p;
  }
  return viewpoints;
}

ScanSensor resolve_sensor(const ScanSettings& settings, const ScanScene& scene, const std::vector<Vec3>& viewpoints) {
  double nearest = std::numeric_limits<double>::infinity();
  double sum = 0.0;
  const double diameter = scene.diameter;
  for (const Vec3& p : viewpoints) {
    const double distance = (p - scene.centre).stableNorm();
    check_length("the distance of a viewpoint from the centre", distance, diameter);
    nearest = std::min(nearest, distance);
    sum += std::max(distance, scene.radius);  // from within, that is how far the surface is
  }
  ScanSensor sensor;
  sensor.kind = settings.sensor;
  sensor.width = settings.width;
  sensor.height = settings.height;
  const double given_reference = resolved(settings.reference, 0.0, diameter);
  check_length("the reference distance", given_reference, diameter);
  sensor.reference = given_reference > 0.0 ? given_reference : sum / static_cast<double>(viewpoints.size());

  const double field = settings.field_of_view > 0.0 ? settings.field_of_view * degree
                                                    : fitting_field_of_view(settings.sensor, nearest, scene.radius);
  const auto columns = static_cast<double>(settings.width);
  const auto rows = static_cast<double>(settings.height);
  if (settings.sensor == Sensor::lidar) {
    sensor.column_step = field / columns;
    sensor.row_step = std::min(field, std::numbers::pi) / rows;
  } else {
    const double extent = 2.0 * math::tan(0.5 * field);
    const bool is_square = settings.sensor == Sensor::depth;
    sensor.column_step = extent / (is_square ? std::min(columns, rows) : columns);
    sensor.row_step = extent / (is_square ? std::min(columns, rows) : rows);
  }
  sensor.spacing = sensor.reference * std::sqrt(sensor.column_step * sensor.row_step);
  const auto length = [&](std::string_view name, const ScanLength& given) {
    const double value = resolved(given, sensor.spacing, diameter);
    check_length(name, value, diameter);
    return value;
  };

  sensor.smallest_cosine = settings.largest_incidence < 90.0 ? math::cos(settings.largest_incidence * degree) : 0.0;
  sensor.noise = length("the noise", settings.noise);
  sensor.range_power = settings.range_power;
  sensor.incidence_power = settings.incidence_power;
  sensor.correlation = settings.correlation > 0.0 ? math::exp(-1.0 / settings.correlation) : 0.0;
  sensor.quantisation = length("the step of quantisation", settings.quantisation);
  sensor.beam = settings.beam ? *settings.beam * degree : std::min(sensor.column_step, sensor.row_step);
  sensor.background = length("the distance of the background", settings.background);
  sensor.registration = viewpoints.size() > 1 ? length("the registration error", settings.registration) : 0.0;
  sensor.seed = settings.seed;
  return sensor;
}

}  // namespace burnish
