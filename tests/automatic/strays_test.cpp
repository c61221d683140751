#include "automatic/strays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "automatic/analyse.hpp"
#include "burnish/denoise.hpp"
#include "burnish/metrics.hpp"
#include "geometry/working_points.hpp"
#include "test_clouds.hpp"

namespace burnish::automatic {
namespace {

const ExecutionContext context;

std::vector<Stray> strays_of(const std::vector<Vec3>& points, double noise) {
  const NeighbourSearch search(points, context);
  const StraySearch strays(points, search, context);
  return strays.find(strays.typical_distance(), std::vector<double>(points.size(), noise),
                     StraySearch::Among::isolated);
}

/// A plane with noise, and points above it at given heights, in spacings.
std::vector<Vec3> plane_and(const std::vector<double>& heights) {
  TestRandom random;
  std::vector<Vec3> points = plane_lattice(60, 1.0, {0, 0, 1}, 0.3);
  for (Vec3& p : points) {
    p.z() += 0.1 * random.normal();
  }
  for (std::size_t i = 0; i < heights.size(); ++i) {
    points.emplace_back(random.uniform(5.0, 55.0), random.uniform(5.0, 55.0), heights[i]);
  }
  return points;
}

TEST(Strays, AreFoundWithTheirHeightAndTheirFoot) {
  const std::vector<Vec3> points = plane_and({3.0, -5.0, 8.0});
  const std::vector<Stray> strays = strays_of(points, 0.1);
  ASSERT_EQ(strays.size(), 3U);
  for (const Stray& stray : strays) {
    EXPECT_GE(stray.point, 3600U);
    EXPECT_NEAR(stray.foot.z(), 0.0, 0.3);
    EXPECT_NEAR(stray.height * 1.3, std::abs(points[stray.point].z()), 0.3 * std::abs(points[stray.point].z()));
  }
}

TEST(Strays, AreNotThePointsOfSparseParts) {
  std::vector<Vec3> points = plane_lattice(60, 0.1, {0, 0, 1});
  for (const Vec3& p : plane_lattice(20, 1.0, {0, 0, 1})) {
    points.push_back(p + Vec3(30, 0, 0));
  }
  EXPECT_TRUE(strays_of(points, 0.0).empty());
}

TEST(Strays, AreHardlyAnyInPlainNoise) {
  for (const double noise : {0.005, 0.01, 0.05}) {
    EXPECT_LT(strays_of(noisy_shape("part", 8000, noise), noise).size(), 8U) << noise;
  }
}

TEST(FarthestPull, DistinguishesLargeErrorsFromOutliersByHowTheyBecomeRare) {
  TestRandom random;
  std::vector<Stray> errors;
  std::vector<Stray> outliers;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    errors.push_back({i, 1.0 + std::abs(1.2 * random.normal()), Vec3::Zero()});
    outliers.push_back({i, random.uniform(1.0, 16.0), Vec3::Zero()});
  }
  EXPECT_GT(farthest_pull(errors), 4.0);
  EXPECT_LT(farthest_pull(outliers), 2.5);
}

TEST(Strays, InABoxAreOutliersAndTheGoodPointsAreNot) {
  for (const double share : {0.05, 0.2}) {
    std::vector<Vec3> points = noisy_shape("sphere", 12000, 0.008);
    TestRandom random;
    const auto bad = static_cast<std::size_t>(share * 12000);
    for (std::size_t i = 0; i < bad; ++i) {
      points[i * 12000 / bad] = Vec3(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6));
    }
    const DenoiseResult result = denoise(points);
    std::size_t found = 0;
    for (const std::uint32_t p : result.outliers) {
      found += p % (12000 / bad) == 0 ? 1 : 0;
    }
    EXPECT_GT(static_cast<double>(found), 0.8 * static_cast<double>(bad)) << share;
    EXPECT_LT(static_cast<double>(result.outliers.size() - found), 0.005 * 12000) << share;
  }
}

TEST(Strays, OfHeavyTailsArePulledIn) {
  // One point in ten has more than ten times the noise of the others.
  const std::shared_ptr<const Shape> sphere = make_shape("sphere");
  std::vector<Vec3> points = sphere->sample(12000);
  TestRandom random;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] += (i % 10 == 0 ? 0.03 : 0.0025) * random.normal3();
  }
  const double before = compare_to_shape(points, *sphere).mean_distance;
  // Only if those are pulled in, too, that stand among others.
  EXPECT_LT(compare_to_shape(denoise(points).positions, *sphere).mean_distance, 0.12 * before);
}

}  // namespace
}  // namespace burnish::automatic
