#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "test_clouds.hpp"

namespace burnish::bench {
namespace {

ScanSettings without_errors(ScanSettings settings) {
  settings.noise = settings.quantisation = settings.registration = {};
  settings.beam = 0.0;
  return settings;
}

/// Scales the image, in the proportion of the sensor, so that about scene.points points are seen.
void set_resolution(ScanSettings& settings, const Scene& scene) {
  const std::size_t seen = scene.surface->scan(without_errors(settings)).points;
  const double factor = std::sqrt(static_cast<double>(scene.points) / static_cast<double>(seen));
  settings.width = static_cast<std::size_t>(std::lround(factor * static_cast<double>(settings.width)));
  settings.height = static_cast<std::size_t>(std::lround(factor * static_cast<double>(settings.height)));
}

/// Flying and mixed pixels: points farther from where their ray met the surface than all other errors together explain,
/// at five standard deviations.
std::vector<std::uint32_t> mixed_pixels(const ScanResult& result, const ScanSettings& settings) {
  const auto column = [&](const char* name) { return numbers_of(result.cloud, name).value(); };
  const std::vector<double> x = column("true_x");
  const std::vector<double> y = column("true_y");
  const std::vector<double> z = column("true_z");
  const std::vector<double> scan = column("scan");
  const std::vector<double> incidence = column("incidence");
  const auto in_spacings = [&](const ScanLength& length) { return length.value * result.spacing; };
  const double registration = result.viewpoints.size() > 1 ? in_spacings(settings.registration) : 0.0;
  std::vector<std::uint32_t> mixed;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 truth(x[i], y[i], z[i]);
    const double range = (truth - result.viewpoints[static_cast<std::size_t>(scan[i])]).norm() / result.reference;
    const double cosine = std::cos(incidence[i] * std::numbers::pi / 180.0);
    const double noise = result.noise * std::pow(range, settings.range_power);
    const double explained = 5.0 * noise / std::pow(cosine, settings.incidence_power) +
                             in_spacings(settings.quantisation) * range * range + 5.0 * registration;
    if ((result.cloud.positions[i] - truth).norm() > explained) {
      mixed.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return mixed;
}

TestCloud scanned(const Scene& scene, Sensor sensor, std::size_t views) {
  ScanSettings settings = default_settings(sensor);  // noise, quantisation and registration are in spacings
  settings.views = views;
  settings.organised = false;
  settings.seed = scene.seed;
  set_resolution(settings, scene);
  settings.truth = true;
  ScanResult result = scene.surface->scan(settings);
  std::vector<std::uint32_t> mixed = mixed_pixels(result, settings);
  return {std::move(result.cloud.positions), std::move(mixed)};
}

}  // namespace

const std::vector<CloudKind>& sensor_clouds() {
  static const std::vector<CloudKind> kinds = [] {
    std::vector<CloudKind> all;
    for (const std::string_view name : sensor_names()) {
      for (const std::size_t views : {1U, 6U}) {
        all.push_back({fmt::format("{}, {} view{}", name, views, views == 1 ? "" : "s"),
                       [=](const Scene& scene) { return scanned(scene, find_sensor(name), views); }});
      }
    }
    return all;
  }();
  return kinds;
}

}  // namespace burnish::bench
