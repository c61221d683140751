#include "burnish/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <numeric>

#include "test_clouds.hpp"

namespace burnish {
namespace {

/// The definition, in O(N·count).
std::vector<std::uint32_t> brute_force_sample(std::span<const Vec3> points, std::size_t count, std::uint32_t first) {
  std::vector<std::uint32_t> chosen{first};
  std::vector<double> distance(points.size(), std::numeric_limits<double>::infinity());
  while (chosen.size() < count) {
    const Vec3& last = points[chosen.back()];
    distance[chosen.back()] = -1.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 d = points[i] - last;
      distance[i] = std::min(distance[i], d.x() * d.x() + d.y() * d.y() + d.z() * d.z());
    }
    chosen.push_back(static_cast<std::uint32_t>(std::ranges::max_element(distance) - distance.begin()));
  }
  return chosen;
}

TEST(FarthestPointSample, EqualsTheDefinitionForRandomPoints) {
  const std::vector<Vec3> points = random_points(2000);
  for (const std::uint32_t first : {0U, 1234U, 1999U}) {
    EXPECT_EQ(farthest_point_sample(points, 1000, first), brute_force_sample(points, 1000, first));
  }
}

TEST(FarthestPointSample, EqualsTheDefinitionOnSurfacesAndClusters) {
  const std::vector<Vec3> surface = noisy_shape("part", 3000, 0.005);
  EXPECT_EQ(farthest_point_sample(surface, 1500), brute_force_sample(surface, 1500, 0));
  const std::vector<Vec3> clusters = clustered_points(1500);
  EXPECT_EQ(farthest_point_sample(clusters, 700, 3), brute_force_sample(clusters, 700, 3));
}

TEST(FarthestPointSample, TakesTheLowestIndexOfEquallyFarPoints) {
  const std::vector<Vec3> points = grid_points(8);
  EXPECT_EQ(farthest_point_sample(points, points.size()), brute_force_sample(points, points.size(), 0));
  // All four are two away from the first.
  const std::vector<Vec3> cross{{0, 0, 0}, {0, 2, 0}, {2, 0, 0}, {0, -2, 0}, {-2, 0, 0}};
  EXPECT_EQ(farthest_point_sample(cross, 5), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(FarthestPointSample, TakesDuplicatesLastAndOnceEach) {
  std::vector<Vec3> points = random_points(100);
  for (int copies = 0; copies < 3; ++copies) {
    points.insert(points.end(), points.begin(), points.begin() + 100);
  }
  const std::vector<std::uint32_t> chosen = farthest_point_sample(points, points.size(), 5);
  EXPECT_EQ(chosen, brute_force_sample(points, points.size(), 5));
  EXPECT_TRUE(std::all_of(chosen.begin() + 1, chosen.begin() + 100, [](std::uint32_t i) { return i < 100; }));
}

TEST(FarthestPointSample, OfAllPointsIsAPermutation) {
  for (const auto& points : {random_points(777), grid_points(7), std::vector<Vec3>(500, Vec3(1, 1, 1)),
                             random_points(1), random_points(2), random_points(17)}) {
    std::vector<std::uint32_t> chosen = farthest_point_sample(points, points.size());
    std::ranges::sort(chosen);
    std::vector<std::uint32_t> all(points.size());
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(chosen, all);
  }
}

TEST(FarthestPointSample, OfNothingIsNothing) {
  EXPECT_TRUE(farthest_point_sample({}, 0).empty());
  EXPECT_TRUE(farthest_point_sample(random_points(5), 0).empty());
  EXPECT_EQ(farthest_point_sample(random_points(5), 1, 3), (std::vector<std::uint32_t>{3}));
}

/// Seconds of processor time that sampling half of the points takes, on one thread; the least of three.
double seconds_to_sample_half(const std::vector<Vec3>& points) {
  ExecutionContext one;
  one.threads = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 3; ++repetition) {
    const std::clock_t start = std::clock();
    EXPECT_EQ(farthest_point_sample(points, points.size() / 2, 0, one).size(), points.size() / 2);
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

TEST(FarthestPointSample, TakesNearLinearTime) {
  // For eight times as many points, linear time is 8 times as long; the definition's is 64 times as long.
  const auto torus = make_shape("torus");
  const double few = seconds_to_sample_half(torus->sample_at_random(5000));
  EXPECT_LT(seconds_to_sample_half(torus->sample_at_random(40000)), 24.0 * few);
}

TEST(FarthestPointSample, DoesNotDependOnThreadsAndCanBeCancelled) {
  const std::vector<Vec3> points = random_points(200000);
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext many;
  many.threads = 7;
  EXPECT_EQ(farthest_point_sample(points, 5000, 0, one), farthest_point_sample(points, 5000, 0, many));
  one.cancel();
  EXPECT_THROW((void)farthest_point_sample(points, 5000, 0, one), Cancelled);
}

TEST(SampledDiameter, IsTheLargestDistanceOfFewPoints) {
  const std::vector<Vec3> points = random_points(150);
  double expected = 0.0;
  for (const Vec3& a : points) {
    for (const Vec3& b : points) {
      expected = std::max(expected, (a - b).norm());
    }
  }
  EXPECT_DOUBLE_EQ(sampled_diameter(points), expected);
}

TEST(SampledDiameter, IsCloseToThatOfAShape) {
  const std::vector<Vec3> sphere = make_shape("sphere")->sample(5000);
  EXPECT_NEAR(sampled_diameter(sphere), 1.0, 0.02);
  const std::vector<Vec3> cube = make_shape("cube")->sample(5000);
  EXPECT_NEAR(sampled_diameter(cube), std::sqrt(3.0), 0.05);
  EXPECT_LE(sampled_diameter(cube), std::sqrt(3.0));
}

TEST(SampledDiameter, OfHardlyAnyPointsIsZero) {
  EXPECT_EQ(sampled_diameter({}), 0.0);
  EXPECT_EQ(sampled_diameter(std::vector<Vec3>(1, Vec3(1, 2, 3))), 0.0);
  EXPECT_EQ(sampled_diameter(std::vector<Vec3>(1000, Vec3(1, 2, 3))), 0.0);
}

}  // namespace
}  // namespace burnish
