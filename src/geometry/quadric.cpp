#include "geometry/quadric.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace burnish {

namespace {

/// Two numbers at a time, which every processor can.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

/// Sums over points of weight · xᵃ yᵇ, with a + b up to four: all that the products of two terms of a quadric are.
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

using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// The inverse, from the factors. Eigen's solver for several right-hand sides adds in blocks whose size depends on the
/// processor's registers; these blocks of four are those of SSE2, on every processor.
Matrix6 inverse_of(const Eigen::LDLT<Matrix6>& factors) {
  constexpr Eigen::Index size = 6;
  constexpr Eigen::Index block = 4;
  const Matrix6& lower = factors.matrixLDLT();
  Eigen::Matrix<double, size, size, Eigen::RowMajor> rows = factors.transpositionsP() * Matrix6::Identity();
  // Subtracts from a row, as one sum, the rows from `begin` to `end` as often as `factor(row)` says.
  const auto subtract = [&](Eigen::Index row, Eigen::Index begin, Eigen::Index end, const auto& factor) {
    Eigen::Matrix<double, 1, size> sum = Eigen::Matrix<double, 1, size>::Zero();
    for (Eigen::Index k = begin; k < end; ++k) {
      sum += factor(k) * rows.row(k);
    }
    rows.row(row) -= sum;
  };
  for (Eigen::Index begin = 0; begin < size; begin += block) {
    const Eigen::Index end = std::min(begin + block, size);
    for (Eigen::Index k = begin; k < end; ++k) {
      for (Eigen::Index i = k + 1; i < end; ++i) {
        rows.row(i) -= lower(i, k) * rows.row(k);
      }
    }
    for (Eigen::Index i = end; i < size; ++i) {
      subtract(i, begin, end, [&](Eigen::Index k) { return lower(i, k); });
    }
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    const double pivot = lower(i, i);
    if (std::abs(pivot) > std::numeric_limits<double>::min()) {
      rows.row(i) /= pivot;
    } else {
      rows.row(i).setZero();  // as Eigen does
    }
  }
  for (Eigen::Index end = size; end > 0; end -= std::min(end, block)) {
    const Eigen::Index begin = std::max<Eigen::Index>(end - block, 0);
    for (Eigen::Index i = end - 1; i >= 0; --i) {
      subtract(i, std::max(i + 1, begin), end, [&](Eigen::Index k) { return lower(k, i); });
    }
  }
  return factors.transpositionsP().transpose() * Matrix6(rows);
}

}  // namespace

QuadricFit fit_quadric(std::span<const Vec3> points, std::span<const double> weights, double scale) {
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
  const Matrix6 inverse = inverse_of(solver);
  const Matrix6 smoothing = inverse * weighted_squares;
  fit.covariance = smoothing * inverse;
  const double residual = std::max(0.0, height_squares - fit.coefficients.dot(right_side));
  fit.residual_variance = residual / std::max(weight_sum - smoothing.trace(), 1e-9 * weight_sum);
  return fit;
}

}  // namespace burnish
