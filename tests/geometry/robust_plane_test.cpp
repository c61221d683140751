#include "geometry/robust_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "test_clouds.hpp"

namespace burnish {
namespace {

RobustPlane fit(const std::vector<Vec3>& points, double radius, double noise) {
  const std::vector<double> weights(points.size(), 1.0);
  std::vector<double> scratch(points.size());
  return fit_robust_plane(points, weights, radius, noise, scratch);
}

TEST(RobustPlane, FindsAPlaneAndItsNoise) {
  TestRandom random;
  std::vector<Vec3> points = plane_lattice(40, 1.0, {0, 0, 1}, 0.3);
  for (Vec3& p : points) {
    p.z() += 0.1 * random.normal();
  }
  const RobustPlane plane = fit(points, 28.0, 0.1);
  EXPECT_GT(std::abs(plane.frame.axes(2, 2)), 1.0 - 1e-5);
  // What is far off weighs less, so that a little less than all of the noise is seen.
  EXPECT_NEAR(std::sqrt(plane.residual_variance), 0.09, 0.01);
  // 1600 points that all weigh about the same: the mean is as certain as they are many, and the slopes do not show
  // there.
  const RobustPlane::Place middle = plane.place(plane.frame.mean);
  EXPECT_NEAR(plane.variance_at(middle), 1.0 / 1600.0, 0.1 / 1600.0);
  EXPECT_GT(plane.variance_at(plane.place(plane.frame.mean + Vec3(20, 0, 0))), 2.0 * plane.variance_at(middle));
}

TEST(RobustPlane, TakesTheLargerOfTwoFaces) {
  // Two thirds of the points on the plane z = 0, one third on x = 0.
  std::vector<Vec3> points;
  for (int x = 0; x < 8; ++x) {
    for (int y = 0; y < 12; ++y) {
      points.emplace_back(x, y, 0.0);
    }
  }
  for (int z = 1; z < 5; ++z) {
    for (int y = 0; y < 12; ++y) {
      points.emplace_back(0.0, y, z);
    }
  }
  const RobustPlane plane = fit(points, 8.0, 0.2);
  // Those by the edge are near enough to have a say, so that it tilts by a few degrees; a plane through all of them is
  // off by 20.
  EXPECT_GT(std::abs(plane.frame.axes(2, 2)), std::cos(8.0 * std::numbers::pi / 180.0));
  EXPECT_LT(std::abs(principal_frame(points).axes(2, 2)), std::cos(15.0 * std::numbers::pi / 180.0));
}

TEST(RobustPlane, OfPointsOnALineIsFinite) {
  std::vector<Vec3> points;
  for (int i = 0; i < 10; ++i) {
    points.emplace_back(i, 0.0, 0.0);
  }
  const RobustPlane plane = fit(points, 5.0, 0.1);
  EXPECT_TRUE(plane.covariance.allFinite());
  EXPECT_TRUE(std::isfinite(plane.variance_at(plane.place(Vec3(1, 2, 3)))));
  EXPECT_NEAR(plane.residual_variance, 0.0, 1e-12);
}

}  // namespace
}  // namespace burnish
