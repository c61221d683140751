#pragma once

#include <array>

#include "geometry/lane_plane.hpp"

namespace burnish {

/// Where the product of terms i and j of a quadric (1, x, y, x², xy, y²) is among the powers up to the fourth:
/// 1; x, y; x², xy, y²; x³, x²y, xy², y³; x⁴, x³y, x²y², xy³, y⁴.
inline constexpr std::size_t place_of_product[6][6] = {{0, 1, 2, 3, 4, 5},    {1, 3, 4, 6, 7, 8},
                                                       {2, 4, 5, 7, 8, 9},    {3, 6, 7, 10, 11, 12},
                                                       {4, 7, 8, 11, 12, 13}, {5, 8, 9, 12, 13, 14}};

template <class Number>
using Powers = std::array<Number, 15>;

/// What the weighted least-squares fit of a quadric to heights needs.
template <class Number>
struct QuadricSums {
  Powers<Number> moments{};           ///< weight times powers
  Powers<Number> weighted_moments{};  ///< squared weight times powers
  std::array<Number, 6> right{};      ///< weight times height times terms
  Number height_squares{};            ///< weighted

  [[gnu::always_inline]] void add(const Number& x, const Number& y, const Number& height, const Number& weight) {
    const Number xx = x * x;
    const Number xy = x * y;
    const Number yy = y * y;
    const Powers<Number> powers = {Number{} + 1.0, x,      y,       xx,      xy,      yy,      xx * x, xx * y,
                                   x * yy,         yy * y, xx * xx, xx * xy, xx * yy, xy * yy, yy * yy};
    const Number weight_square = weight * weight;
    for (std::size_t i = 0; i < powers.size(); ++i) {
      moments[i] += weight * powers[i];
      weighted_moments[i] += weight_square * powers[i];
    }
    const Number weighted_height = weight * height;
    for (std::size_t i = 0; i < right.size(); ++i) {
      right[i] += weighted_height * powers[i];
    }
    height_squares += weighted_height * height;
  }
};

template <class Number>
struct QuadricSolution {
  std::array<Number, 6> coefficients;
  Number covariance[6][6];  ///< of the coefficients if the heights have noise of variance 1
  Number residual_variance;
};

/// x and y are at most about 1.
template <class Number>
[[gnu::always_inline]] inline void solve_quadric(const QuadricSums<Number>& sums, QuadricSolution<Number>& solution) {
  const Number zero{};
  const Number weight_sum = sums.moments[0];
  // XᵀWX = L D Lᵀ, with a small ridge, for points on a line or a conic, where the quadric is not unique.
  Number lower[6][6];
  Number inverse_diagonal[6];
  for (std::size_t j = 0; j < 6; ++j) {
    Number scaled[6];  // row j of L, times D
    Number diagonal = sums.moments[place_of_product[j][j]] + 1e-9 * weight_sum;
    for (std::size_t k = 0; k < j; ++k) {
      scaled[k] = lower[j][k];
      lower[j][k] = scaled[k] * inverse_diagonal[k];
      diagonal -= scaled[k] * lower[j][k];
    }
    inverse_diagonal[j] = 1.0 / diagonal;
    for (std::size_t i = j + 1; i < 6; ++i) {
      // Not yet divided by the diagonal: that is done when row i is complete.
      Number entry = sums.moments[place_of_product[i][j]];
      for (std::size_t k = 0; k < j; ++k) {
        entry -= lower[i][k] * lower[j][k];
      }
      lower[i][j] = entry;
    }
  }
  // The inverse of L, in place of it.
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = j + 1; i < 6; ++i) {
      Number entry = -lower[i][j];
      for (std::size_t k = j + 1; k < i; ++k) {
        entry -= lower[i][k] * lower[k][j];
      }
      lower[i][j] = entry;
    }
  }
  Number inverse[6][6];
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      Number entry = zero;
      for (std::size_t k = i; k < 6; ++k) {
        const Number left = k == i ? inverse_diagonal[k] : lower[k][i] * inverse_diagonal[k];
        entry += k == j ? left : left * lower[k][j];
      }
      inverse[i][j] = entry;
      inverse[j][i] = entry;
    }
  }
  Number explained = zero;
  for (std::size_t i = 0; i < 6; ++i) {
    Number entry = zero;
    for (std::size_t j = 0; j < 6; ++j) {
      entry += inverse[i][j] * sums.right[j];
    }
    solution.coefficients[i] = entry;
    explained += entry * sums.right[i];
  }
  Number trace = zero;
  for (std::size_t i = 0; i < 6; ++i) {
    Number smoothing[6];  // row i of the inverse times XᵀW²X
    for (std::size_t j = 0; j < 6; ++j) {
      Number entry = zero;
      for (std::size_t k = 0; k < 6; ++k) {
        entry += inverse[i][k] * sums.weighted_moments[place_of_product[k][j]];
      }
      smoothing[j] = entry;
    }
    trace += smoothing[i];
    for (std::size_t j = 0; j <= i; ++j) {
      Number entry = zero;
      for (std::size_t k = 0; k < 6; ++k) {
        entry += smoothing[k] * inverse[k][j];
      }
      solution.covariance[i][j] = entry;
      solution.covariance[j][i] = entry;
    }
  }
  solution.residual_variance = larger_of<Number>(zero, sums.height_squares - explained) /
                               larger_of<Number>(weight_sum - trace, 1e-9 * weight_sum);
}

/// A quadric for every lane; see QuadricFit.
template <class Number>
struct LaneQuadric {
  LaneFrame<Number> frame;
  Number unit;  ///< by which x and y are multiplied
  std::array<Number, 6> coefficients;
  Powers<Number> variance;  ///< of the height, as a polynomial, for noise of variance 1
  Number residual_variance;

  [[gnu::always_inline]] Number height_at(const Number& x, const Number& y) const {
    const auto& c = coefficients;
    return c[0] + x * (c[1] + c[3] * x + c[4] * y) + y * (c[2] + c[5] * y);
  }

  [[gnu::always_inline]] Number variance_at(const Number& x, const Number& y) const {
    const auto& v = variance;
    const Number yy = y * y;
    return v[0] + x * (v[1] + x * (v[3] + x * (v[6] + x * v[10] + y * v[11]) + y * (v[7] + y * v[12]))) +
           y * (v[2] + x * (v[4] + yy * v[13] + y * v[8])) + yy * (v[5] + y * v[9] + yy * v[14]);
  }
};

template <class Number>
[[gnu::always_inline]] inline void fit_lane_quadric(const LanePoints& points, const Number& radius,
                                                    LaneQuadric<Number>& quadric) {
  quadric.frame = principal_frame_of<Number>(points);
  quadric.unit = 1.0 / radius;
  QuadricSums<Number> sums;
  for (std::size_t i = 0; i < points.count; ++i) {
    const Triple<Number> place = quadric.frame.place(points.point<Number>(i));
    sums.add(quadric.unit * place.x, quadric.unit * place.y, place.z, load<Number>(points.weight, i));
  }
  QuadricSolution<Number> solution;
  solve_quadric(sums, solution);
  quadric.coefficients = solution.coefficients;
  quadric.residual_variance = solution.residual_variance;
  quadric.variance.fill(Number{});
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      quadric.variance[place_of_product[i][j]] += solution.covariance[i][j];
    }
  }
}

}  // namespace burnish
