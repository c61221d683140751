#pragma once

#include <Eigen/Geometry>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "evaluate/scan_sensor.hpp"

namespace burnish {

class RandomStream;

struct ScanPoint {
  Vec3 position;
  Vec3 truth;
  float incidence = 0.0F;  ///< in degrees
  std::uint16_t column = 0;
};

/// One view of a sensor.
class ScanView {
 public:
  ScanView(const ScanScene& scene, const ScanSensor& sensor, const Vec3& viewpoint, std::size_t number);

  struct Row {
    std::vector<ScanPoint> points;
    std::size_t rays = 0;  ///< that were cast
    std::size_t hits = 0;  ///< places that they met and that are turned to the sensor
  };

  /// The points of a row, before registration. The rows of a view can be asked for in any order, by any thread.
  [[nodiscard]] Row scan_row(std::size_t row) const;

  /// Where registration takes a place to.
  [[nodiscard]] Vec3 registered(const Vec3& p) const {
    return sensor_.registration > 0.0 ? Vec3(rotation_ * (p - scene_.centre) + (scene_.centre + shift_)) : p;
  }

  /// The axes of the camera, columns, after registration: x to the right of the image, y downwards, z forwards.
  [[nodiscard]] Eigen::Matrix3d registered_axes() const { return rotation_ * axes_; }

 private:
  [[nodiscard]] Vec3 direction(std::size_t row, std::size_t column) const;
  /// What is measured along a ray: range for a lidar, depth for a camera.
  [[nodiscard]] double measure_of(double range, const Vec3& direction) const;
  [[nodiscard]] double averaged(double centre, const Vec3& direction, RandomStream& random) const;
  [[nodiscard]] std::optional<double> quantised(double measure) const;

  const ScanScene& scene_;
  const ScanSensor& sensor_;
  Vec3 viewpoint_;
  Eigen::Matrix3d axes_;
  double wall_ = 0.0;  ///< depth of the background; 0: none
  std::uint64_t first_item_;
  std::vector<Eigen::Vector2d> columns_;  ///< sine and cosine of the angle, or tangent and 1
  std::vector<Eigen::Vector2d> rows_;
  Eigen::Matrix3d rotation_ = Eigen::Matrix3d::Identity();  ///< of registration, about the centre
  Vec3 shift_ = Vec3::Zero();
};

}  // namespace burnish
