#include "geometry/quadric.hpp"

#include <Eigen/Cholesky>

#include <algorithm>

namespace burnish {

QuadricFit::Place QuadricFit::place(const Vec3& point) const {
  const Vec3 p = frame.axes.transpose() * (point - frame.mean);
  const double x = p.x() / scale;
  const double y = p.y() / scale;
  Place result;
  result.terms << 1.0, x, y, x * x, x * y, y * y;
  result.height = p.z();
  return result;
}

Vec3 QuadricFit::correction_of(const Place& place, double distance) const {
  const double x = place.terms[1];
  const double y = place.terms[2];
  const double slope_x = (coefficients[1] + 2.0 * coefficients[3] * x + coefficients[4] * y) / scale;
  const double slope_y = (coefficients[2] + coefficients[4] * x + 2.0 * coefficients[5] * y) / scale;
  const Vec3 normal = frame.axes * Vec3(-slope_x, -slope_y, 1.0);
  return -distance / normal.squaredNorm() * normal;
}

QuadricFit fit_quadric(std::span<const Vec3> points, std::span<const double> weights, double scale) {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  QuadricFit fit;
  fit.frame = weights.empty() ? principal_frame(points) : principal_frame(points, weights);
  fit.scale = scale;
  Matrix6 squares = Matrix6::Zero();           // XᵀWX
  Matrix6 weighted_squares = Matrix6::Zero();  // XᵀW²X
  QuadricFit::Terms right_side = QuadricFit::Terms::Zero();
  double height_squares = 0.0;
  double weight_sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double w = weights.empty() ? 1.0 : weights[i];
    const QuadricFit::Place place = fit.place(points[i]);
    const QuadricFit::Terms weighted = w * place.terms;
    squares.noalias() += weighted * place.terms.transpose();
    weighted_squares.noalias() += weighted * weighted.transpose();
    right_side += place.height * weighted;
    height_squares += w * place.height * place.height;
    weight_sum += w;
  }
  // A trace of regularisation, for points on a line or a conic, where the quadric is not unique.
  squares.diagonal().array() += 1e-9 * weight_sum;
  const Eigen::LDLT<Matrix6> solver(squares);
  fit.coefficients = solver.solve(right_side);
  const Matrix6 inverse = solver.solve(Matrix6::Identity());
  const Matrix6 smoothing = inverse * weighted_squares;
  fit.covariance = smoothing * inverse;
  const double residual = std::max(0.0, height_squares - fit.coefficients.dot(right_side));
  fit.residual_variance = residual / std::max(weight_sum - smoothing.trace(), 1e-9 * weight_sum);
  return fit;
}

}  // namespace burnish
