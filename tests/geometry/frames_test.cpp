#include "geometry/frames.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "test_clouds.hpp"

namespace burnish {
namespace {

void expect_orthonormal(const PrincipalFrame& frame) {
  EXPECT_LT((frame.axes.transpose() * frame.axes - Eigen::Matrix3d::Identity()).norm(), 1e-12);
}

double spread(std::span<const Vec3> points, const Vec3& direction) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) {
    mean += p / static_cast<double>(points.size());
  }
  double sum = 0.0;
  for (const Vec3& p : points) {
    sum += std::pow((p - mean).dot(direction), 2);
  }
  return sum;
}

TEST(PrincipalFrame, IsOrthonormalAroundTheMean) {
  const std::vector<Vec3> points = random_points(30);
  const PrincipalFrame frame = principal_frame(points);
  expect_orthonormal(frame);
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) {
    sum += p;
  }
  EXPECT_LT((frame.mean - sum / 30.0).norm(), 1e-15);
}

TEST(PrincipalFrame, HasTheNormalOfAPlane) {
  for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(1, 2, 3), Vec3(-1, 0.001, 0), Vec3(0, 1, 0)}) {
    const PrincipalFrame frame = principal_frame(plane_lattice(5, 0.3, normal, 0.3));
    expect_orthonormal(frame);
    // Angle from the cross product: the scalar product does not resolve angles below 1e-8.
    EXPECT_LT(frame.axes.col(2).cross(normal.normalized()).norm(), 1e-12);
  }
}

TEST(PrincipalFrame, PutsTheNormalWhereThePointsSpreadLeast) {
  TestRandom random;
  std::vector<Vec3> points;
  for (int i = 0; i < 60; ++i) {
    points.push_back(Vec3(2.0, 1.0, 0.4).cwiseProduct(random.normal3()) + Vec3(5, 6, 7));
  }
  const PrincipalFrame frame = principal_frame(points);
  const double first = spread(points, frame.axes.col(0));
  const double second = spread(points, frame.axes.col(1));
  const double least = spread(points, frame.axes.col(2));
  EXPECT_GE(first, second);
  EXPECT_GE(second, least);
  for (int i = 0; i < 2000; ++i) {
    const double other = spread(points, random.normal3().normalized());
    ASSERT_GE(other, least * (1.0 - 1e-12));
    ASSERT_LE(other, first * (1.0 + 1e-12));
  }
}

TEST(PrincipalFrame, SeesTheNormalOfAVeryThinPatch) {
  TestRandom random;
  std::vector<Vec3> points = plane_lattice(6, 1.0, {1, 1, 1});
  for (Vec3& p : points) {
    p += 1e-9 * random.normal() * Vec3(1, 1, 1).normalized();
  }
  EXPECT_LT(principal_frame(points).axes.col(2).cross(Vec3(1, 1, 1).normalized()).norm(), 1e-8);
}

TEST(PrincipalFrame, IsStillAFrameForDegenerateInput) {
  std::vector<Vec3> line;
  for (int i = 0; i < 10; ++i) {
    line.push_back(i * Vec3(1, 2, 3));
  }
  const PrincipalFrame of_line = principal_frame(line);
  expect_orthonormal(of_line);
  EXPECT_NEAR(std::abs(of_line.axes.col(0).dot(Vec3(1, 2, 3).normalized())), 1.0, 1e-12);
  expect_orthonormal(principal_frame(std::vector<Vec3>{{1, 2, 3}}));
  expect_orthonormal(principal_frame(std::vector<Vec3>(20, Vec3(0.1, 0.2, 0.3))));
  expect_orthonormal(principal_frame(std::vector<Vec3>{{1e-200, 0, 0}, {0, 1e-200, 0}, {0, 0, 0}}));
}

}  // namespace
}  // namespace burnish
