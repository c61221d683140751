#include "glr/patches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "burnish/sampling.hpp"
#include "test_clouds.hpp"

namespace burnish::glr {
namespace {

GlrSettings patches_of(unsigned size, double rate = 0.5) {
  GlrSettings settings;
  settings.patch_size = size;
  settings.centre_rate = rate;
  return settings;
}

/// A plane whose left half is 1000 times as dense as its right half.
std::vector<Vec3> uneven_plane() {
  TestRandom random;
  std::vector<Vec3> points;
  for (int i = 0; i < 3003; ++i) {
    const double side = i % 1001 == 0 ? 1.0 : -1.0;
    points.emplace_back(side * random.uniform(0.0, 10.0), random.uniform(-5.0, 5.0), 0.01 * random.normal());
  }
  return points;
}

void expect_sound(std::span<const Vec3> points, const GlrSettings& settings) {
  const Patches patches = make_patches(points, settings, 0, {});
  const std::size_t k = std::min<std::size_t>(settings.patch_size, points.size());
  ASSERT_EQ(patches.size, k);
  ASSERT_EQ(patches.members.size(), k * patches.count());
  ASSERT_EQ(patches.ranks.size(), patches.count());
  ASSERT_EQ(patches.origins.size(), patches.count());
  EXPECT_GE(patches.count(),
            static_cast<std::size_t>(std::floor(settings.centre_rate * static_cast<double>(points.size()))));

  const std::set<std::uint32_t> covered(patches.members.begin(), patches.members.end());
  EXPECT_EQ(covered.size(), points.size()) << "every point is in a patch";
  EXPECT_TRUE(std::ranges::is_sorted(patches.centres));
  const std::set<std::uint32_t> centres(patches.centres.begin(), patches.centres.end());
  EXPECT_EQ(centres.size(), patches.count()) << "no centre twice";
  std::vector<std::uint32_t> ranks = patches.ranks;
  std::ranges::sort(ranks);
  for (std::uint32_t m = 0; m < ranks.size(); ++m) {
    ASSERT_EQ(ranks[m], m);
  }
  for (std::size_t m = 0; m < patches.count(); ++m) {
    const auto nearest = brute_force_nearest(points, points[patches.centres[m]], k);
    ASSERT_EQ(patches.patch(m)[0], patches.centres[m]);
    ASSERT_TRUE(std::ranges::equal(patches.patch(m), nearest)) << "patch " << m;
  }
}

TEST(Patches, AreTheNearestPointsOfTheirCentresAndCoverAll) {
  expect_sound(noisy_shape("part", 400, 0.01), patches_of(12));
  expect_sound(noisy_shape("sphere", 301, 0.01), patches_of(8, 0.2));
  expect_sound(random_points(500), patches_of(30));
}

TEST(Patches, CoverPointsOfAnyDensity) {
  expect_sound(uneven_plane(), patches_of(10, 0.05));
  expect_sound(clustered_points(1000), patches_of(8, 0.01));
  std::vector<Vec3> strays = noisy_shape("sphere", 500, 0.001);
  for (int i = 1; i <= 20; ++i) {
    strays.emplace_back(100.0 * i * i, 0.0, 7.0 * i);
  }
  expect_sound(strays, patches_of(8, 0.01));
}

TEST(Patches, OfFewPointsHoldThemAll) {
  for (const std::size_t count : {1U, 2U, 3U, 5U, 29U, 31U}) {
    expect_sound(random_points(count), patches_of(30));
    expect_sound(random_points(count), patches_of(30, 1.0));
  }
}

TEST(Patches, HaveCentresByFarthestPointSamplingInTheOrderOfTheirRanks) {
  const std::vector<Vec3> points = noisy_shape("torus", 400, 0.01);
  const Patches patches = make_patches(points, patches_of(30), 17, {});
  const std::vector<std::uint32_t> expected = farthest_point_sample(points, 200, 17);
  ASSERT_GE(patches.count(), 200U);
  for (std::size_t m = 0; m < patches.count(); ++m) {
    if (patches.ranks[m] < 200) {
      EXPECT_EQ(patches.centres[m], expected[patches.ranks[m]]);
    }
  }
}

TEST(Patches, AreCentredAtTheirCentrePointOrTheirMean) {
  const std::vector<Vec3> points = noisy_shape("part", 300, 0.01);
  GlrSettings settings = patches_of(12);
  const Patches at_point = make_patches(points, settings, 0, {});
  settings.patch_origin = PatchOrigin::mean;
  const Patches at_mean = make_patches(points, settings, 0, {});
  ASSERT_EQ(at_point.centres, at_mean.centres);
  for (std::size_t m = 0; m < at_point.count(); ++m) {
    EXPECT_EQ(at_point.origins[m], points[at_point.centres[m]]);
    Vec3 sum = Vec3::Zero();
    for (const std::uint32_t p : at_mean.patch(m)) {
      sum += points[p] / 12.0;
    }
    EXPECT_LT((at_mean.origins[m] - sum).norm(), 1e-15);
  }
}

TEST(Patches, DoNotDependOnThreads) {
  const std::vector<Vec3> points = noisy_shape("part", 2000, 0.01);
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext many;
  many.threads = 5;
  const Patches a = make_patches(points, patches_of(30), 3, one);
  const Patches b = make_patches(points, patches_of(30), 3, many);
  EXPECT_EQ(a.members, b.members);
  EXPECT_EQ(a.ranks, b.ranks);
  EXPECT_TRUE(same_bits(a.origins, b.origins));
}

TEST(NodesOfPoints, AreTheTransposeOfTheSampling) {
  const std::vector<Vec3> points = noisy_shape("part", 300, 0.01);
  const Patches patches = make_patches(points, patches_of(10), 0, {});
  const NodesOfPoints nodes = nodes_of_points(patches, points.size());
  ASSERT_EQ(nodes.begin.size(), points.size() + 1);
  ASSERT_EQ(nodes.nodes.size(), patches.members.size());
  for (std::uint32_t p = 0; p < points.size(); ++p) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t node = 0; node < patches.members.size(); ++node) {
      if (patches.members[node] == p) {
        expected.push_back(node);
      }
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), &nodes.nodes[nodes.begin[p]],
                           &nodes.nodes[0] + nodes.begin[p + 1]));
  }
}

}  // namespace
}  // namespace burnish::glr
