#include "geometry/quadric.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <algorithm>

#include "test_clouds.hpp"

namespace burnish {
namespace {

double saddle(const Vec3& p) { return 0.01 * p.x() * p.x() - 0.02 * p.x() * p.y(); }

std::vector<Vec3> saddle_points() {
  std::vector<Vec3> points = plane_lattice(9, 1.0, {0, 0, 1}, 0.3);
  for (Vec3& p : points) {
    p.z() = saddle(p);
  }
  return points;
}

TEST(FitQuadric, FollowsAGentleSaddle) {
  const std::vector<Vec3> points = saddle_points();
  const QuadricFit fit = fit_quadric(points, {}, 6.0);
  // Tilted against the axes of the saddle, a quadric is one only nearly.
  EXPECT_LT(std::sqrt(fit.residual_variance), 0.02);
  for (const Vec3& p : points) {
    const QuadricFit::Place place = fit.place(p);
    const double above = place.height - fit.height_at(place);
    const Vec3 down = p + fit.correction_of(place, above);
    EXPECT_NEAR(down.z(), saddle(down), 0.05);
  }
}

TEST(FitQuadric, LeavesOverTheNoise) {
  TestRandom random;
  double sum = 0.0;
  const int runs = 200;
  for (int run = 0; run < runs; ++run) {
    std::vector<Vec3> points = saddle_points();
    std::vector<double> weights;
    for (Vec3& p : points) {
      p.z() += 0.1 * random.normal();
      weights.push_back(random.uniform(0.2, 1.0));
    }
    sum += fit_quadric(points, weights, 6.0).residual_variance;
  }
  EXPECT_NEAR(std::sqrt(sum / runs), 0.1, 0.004);
}

TEST(FitQuadric, CovarianceIsThatOfWeightedLeastSquares) {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  TestRandom random;
  const std::vector<Vec3> points = saddle_points();
  std::vector<double> weights(points.size());
  std::ranges::generate(weights, [&] { return random.uniform(0.2, 1.0); });
  const QuadricFit fit = fit_quadric(points, weights, 6.0);
  Matrix6 squares = Matrix6::Zero();
  Matrix6 weighted_squares = Matrix6::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const QuadricFit::Terms terms = fit.place(points[i]).terms;
    squares += weights[i] * terms * terms.transpose();
    weighted_squares += weights[i] * weights[i] * terms * terms.transpose();
  }
  const Eigen::FullPivLU<Matrix6> solver(squares);
  const Matrix6 half = solver.solve(weighted_squares);  // (XᵀWX)⁻¹ XᵀW²X
  const Matrix6 expected = solver.solve(half.transpose());
  EXPECT_LT((fit.covariance - expected).norm(), 1e-6 * expected.norm());
}

}  // namespace
}  // namespace burnish
