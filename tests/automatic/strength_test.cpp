#include <gtest/gtest.h>

#include "burnish/denoise.hpp"
#include "burnish/metrics.hpp"
#include "test_clouds.hpp"

// The setting `strength`: which multiple of the estimated noise is removed.

namespace burnish {
namespace {

DenoiseResult denoise_by(const std::vector<Vec3>& cloud, double strength) {
  DenoiseSettings settings;
  settings.strength = strength;
  return denoise(cloud, settings);
}

double rms_move(const std::vector<Vec3>& before, const std::vector<Vec3>& after) {
  double sum = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    sum += (after[i] - before[i]).squaredNorm();
  }
  return std::sqrt(sum / static_cast<double>(before.size()));
}

TEST(Strength, OfOneIsTheDefault) {
  const std::vector<Vec3> noisy = noisy_shape("sphere", 3000, 0.008);
  EXPECT_TRUE(same_bits(denoise_by(noisy, 1.0).positions, denoise(noisy).positions));
}

TEST(Strength, MovesPointsTheMoreTheLargerItIs) {
  const std::vector<Vec3> noisy = noisy_shape("sphere", 3000, 0.008);
  double less = 0.0;
  for (const double strength : {0.25, 0.5, 1.0, 2.0}) {
    const double move = rms_move(noisy, denoise_by(noisy, strength).positions);
    EXPECT_GT(move, 1.02 * less) << strength;
    less = move;
  }
}

TEST(Strength, BelowOneLeavesNoiseAndReportsWhatWasFound) {
  const auto shape = make_shape("sphere");
  const std::vector<Vec3> noisy = noisy_shape("sphere", 3000, 0.008);
  const auto error_of = [&](std::span<const Vec3> points) { return compare_to_shape(points, *shape).rms_distance; };
  const DenoiseResult all = denoise_by(noisy, 1.0);
  const DenoiseResult little = denoise_by(noisy, 0.25);
  EXPECT_LT(error_of(little.positions), error_of(noisy));
  EXPECT_GT(error_of(little.positions), 1.2 * error_of(all.positions));
  EXPECT_GT(little.expected_error_after, 1.2 * all.expected_error_after);
  // The estimated noise does not depend on how much of it is removed.
  EXPECT_EQ(little.noise.value, all.noise.value);
  ASSERT_EQ(little.noise_at_points.size(), all.noise_at_points.size());
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    EXPECT_NEAR(little.noise_at_points[i], all.noise_at_points[i], 1e-12);
  }
}

}  // namespace
}  // namespace burnish
