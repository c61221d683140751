#include <gtest/gtest.h>

#include <limits>

#include "glr/glr_clouds.hpp"

// Points that are not finite, duplicates, and clouds that are hardly any.

namespace burnish {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(DenoiseGlr, LeavesBadPointsAloneAndOthersDoNotSeeThem) {
  for (const auto& [name, settings] : short_presets()) {
    const std::vector<Vec3> cloud = noisy_part(800);
    EXPECT_TRUE(same_bits(denoise_glr(with_bad_points(cloud), settings).positions,
                          with_bad_points(denoise_glr(cloud, settings).positions)))
        << name;
    EXPECT_TRUE(same_bits(denoise_glr(bad_points(), settings).positions, bad_points()));
  }
}

TEST(DenoiseGlr, MovesDuplicatesTogetherAndLikeOnePoint) {
  for (const auto& [name, settings] : short_presets()) {
    const std::vector<Vec3> cloud = noisy_part(800);
    std::vector<Vec3> doubled = cloud;
    doubled.insert(doubled.end(), cloud.begin(), cloud.begin() + 300);
    std::vector<Vec3> expected = denoise_glr(cloud, settings).positions;
    expected.insert(expected.end(), expected.begin(), expected.begin() + 300);
    EXPECT_TRUE(same_bits(denoise_glr(doubled, settings).positions, expected)) << name;
  }
}

TEST(DenoiseGlr, IsNotHeldUpByMassesOfDuplicates) {
  for (const auto& [name, settings] : short_presets()) {
    std::vector<Vec3> cloud = noisy_part(500);
    const std::vector<Vec3> expected = denoise_glr(cloud, settings).positions;
    cloud.insert(cloud.end(), 100000, cloud[7]);
    const std::vector<Vec3> found = denoise_glr(cloud, settings).positions;
    EXPECT_TRUE(same_bits(std::span(found).first(500), expected)) << name;
    EXPECT_EQ(found.back(), found[7]);
  }
}

TEST(DenoiseGlr, ReturnsFewerThanFourPointsAsTheyAre) {
  for (const auto& [name, settings] : short_presets()) {
    for (const std::size_t count : {0U, 1U, 2U, 3U}) {
      const std::vector<Vec3> cloud = random_points(count);
      EXPECT_TRUE(same_bits(denoise_glr(cloud, settings).positions, cloud)) << name;
    }
    std::vector<Vec3> three = random_points(3);
    three.insert(three.end(), {three[0], three[1], three[0], {nan, 0, 0}});
    EXPECT_TRUE(same_bits(denoise_glr(three, settings).positions, three)) << "three distinct ones";
  }
}

TEST(DenoiseGlr, CopesWithSmallClouds) {
  for (const auto& preset : short_presets()) {
    for (const std::size_t count : {4U, 5U, 8U, 29U, 30U, 31U, 60U}) {
      for (const double rate : {0.01, 0.5, 1.0}) {
        GlrSettings settings = preset.settings;
        settings.centre_rate = rate;
        const std::vector<Vec3> cloud = random_points(count);
        const GlrResult result = denoise_glr(cloud, settings);
        ASSERT_EQ(result.positions.size(), count);
        for (const Vec3& p : result.positions) {
          ASSERT_TRUE(is_finite(p)) << preset.name << ' ' << count;
          ASSERT_LT(p.norm(), 10.0);
        }
        for (const GlrIteration& iteration : result.iterations) {
          ASSERT_TRUE(std::isfinite(iteration.epsilon)) << preset.name << ", points: " << count << ", rate: " << rate;
          ASSERT_TRUE(std::isfinite(iteration.condition_bound));
          ASSERT_TRUE(std::isfinite(iteration.manifold_dimension));
        }
      }
    }
  }
}

TEST(DenoiseGlr, LeavesEqualPointsWhereTheyAre) {
  for (const auto& [name, settings] : short_presets()) {
    const std::vector<Vec3> cloud(1000, Vec3(0.1, 4e6, -7));
    EXPECT_TRUE(same_bits(denoise_glr(cloud, settings).positions, cloud)) << name;
  }
}

TEST(DenoiseGlr, KeepsCollinearPointsOnTheirLine) {
  const Vec3 direction = Vec3(1, 2, 3).normalized();
  TestRandom random;
  std::vector<Vec3> cloud;
  for (int i = 0; i < 300; ++i) {
    cloud.emplace_back(random.uniform(0.0, 100.0) * direction);
  }
  for (const auto& [name, settings] : short_presets()) {
    for (const Vec3& p : denoise_glr(cloud, settings).positions) {
      ASSERT_LT((p - p.dot(direction) * direction).norm(), 1e-11) << name;
    }
  }
}

TEST(DenoiseGlr, StaysFiniteWithClustersAndStrays) {
  std::vector<Vec3> cloud = clustered_points(1000);
  cloud.emplace_back(1e6, 0, 0);
  cloud.emplace_back(0, -1e6, 0);
  for (const auto& [name, settings] : short_presets()) {
    for (const Vec3& p : denoise_glr(cloud, settings).positions) {
      ASSERT_TRUE(is_finite(p)) << name;
    }
  }
}

/// Many exact ties, and points that fill a volume.
TEST(DenoiseGlr, KeepsPointsOfAGridNearestToTheirPlaces) {
  const std::vector<Vec3> cloud = grid_points(9);
  for (const auto& [name, settings] : short_presets()) {
    const std::vector<Vec3> result = denoise_glr(cloud, settings).positions;
    EXPECT_LT(largest_deviation(cloud, result), 0.5) << name;
  }
}

}  // namespace
}  // namespace burnish
