#include "geometry/height_fit.hpp"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "geometry/frames.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

TEST(HeightFit, FindsTheQuadricThatPointsLieOn) {
  TestRandom random;
  std::vector<Vec3> points;
  std::vector<double> weights;
  for (int i = 0; i < 20; ++i) {
    const double x = random.uniform(-3, 3);
    const double y = random.uniform(-3, 3);
    points.emplace_back(x, y, 0.5 - 2 * x + y + 0.3 * x * x - 0.7 * x * y + 0.1 * y * y);
    weights.push_back(random.uniform(0.1, 1));
  }
  const HeightFit fit = fit_heights(points, weights, 3.0, 2);
  for (const Vec3& p : points) {
    EXPECT_NEAR(fit.height(p.x(), p.y()), p.z(), 1e-7);
  }
}

TEST(HeightFit, IsTheLeastSquaresSolution) {
  const std::vector<Vec3> points = random_points(30);
  TestRandom random;
  Eigen::MatrixXd rows(30, 3);
  Eigen::VectorXd heights(30);
  std::vector<double> weights;
  for (int i = 0; i < 30; ++i) {
    weights.push_back(random.uniform(0.1, 1));
    const double root = std::sqrt(weights.back());
    rows.row(i) << root, root * points[i].x(), root * points[i].y();
    heights[i] = root * points[i].z();
  }
  const Eigen::Vector3d expected = rows.colPivHouseholderQr().solve(heights);
  const HeightFit fit = fit_heights(points, weights, 1.0, 1);
  EXPECT_LT((fit.coefficients.head<3>() - expected).norm(), 1e-8);
  EXPECT_EQ(fit.coefficients.tail<3>().norm(), 0.0);
}

TEST(HeightFit, BendsAsASphereDoes) {
  // Around a point of a sphere of radius 2, far from its top, where the slope matters.
  const Vec3 centre(1.0, 0.5, std::sqrt(4.0 - 1.25));
  std::vector<Vec3> points;
  for (int i = -2; i <= 2; ++i) {
    for (int j = -2; j <= 2; ++j) {
      const double x = 0.01 * i;
      const double y = 0.01 * j;
      const double height = std::sqrt(4.0 - std::pow(centre.x() + x, 2) - std::pow(centre.y() + y, 2));
      points.emplace_back(x, y, height - centre.z());
    }
  }
  const HeightFit fit = fit_heights(points, std::vector<double>(points.size(), 1.0), 0.03, 2);
  const HeightFit::Bend bend = fit.bend(0.0, 0.0);
  EXPECT_NEAR(bend.mean_curvature, 0.5, 1e-3);
  EXPECT_LT((bend.normal - centre / 2.0).norm(), 1e-4);
}

TEST(HeightFit, OfPointsThatDoNotDetermineItIsFlat) {
  const std::vector<Vec3> points{{0, 0, 1}, {1, 1, 1}};
  const HeightFit fit = fit_heights(points, std::vector<double>{1, 1}, 1.0, 2);
  EXPECT_NEAR(fit.height(0, 0), 1.0, 1e-6);
  EXPECT_LT(fit.coefficients.tail<5>().norm(), 1e-3);
}

TEST(PrincipalFrame, OfWeightedPointsIsThatOfRepeatedOnes) {
  const std::vector<Vec3> points = random_points(10);
  std::vector<Vec3> repeated;
  std::vector<double> weights;
  for (std::size_t i = 0; i < points.size(); ++i) {
    weights.push_back(0.5 * static_cast<double>(i));
    repeated.insert(repeated.end(), i, points[i]);
  }
  const PrincipalFrame expected = principal_frame(repeated);
  const PrincipalFrame found = principal_frame(points, weights);
  EXPECT_LT((found.mean - expected.mean).norm(), 1e-14);
  EXPECT_NEAR(std::abs(found.axes.col(2).dot(expected.axes.col(2))), 1.0, 1e-10);
  EXPECT_NEAR(std::abs(found.axes.col(0).dot(expected.axes.col(0))), 1.0, 1e-10);
}

}  // namespace
}  // namespace burnish
