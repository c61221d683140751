#pragma once

#include <Eigen/Core>

#include <span>

#include "geometry/frames.hpp"

namespace burnish {

/// The least-squares quadric height function z(x, y) over the principal plane of points, with the variance of the
/// residuals and of the fit: for consensus and noise. fit_heights gives the coefficients alone, in a given frame.
struct QuadricFit {
  using Terms = Eigen::Matrix<double, 6, 1>;  ///< 1, x, y, x², xy, y²

  /// Coordinates of a point in the principal plane, in units of `scale`.
  struct Place {
    Terms terms;
    double height = 0.0;  ///< not scaled
  };

  PrincipalFrame frame;
  double scale = 1.0;
  Terms coefficients = Terms::Zero();
  /// Covariance of the coefficients if the heights have noise of variance 1.
  Eigen::Matrix<double, 6, 6> covariance = Eigen::Matrix<double, 6, 6>::Zero();
  /// Variance of the residuals, corrected for the six coefficients: the variance of the noise, if the surface is a
  /// quadric.
  double residual_variance = 0.0;

  [[nodiscard]] Place place(const Vec3& point) const;
  [[nodiscard]] double height_at(const Place& place) const { return coefficients.dot(place.terms); }
  /// Variance of height_at for noise of variance 1.
  [[nodiscard]] double variance_at(const Place& place) const { return place.terms.dot(covariance * place.terms); }
  /// The shortest vector, to first order, to the quadric from a point that is `distance` above it along the normal of
  /// the plane.
  [[nodiscard]] Vec3 correction_of(const Place& place, double distance) const;
};

inline QuadricFit::Place QuadricFit::place(const Vec3& point) const {
  const Vec3 p = frame.axes.transpose() * (point - frame.mean);
  const double x = p.x() / scale;
  const double y = p.y() / scale;
  Place result;
  result.terms << 1.0, x, y, x * x, x * y, y * y;
  result.height = p.z();
  return result;
}

inline Vec3 QuadricFit::correction_of(const Place& place, double distance) const {
  const double x = place.terms[1];
  const double y = place.terms[2];
  const double slope_x = (coefficients[1] + 2.0 * coefficients[3] * x + coefficients[4] * y) / scale;
  const double slope_y = (coefficients[2] + coefficients[4] * x + 2.0 * coefficients[5] * y) / scale;
  const Vec3 normal = frame.axes * Vec3(-slope_x, -slope_y, 1.0);
  return -distance / normal.squaredNorm() * normal;
}

/// `scale` is about the radius of the points, so that the terms are of one size. Weights may be empty. There must be
/// more than six points.
[[nodiscard]] QuadricFit fit_quadric(std::span<const Vec3> points, std::span<const double> weights, double scale);

}  // namespace burnish
