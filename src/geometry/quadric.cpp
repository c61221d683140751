#include "geometry/quadric.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cstddef>

namespace burnish {

namespace {

/// Two lanes, which every processor supports.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

/// Sums over points of weight · xᵃ yᵇ with a + b ≤ 4: all products of two terms of a quadric.
struct Moments {
  // 1; x, y; x², xy, y²; x³, x²y, xy², y³; x⁴, x³y, x²y², xy³, y⁴
  std::array<Pair, 15> sums{};

  void add(const std::array<Pair, 15>& powers, Pair weight) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += weight * powers[i];
    }
  }

  [[nodiscard]] Eigen::Matrix<double, 6, 6> products_of_terms() const {
    constexpr std::array<std::array<std::size_t, 6>, 6> places = {{{0, 1, 2, 3, 4, 5},
                                                                   {1, 3, 4, 6, 7, 8},
                                                                   {2, 4, 5, 7, 8, 9},
                                                                   {3, 6, 7, 10, 11, 12},
                                                                   {4, 7, 8, 11, 12, 13},
                                                                   {5, 8, 9, 12, 13, 14}}};
    Eigen::Matrix<double, 6, 6> products;
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        const Pair sum = sums[places[i][j]];
        products(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = sum[0] + sum[1];
      }
    }
    return products;
  }
};

}  // namespace

QuadricFit fit_quadric(std::span<const Vec3> points, std::span<const double> weights, double scale) {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  QuadricFit fit;
  fit.frame = weights.empty() ? principal_frame(points) : principal_frame(points, weights);
  fit.scale = scale;
  Moments moments;
  Moments weighted_moments;
  std::array<Pair, 6> right_sums{};
  Pair height_square_sums{};
  for (std::size_t i = 0; i < points.size(); i += 2) {
    // The last of an odd number is paired with a point of weight 0.
    const bool has_two = i + 1 < points.size();
    const Vec3 first = fit.frame.axes.transpose() * (points[i] - fit.frame.mean);
    const Vec3 second = fit.frame.axes.transpose() * (points[has_two ? i + 1 : i] - fit.frame.mean);
    const Pair w = weights.empty() ? Pair{1.0, has_two ? 1.0 : 0.0} : Pair{weights[i], has_two ? weights[i + 1] : 0.0};
    const Pair x = Pair{first.x(), second.x()} / scale;
    const Pair y = Pair{first.y(), second.y()} / scale;
    const Pair z = Pair{first.z(), second.z()};
    const Pair xx = x * x;
    const Pair xy = x * y;
    const Pair yy = y * y;
    const std::array<Pair, 15> powers = {Pair{1.0, 1.0}, x,      y,       xx,      xy,      yy,      xx * x, xx * y,
                                         x * yy,         yy * y, xx * xx, xx * xy, xx * yy, xy * yy, yy * yy};
    moments.add(powers, w);
    weighted_moments.add(powers, w * w);
    const Pair weighted_height = w * z;
    for (std::size_t t = 0; t < right_sums.size(); ++t) {
      right_sums[t] += weighted_height * powers[t];
    }
    height_square_sums += weighted_height * z;
  }
  Matrix6 squares = moments.products_of_terms();                          // XᵀWX
  const Matrix6 weighted_squares = weighted_moments.products_of_terms();  // XᵀW²X
  const double weight_sum = squares(0, 0);
  QuadricFit::Terms right_side;
  for (std::size_t t = 0; t < right_sums.size(); ++t) {
    right_side[static_cast<Eigen::Index>(t)] = right_sums[t][0] + right_sums[t][1];
  }
  const double height_squares = height_square_sums[0] + height_square_sums[1];
  // A small ridge, for points on a line or a conic, where the quadric is not unique.
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
