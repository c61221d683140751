#include "geometry/normals.hpp"

#include <gtest/gtest.h>

#include "test_clouds.hpp"

namespace burnish {
namespace {

TEST(Neighbourhoods, AreThoseOfABruteForceSearch) {
  const std::vector<Vec3> points = random_points(300);
  const Neighbourhoods neighbourhoods(points, NeighbourSearch(points), 12);
  ASSERT_EQ(neighbourhoods.size(), 12U);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(neighbourhoods[i], brute_force_nearest(points, points[i], 12)));
    EXPECT_TRUE(std::ranges::equal(neighbourhoods.nearest(i, 5), brute_force_nearest(points, points[i], 5)));
  }
  EXPECT_EQ(Neighbourhoods(points, NeighbourSearch(points), 1000).size(), 300U);
}

TEST(Normals, OfTwoSpheresPointOutwards) {
  // Two, of which each must be oriented by itself.
  std::vector<Vec3> points = make_shape("sphere")->sample(2000);
  for (std::size_t i = 0; i < 1000; ++i) {
    points[i] = Vec3(0.5 * points[i] + Vec3(3, 0, 0));
  }
  const Neighbourhoods neighbourhoods(points, NeighbourSearch(points), 12);
  std::vector<Vec3> normals = estimate_normals(points, neighbourhoods, 12);
  orient_normals(points, normals, neighbourhoods, 12, Orientation::parallel);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 outwards = (i < 1000 ? Vec3(points[i] - Vec3(3, 0, 0)) : points[i]).normalized();
    EXPECT_NEAR(normals[i].norm(), 1.0, 1e-12);
    EXPECT_GT(normals[i].dot(outwards), 0.98);
  }
}

TEST(Normals, OfASolidWithEdgesAgreeOnEveryFace) {
  const std::vector<Vec3> points = make_shape("cube")->sample(6000);
  const Neighbourhoods neighbourhoods(points, NeighbourSearch(points), 12);
  for (const Orientation rule : {Orientation::parallel, Orientation::along_arc}) {
    std::vector<Vec3> normals = estimate_normals(points, neighbourhoods, 12);
    orient_normals(points, normals, neighbourhoods, 12, rule);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_GT(normals[i].dot(points[i]), 0.0);
    }
  }
}

/// Two spacings thick, so that the nearest points of one side are on the other, too.
TEST(Normals, OfAThinPlatePointOutwardsAlongArcsAndNotInParallel) {
  TestRandom random(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 4000; ++i) {
    points.emplace_back(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), i % 2 == 0 ? 0.045 : -0.045);
  }
  const auto part_outwards = [&](Orientation rule) {
    const Neighbourhoods neighbourhoods(points, NeighbourSearch(points), 16);
    std::vector<Vec3> normals = estimate_normals(points, neighbourhoods, 16);
    orient_normals(points, normals, neighbourhoods, 10, rule);
    const auto outwards = std::ranges::count_if(
        points, [&](const Vec3& p) { return normals[static_cast<std::size_t>(&p - points.data())].z() * p.z() > 0.0; });
    return static_cast<double>(outwards) / static_cast<double>(points.size());
  };
  EXPECT_GT(part_outwards(Orientation::along_arc), 0.95);
  EXPECT_LT(part_outwards(Orientation::parallel), 0.95);
}

TEST(Normals, CopeWithHardlyAnyPoints) {
  for (const std::size_t count : {0U, 1U, 2U, 3U}) {
    const std::vector<Vec3> points = random_points(count);
    const Neighbourhoods neighbourhoods(points, NeighbourSearch(points), 12);
    std::vector<Vec3> normals = estimate_normals(points, neighbourhoods, 12);
    ASSERT_EQ(normals.size(), count);
    if (count > 1) {
      normals[1] = -normals[1];  // signs are arbitrary before orientation
    }
    orient_normals(points, normals, neighbourhoods, 12, Orientation::parallel);
    for (const Vec3& normal : normals) {
      EXPECT_NEAR(normal.norm(), 1.0, 1e-12) << count;
      for (const Vec3& p : points) {  // up to three points lie in a plane
        EXPECT_NEAR(normal.dot(p - points[0]), 0.0, 1e-12) << count;
      }
      EXPECT_GT(normal.dot(normals[0]), 0.0) << "oriented alike";
    }
  }
}

}  // namespace
}  // namespace burnish
