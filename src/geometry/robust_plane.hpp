#pragma once

#include <Eigen/Core>

#include <span>

#include "geometry/frames.hpp"

namespace burnish {

/// The plane on which most of the points lie. At an edge it is the plane of the face with more weight, not one between
/// the two faces.
struct RobustPlane {
  /// Coordinates of a point over the plane.
  struct Place {
    Vec3 terms;  ///< 1, x, y
    double height = 0.0;
  };

  PrincipalFrame frame;
  /// Covariance of height, slope in x and slope in y if the heights have noise of variance 1.
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  /// Variance of the heights of the points that belong to the plane, corrected for three coefficients.
  double residual_variance = 0.0;

  [[nodiscard]] Place place(const Vec3& point) const;
  /// Variance of the height of the plane at a place for noise of variance 1.
  [[nodiscard]] double variance_at(const Place& place) const { return place.terms.dot(covariance * place.terms); }
};

inline RobustPlane::Place RobustPlane::place(const Vec3& point) const {
  const Vec3 p = frame.axes.transpose() * (point - frame.mean);
  return {{1.0, p.x(), p.y()}, p.z()};
}

/// Fits a plane by iteratively reweighted least squares. Weights decrease with the distance from the plane, over a
/// length that starts at a fraction of `radius`, about that of the points, and shrinks to 2.5 times `noise` (graduated
/// non-convexity; Blake and Zisserman, "Visual Reconstruction", 1987). `scratch` holds the weights. There must be more
/// than three points.
[[nodiscard]] RobustPlane fit_robust_plane(std::span<const Vec3> points, std::span<const double> weights, double radius,
                                           double noise, std::span<double> scratch);

}  // namespace burnish
