#include "burnish/estimate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "test_clouds.hpp"

namespace burnish {
namespace {

/// A plane seen at an angle, its points 1 apart, with noise of `sigma` spacings.
std::vector<Vec3> noisy_plane(double sigma) {
  TestRandom random;
  std::vector<Vec3> points = plane_lattice(80, 1.0, {1, 2, 5}, 0.3);
  for (Vec3& p : points) {
    p += sigma * random.normal3();
  }
  return points;
}

/// So many points on a sphere of diameter 1 stand for squares of this side.
double sphere_spacing(std::size_t count) { return std::sqrt(std::numbers::pi / static_cast<double>(count)); }

TEST(EstimateSpacing, IsTheConstantOfALattice) {
  for (const double constant : {1.0, 0.0123, 77.0}) {
    EXPECT_NEAR(estimate_spacing(plane_lattice(60, constant, {0, 0, 1})), constant, 0.1 * constant);
    EXPECT_NEAR(estimate_spacing(plane_lattice(60, constant, {1, 2, 3}, 0.4)), constant, 0.1 * constant);
  }
}

TEST(EstimateSpacing, IsTheSideOfTheSquareOfSurfaceThatAPointStandsFor) {
  for (const std::size_t count : {2000U, 8000U}) {
    const double expected = sphere_spacing(count);
    EXPECT_NEAR(estimate_spacing(make_shape("sphere")->sample(count)), expected, 0.1 * expected);
  }
}

TEST(EstimateSpacing, ScalesAndMovesWithTheCloud) {
  const std::vector<Vec3> points = noisy_shape("part", 3000, 0.003);
  const double spacing = estimate_spacing(points);
  for (const double scale : {1000.0, 1e-3}) {
    const auto scaled = transformed(points, [&](const Vec3& p) { return Vec3(scale * p); });
    EXPECT_NEAR(estimate_spacing(scaled), scale * spacing, 1e-12 * scale);
  }
  const auto moved = transformed(points, [](const Vec3& p) { return Vec3(p + Vec3(5e5, 4e6, 100)); });
  EXPECT_NEAR(estimate_spacing(moved), spacing, 1e-7 * spacing);
}

TEST(EstimateSpacing, IsNotFooledByDuplicatesAndBadPoints) {
  const std::vector<Vec3> points = noisy_shape("part", 2000, 0.003);
  std::vector<Vec3> more = points;
  more.insert(more.end(), points.begin(), points.end());
  more.insert(more.end(), 1000, Vec3(std::numeric_limits<double>::quiet_NaN(), 0, 0));
  EXPECT_EQ(estimate_spacing(more), estimate_spacing(points));
}

TEST(EstimateSpacing, OfFewPointsIsZeroOrALength) {
  EXPECT_EQ(estimate_spacing({}), 0.0);
  EXPECT_EQ(estimate_spacing(random_points(1)), 0.0);
  EXPECT_EQ(estimate_spacing(std::vector<Vec3>(50, Vec3(1, 2, 3))), 0.0);
  for (std::size_t count = 2; count < 20; ++count) {
    const double spacing = estimate_spacing(random_points(count));
    EXPECT_GT(spacing, 0.0);
    EXPECT_LT(spacing, 10.0);
  }
}

TEST(EstimateNoise, IsThatOfANoisyPlane) {
  for (const double sigma : {0.2, 0.4, 0.7, 1.0, 2.0, 4.0}) {
    EXPECT_NEAR(estimate_noise(noisy_plane(sigma)), sigma, 0.1 * sigma);
  }
}

TEST(EstimateNoise, IsThatOfNoisyShapes) {
  const std::size_t count = 20000;
  for (const char* name : {"sphere", "torus", "cube", "organic"}) {
    const double spacing = estimate_spacing(make_shape(name)->sample(count));
    for (const double spacings : {0.2, 0.5, 1.0, 2.0}) {
      const double sigma = spacings * spacing;
      const Estimate noise = estimate_noise(noisy_shape(name, count, sigma));
      EXPECT_NEAR(noise, sigma, 0.1 * sigma) << name << ' ' << spacings;
      EXPECT_LT(noise.uncertainty, 0.15 * sigma);
    }
  }
}

/// Several spacings wide, it takes more points for the shape to be larger than its noise. The part has thin walls.
TEST(EstimateNoise, IsThatOfStrongNoise) {
  const std::size_t count = 100000;
  for (const char* name : {"cube", "organic", "part"}) {
    const double spacing = estimate_spacing(make_shape(name)->sample(count));
    for (const double spacings : {4.0, 6.0}) {
      const double sigma = spacings * spacing;
      EXPECT_NEAR(estimate_noise(noisy_shape(name, count, sigma)), sigma, 0.1 * sigma) << name << ' ' << spacings;
    }
  }
}

TEST(EstimateNoise, DistinguishesTwoSheetsFromOne) {
  // A wall as thick as five standard deviations of the noise.
  const double sigma = 0.5;
  TestRandom random;
  std::vector<Vec3> points = plane_lattice(80, 1.0, {0, 0, 1}, 0.3);
  for (const Vec3& p : plane_lattice(80, 1.0, {0, 0, 1}, 0.3)) {
    points.push_back(p + Vec3(0.3, 0.4, 5.0 * sigma));
  }
  for (Vec3& p : points) {
    p += sigma * random.normal3();
  }
  EXPECT_NEAR(estimate_noise(points), sigma, 0.2 * sigma);
}

TEST(EstimateNoise, IsZeroWithoutASurface) {
  const Estimate noise = estimate_noise(random_points(3000));
  EXPECT_EQ(noise.value, 0.0);
  EXPECT_GT(noise.uncertainty, 0.0);
}

TEST(EstimateLocal, FollowsDensityAndNoise) {
  // Twice as far apart and four times as noisy on the right as on the left.
  TestRandom random;
  std::vector<Vec3> points;
  for (const Vec3& p : plane_lattice(60, 1.0, {0, 0, 1}, 0.3)) {
    points.push_back(p + 0.2 * random.normal3());
  }
  const std::size_t left = points.size();
  for (const Vec3& p : plane_lattice(60, 2.0, {0, 0, 1}, 0.3)) {
    points.push_back(p + Vec3(500, 0, 0) + 0.8 * random.normal3());
  }
  points.push_back(Vec3(std::numeric_limits<double>::quiet_NaN(), 0, 0));
  const std::vector<double> spacing = estimate_local_spacing(points);
  const std::vector<double> noise = estimate_local_noise(points);
  const auto mean = [](std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const std::size_t right = points.size() - 1 - left;
  EXPECT_NEAR(mean(std::span(spacing).first(left)), 1.0, 0.15);
  EXPECT_NEAR(mean(std::span(spacing).subspan(left, right)), 2.0, 0.3);
  EXPECT_NEAR(mean(std::span(noise).first(left)), 0.2, 0.05);
  EXPECT_NEAR(mean(std::span(noise).subspan(left, right)), 0.8, 0.2);
  EXPECT_EQ(spacing.back(), 0.0);
  EXPECT_EQ(noise.back(), 0.0);
}

TEST(EstimateNoise, IsNearNothingOnCleanShapes) {
  EXPECT_LT(estimate_noise(plane_lattice(60, 1.0, {1, 2, 5}, 0.3)), 1e-12);
  for (const char* name : {"sphere", "torus", "cube", "part", "organic"}) {
    // Fine detail counts as noise: the part has hardly a neighbourhood without an edge if its points are few.
    const std::vector<Vec3> points = make_shape(name)->sample(std::string_view(name) == "part" ? 20000 : 5000);
    EXPECT_LT(estimate_noise(points), 0.05 * estimate_spacing(points)) << name;
  }
}

TEST(EstimateNoise, ScalesWithTheCloud) {
  const std::vector<Vec3> points = noisy_shape("part", 3000, 0.005);
  const double noise = estimate_noise(points);
  const auto scaled = transformed(points, [](const Vec3& p) { return Vec3(1000.0 * p); });
  EXPECT_NEAR(estimate_noise(scaled), 1000.0 * noise, 1e-9 * noise * 1000.0);
}

TEST(EstimateNoise, DoesNotDependOnThreadsOrOrder) {
  const std::vector<Vec3> points = noisy_shape("part", 2000, 0.005);
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext many;
  many.threads = 7;
  EXPECT_EQ(estimate_noise(points, one), estimate_noise(points, many));
  EXPECT_EQ(estimate_spacing(points, one), estimate_spacing(points, many));
  std::vector<Vec3> shuffled;
  for (const std::uint32_t i : shuffled_indices(points.size())) {
    shuffled.push_back(points[i]);
  }
  EXPECT_EQ(estimate_noise(shuffled), estimate_noise(points));
}

TEST(EstimateNoise, OfFewPointsIsZeroOrALength) {
  for (std::size_t count = 0; count < 60; ++count) {
    const double noise = estimate_noise(random_points(count));
    EXPECT_GE(noise, 0.0);
    EXPECT_LT(noise, 2.0);
  }
  EXPECT_EQ(estimate_noise(random_points(5)), 0.0);
  EXPECT_EQ(estimate_noise(std::vector<Vec3>(500, Vec3(1, 2, 3))), 0.0);
}

}  // namespace
}  // namespace burnish
