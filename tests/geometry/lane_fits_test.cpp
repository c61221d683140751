#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <gtest/gtest.h>

#include <cmath>

#include "core/math.hpp"
#include "geometry/lane_math.hpp"
#include "geometry/lane_quadric.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

TEST(LaneMath, ExponentialIsWithinTwoUnitsOfTheLastPlace) {
  TestRandom random;
  using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;
  for (int i = 0; i < 20000; ++i) {
    const double x = -std::exp(random.uniform(-40.0, 6.5));
    const Pair both = exp_of_negative(Pair{x, 0.5 * x});
    for (int lane = 0; lane < 2; ++lane) {
      const double exact = math::exp(lane == 0 ? x : 0.5 * x);
      EXPECT_NEAR(both[lane], exact, 4.5e-16 * exact) << x;
    }
  }
  const Pair ends = exp_of_negative(Pair{0.0, -1e300});
  EXPECT_EQ(ends[0], 1.0);
  EXPECT_EQ(ends[1], 0.0);
}

TEST(LaneQuadric, SolvesAsADenseSolverDoes) {
  TestRandom random;
  Eigen::Matrix<double, Eigen::Dynamic, 6> terms(30, 6);
  Eigen::VectorXd heights(30);
  Eigen::VectorXd weights(30);
  QuadricSums<double> sums;
  for (Eigen::Index i = 0; i < 30; ++i) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    terms.row(i) << 1.0, x, y, x * x, x * y, y * y;
    heights[i] = 0.3 * x * y + 0.1 * random.normal();
    weights[i] = random.uniform(0.2, 1.0);
    sums.add(x, y, heights[i], weights[i]);
  }
  QuadricSolution<double> solution;
  solve_quadric(sums, solution);
  const Eigen::Matrix<double, 6, 6> inverse =
      (terms.transpose() * weights.asDiagonal() * terms).ldlt().solve(Eigen::Matrix<double, 6, 6>::Identity());
  const Eigen::Matrix<double, 6, Eigen::Dynamic> hat = inverse * terms.transpose() * weights.asDiagonal();
  const Eigen::VectorXd coefficients = hat * heights;
  const Eigen::Matrix<double, 6, 6> covariance = hat * hat.transpose();
  const Eigen::VectorXd residuals = heights - terms * coefficients;
  for (Eigen::Index i = 0; i < 6; ++i) {
    EXPECT_NEAR(solution.coefficients[static_cast<std::size_t>(i)], coefficients[i], 1e-6);
    for (Eigen::Index j = 0; j < 6; ++j) {
      EXPECT_NEAR(solution.covariance[i][j], covariance(i, j), 1e-6);
    }
  }
  const double degrees = weights.sum() - (hat * weights.asDiagonal() * terms).trace();
  EXPECT_NEAR(solution.residual_variance, residuals.dot(weights.asDiagonal() * residuals) / degrees, 1e-8);
}

}  // namespace
}  // namespace burnish
