#include "geometry/robust_plane.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace burnish {
namespace {

/// At this distance from the plane, in standard deviations of the noise, a point has a quarter of its weight.
constexpr double standard_deviations = 2.5;

constexpr int most_rounds = 5;
constexpr int rounds_at_the_end = 2;

}  // namespace

RobustPlane fit_robust_plane(std::span<const Vec3> points, std::span<const double> weights, double radius, double noise,
                             std::span<double> scratch) {
  RobustPlane plane;
  plane.frame = principal_frame(points, weights);
  const double least = math::square(standard_deviations * noise);
  double square = radius * radius / 16.0;
  for (int round = 0, at_the_end = 0; round < most_rounds && at_the_end < rounds_at_the_end; ++round) {
    at_the_end += square <= least ? 1 : 0;
    const double falloff = 1.0 / std::max(square, least);
    const Vec3 normal = plane.frame.axes.col(2);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double height = normal.dot(points[i] - plane.frame.mean);
      const double part = 1.0 / (1.0 + falloff * height * height);  // Geman and McClure's weight is its square
      scratch[i] = weights[i] * part * part;
    }
    plane.frame = principal_frame(points, scratch);
    square /= 4.0;
  }

  // In the principal frame XᵀWX is diagonal.
  Vec3 squares = Vec3::Zero();
  Eigen::Matrix3d weighted_squares = Eigen::Matrix3d::Zero();  // XᵀW²X
  double height_squares = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RobustPlane::Place place = plane.place(points[i]);
    const Vec3 weighted = scratch[i] * place.terms;
    squares += weighted.cwiseProduct(place.terms);
    weighted_squares.noalias() += weighted * weighted.transpose();
    height_squares += scratch[i] * place.height * place.height;
  }
  const double weight_sum = squares[0];
  squares[1] += 1e-9 * weight_sum * radius * radius;  // for points on a line
  squares[2] += 1e-9 * weight_sum * radius * radius;
  const Eigen::DiagonalMatrix<double, 3> inverse(squares.cwiseInverse());
  const Eigen::Matrix3d smoothing = inverse * weighted_squares;
  plane.covariance = smoothing * inverse;
  plane.residual_variance = height_squares / std::max(weight_sum - smoothing.trace(), 1e-9 * weight_sum);
  return plane;
}

}  // namespace burnish
