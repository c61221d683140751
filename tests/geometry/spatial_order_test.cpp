#include "geometry/spatial_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "test_clouds.hpp"

namespace burnish {
namespace {

std::vector<Vec3> in_order(std::span<const Vec3> points) {
  std::vector<Vec3> result;
  for (const std::uint32_t i : spatial_order(points)) {
    result.push_back(points[i]);
  }
  return result;
}

TEST(SpatialOrder, IsAPermutation) {
  for (const auto& points : {std::vector<Vec3>{}, random_points(1), random_points(5000), grid_points(10),
                             clustered_points(3000), std::vector<Vec3>(100, Vec3(3, 3, 3))}) {
    std::vector<std::uint32_t> order = spatial_order(points);
    std::ranges::sort(order);
    std::vector<std::uint32_t> all(points.size());
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(order, all);
  }
}

TEST(SpatialOrder, DoesNotDependOnTheOrderOfTheInput) {
  std::vector<Vec3> points = random_points(20000);
  // Closer together than a cell of the curve, so that only the coordinates distinguish them.
  for (int i = 0; i < 200; ++i) {
    points.push_back(points[7] + Vec3(1e-12 * (i % 5), 1e-12 * (i % 7), 1e-12 * (i % 11)));
  }
  points.insert(points.end(), points.begin(), points.begin() + 100);  // duplicates
  const std::vector<Vec3> expected = in_order(points);
  for (const std::uint32_t seed : {1U, 2U}) {
    std::vector<Vec3> shuffled;
    for (const std::uint32_t i : shuffled_indices(points.size(), seed)) {
      shuffled.push_back(points[i]);
    }
    EXPECT_TRUE(same_bits(in_order(shuffled), expected));
  }
}

TEST(SpatialOrder, DoesNotDependOnThreads) {
  const std::vector<Vec3> points = random_points(200000);
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext many;
  many.threads = 7;
  EXPECT_EQ(spatial_order(points, one), spatial_order(points, many));
}

TEST(SpatialOrder, KeepsNeighboursTogether) {
  const std::vector<Vec3> points = random_points(8000);
  const auto mean_step = [](std::span<const Vec3> path) {
    double sum = 0.0;
    for (std::size_t i = 1; i < path.size(); ++i) {
      sum += (path[i] - path[i - 1]).norm();
    }
    return sum / static_cast<double>(path.size() - 1);
  };
  // 8000 points in a cube of side 2 are 0.1 apart; at random they follow each other at 1.3.
  EXPECT_LT(mean_step(in_order(points)), 0.2);
}

}  // namespace
}  // namespace burnish
