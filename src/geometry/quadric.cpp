#include "geometry/quadric.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "geometry/lane_quadric.hpp"

namespace burnish {

namespace {

/// Two lanes, which every processor supports.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

/// The sums of both lanes.
template <std::size_t count>
std::array<double, count> joined(const std::array<Pair, count>& sums) {
  std::array<double, count> result;
  std::ranges::transform(sums, result.begin(), [](const Pair& sum) { return sum[0] + sum[1]; });
  return result;
}

}  // namespace

QuadricFit fit_quadric(std::span<const Vec3> points, std::span<const double> weights, double scale) {
  QuadricFit fit;
  fit.frame = weights.empty() ? principal_frame(points) : principal_frame(points, weights);
  fit.scale = scale;
  QuadricSums<Pair> sums;
  for (std::size_t i = 0; i < points.size(); i += 2) {
    // The last of an odd number is paired with a point of weight 0.
    const bool has_two = i + 1 < points.size();
    const Vec3 first = fit.frame.axes.transpose() * (points[i] - fit.frame.mean);
    const Vec3 second = fit.frame.axes.transpose() * (points[has_two ? i + 1 : i] - fit.frame.mean);
    const Pair weight =
        weights.empty() ? Pair{1.0, has_two ? 1.0 : 0.0} : Pair{weights[i], has_two ? weights[i + 1] : 0.0};
    sums.add(Pair{first.x(), second.x()} / scale, Pair{first.y(), second.y()} / scale, Pair{first.z(), second.z()},
             weight);
  }
  QuadricSolution<double> solution;
  solve_quadric(QuadricSums<double>{joined(sums.moments), joined(sums.weighted_moments), joined(sums.right),
                                    sums.height_squares[0] + sums.height_squares[1]},
                solution);
  for (Eigen::Index i = 0; i < 6; ++i) {
    fit.coefficients[i] = solution.coefficients[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < 6; ++j) {
      fit.covariance(i, j) = solution.covariance[i][j];
    }
  }
  fit.residual_variance = solution.residual_variance;
  return fit;
}

}  // namespace burnish
