#pragma once

#include <Eigen/Core>

#include <span>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// The coefficients of a surface z(x, y) = c0 + c1 x + c2 y + c3 x² + c4 xy + c5 y² over the first two axes of a frame
/// that the caller chooses. QuadricFit finds its own frame and has variances, too.
struct HeightFit {
  Eigen::Matrix<double, 6, 1> coefficients = Eigen::Matrix<double, 6, 1>::Zero();

  [[nodiscard]] double height(double x, double y) const {
    const auto& c = coefficients;
    return c[0] + x * (c[1] + c[3] * x + c[4] * y) + y * (c[2] + c[5] * y);
  }

  struct Bend {
    Vec3 normal;                  ///< in the frame, unit length, upwards
    double mean_curvature = 0.0;  ///< plus where the surface bends away from the normal
  };
  [[nodiscard]] Bend bend(double x, double y) const;
};

/// The weighted least-squares fit to points given in the frame: of a plane (degree 1) or a quadric (degree 2). `radius`
/// is about the extent of the points; where they do not determine the surface, the flattest one is chosen.
[[nodiscard]] HeightFit fit_heights(std::span<const Vec3> points, std::span<const double> weights, double radius,
                                    int degree);

}  // namespace burnish
