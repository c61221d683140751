#include "geometry/height_fit.hpp"

#include <Eigen/Cholesky>

#include <cmath>

namespace burnish {
namespace {

template <int terms>
Eigen::Matrix<double, terms, 1> solve(std::span<const Vec3> points, std::span<const double> weights, double radius) {
  using Vector = Eigen::Matrix<double, terms, 1>;
  // Lengths in units of the radius, so that all terms are of one size.
  const double unit = 1.0 / radius;
  Eigen::Matrix<double, terms, terms> matrix = Eigen::Matrix<double, terms, terms>::Zero();
  Vector right = Vector::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = unit * points[i].x();
    const double y = unit * points[i].y();
    Vector row;
    if constexpr (terms == 6) {
      row << 1.0, x, y, x * x, x * y, y * y;
    } else {
      row << 1.0, x, y;
    }
    const Vector weighted = weights[i] * row;
    matrix.noalias() += weighted * row.transpose();
    right += (unit * points[i].z()) * weighted;
  }
  // A small ridge that makes the matrix regular.
  const double ridge = 1e-10 * matrix(0, 0);
  matrix.diagonal().array() += ridge;
  return matrix.ldlt().solve(right);
}

}  // namespace

HeightFit::Bend HeightFit::bend(double x, double y) const {
  const auto& c = coefficients;
  const double zx = c[1] + 2.0 * c[3] * x + c[4] * y;
  const double zy = c[2] + c[4] * x + 2.0 * c[5] * y;
  const double stretch = std::sqrt(1.0 + zx * zx + zy * zy);
  // Half the divergence of the unit normal (−zx, −zy, 1) / stretch.
  const double twice = (1.0 + zy * zy) * 2.0 * c[3] - 2.0 * zx * zy * c[4] + (1.0 + zx * zx) * 2.0 * c[5];
  return {Vec3(-zx, -zy, 1.0) / stretch, -0.5 * twice / (stretch * stretch * stretch)};
}

HeightFit fit_heights(std::span<const Vec3> points, std::span<const double> weights, double radius, int degree) {
  HeightFit fit;
  if (degree >= 2) {
    fit.coefficients = solve<6>(points, weights, radius);
  } else {
    fit.coefficients.head<3>() = solve<3>(points, weights, radius);
  }
  fit.coefficients[0] *= radius;
  fit.coefficients.tail<3>() /= radius;
  return fit;
}

}  // namespace burnish
