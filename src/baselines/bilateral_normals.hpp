#pragma once

#include <numbers>

#include "burnish/point_cloud.hpp"
#include "core/math.hpp"

namespace burnish::baselines {

/// The weights of Huang et al. (2013): near points, exp(−4 r²/h²), whose normals are alike,
/// exp(−((1 − n·n') / (1 − cos σ))²).
class BilateralWeight {
 public:
  BilateralWeight(double radius, double angle_in_degrees)
      : by_radius_(4.0 / (radius * radius)),
        by_angle_(1.0 / (1.0 - math::cos(angle_in_degrees * std::numbers::pi / 180.0))) {}

  [[nodiscard]] double operator()(double squared_distance, const Vec3& normal, const Vec3& other_normal) const {
    const double difference = (1.0 - normal.dot(other_normal)) * by_angle_;
    return math::exp(-squared_distance * by_radius_ - difference * difference);
  }

 private:
  double by_radius_;
  double by_angle_;
};

}  // namespace burnish::baselines
