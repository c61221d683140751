#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "burnish/error.hpp"
#include "evaluate/scan_sensor.hpp"

namespace burnish {
namespace {

using Unit = ScanLength::Unit;

constexpr double widest_camera = 170.0;  // degrees
constexpr double widest_lidar = 360.0;
constexpr std::size_t longest_side = 65535;
constexpr std::size_t most_points = std::size_t{1} << 28U;

void require(bool is_sound, const std::string& message) {
  if (!is_sound) {
    throw Error(message);
  }
}

void check_number(std::string_view name, double value, double least, double largest) {
  require(value >= least && value <= largest,
          fmt::format("{} is {}, expected a number from {} to {}", name, value, least, largest));
}

void check_length(std::string_view name, const ScanLength& length) {
  require(length.value >= 0.0 && std::isfinite(length.value),
          fmt::format("{} is {}, expected a length that is not negative", name, length.value));
}

}  // namespace

ScanSettings default_settings(Sensor sensor) {
  ScanSettings settings;
  settings.sensor = sensor;
  if (sensor == Sensor::lidar) {
    settings.width = 720;
    settings.height = 120;
    settings.range_power = 0.0;
    settings.incidence_power = 0.5;
    settings.quantisation = {};
  } else if (sensor == Sensor::structured_light) {
    settings.height = 160;
    settings.correlation = 8.0;
    settings.quantisation = {};
    settings.background = {};
  }
  return settings;
}

void check_scan_settings(const ScanSettings& settings) {
  const std::size_t views = settings.viewpoints.empty() ? settings.views : settings.viewpoints.size();
  require(views >= 1 && views <= most_points, fmt::format("there are {} views, expected at least 1", views));
  for (const auto& [name, side] : {std::pair("width", settings.width), std::pair("height", settings.height)}) {
    require(side >= 1 && side <= longest_side,
            fmt::format("the {} of the image is {}, expected 1 to {}", name, side, longest_side));
  }
  require(settings.width * settings.height <= most_points / views,
          fmt::format("{} view{} of {} x {} points are more than the {} that can be scanned at once; make the image "
                      "smaller, or scan fewer views",
                      views, views == 1 ? "" : "s", settings.width, settings.height, most_points));
  require(std::ranges::all_of(settings.viewpoints, is_finite),
          "a viewpoint is not finite, expected three finite numbers");
  require(settings.distance.unit != Unit::spacing && settings.reference.unit != Unit::spacing,
          "the distance of the viewpoints and the reference distance cannot be in spacings, which depend on them");
  check_length("the distance of the viewpoints", settings.distance);
  check_length("the noise", settings.noise);
  check_length("the reference distance", settings.reference);
  check_length("the step of quantisation", settings.quantisation);
  check_length("the distance of the background", settings.background);
  check_length("the registration error", settings.registration);
  check_number("the field of view", settings.field_of_view, 0.0,
               settings.sensor == Sensor::lidar ? widest_lidar : widest_camera);
  check_number("the largest incidence", settings.largest_incidence, 0.0, 90.0);
  check_number("the power of range", settings.range_power, 0.0, 10.0);
  check_number("the power of incidence", settings.incidence_power, 0.0, 10.0);
  check_number("the correlation", settings.correlation, 0.0, std::numeric_limits<double>::max());
  check_number("the beam", settings.beam.value_or(0.0), 0.0, 90.0);
}

}  // namespace burnish
