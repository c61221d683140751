#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "burnish/ray.hpp"
#include "burnish/scan.hpp"

namespace burnish {

/// What is scanned.
struct ScanScene {
  std::function<RayHit(const Ray&)> first_hit;
  std::function<bool(const Vec3&)> contains;
  Vec3 centre = Vec3::Zero();  ///< of the bounding box
  double radius = 0.0;         ///< nothing is farther from the centre
  double diameter = 0.0;
};

/// A sensor with all lengths in the unit of the scene and all angles in radians. ScanSettings says what they mean.
struct ScanSensor {
  Sensor kind = Sensor::depth;
  std::size_t width = 0;
  std::size_t height = 0;
  double column_step = 0.0;  ///< angle of a lidar, tangent of a camera
  double row_step = 0.0;
  double smallest_cosine = 0.0;  ///< of incidence
  double reference = 0.0;
  double spacing = 0.0;
  double noise = 0.0;
  double range_power = 0.0;
  double incidence_power = 0.0;
  double correlation = 0.0;  ///< of neighbouring columns
  double quantisation = 0.0;
  double beam = 0.0;
  double background = 0.0;
  double registration = 0.0;
  std::uint64_t seed = 1;
};

/// Throws Error if a setting makes no sense by itself.
void check_scan_settings(const ScanSettings& settings);

/// Where the sensor is, one place for each view.
[[nodiscard]] std::vector<Vec3> viewpoints_of(const ScanSettings& settings, const ScanScene& scene);

/// Throws Error if a length is too large for the scene.
[[nodiscard]] ScanSensor resolve_sensor(const ScanSettings& settings, const ScanScene& scene,
                                        const std::vector<Vec3>& viewpoints);

}  // namespace burnish
