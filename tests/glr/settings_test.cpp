#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "glr/glr_clouds.hpp"

namespace burnish {
namespace {

TEST(GlrMuGrowth, IsThePapersAtItsNoiseLevels) {
  EXPECT_NEAR(glr_mu_growth(0.02), 4.0, 1e-12);
  EXPECT_NEAR(glr_mu_growth(0.03), 7.0, 1e-12);
  EXPECT_NEAR(glr_mu_growth(0.04), 12.0, 1e-12);
}

TEST(GlrMuGrowth, InterpolatesTheLogarithmAndGrowsEverywhere) {
  EXPECT_NEAR(glr_mu_growth(0.025), std::sqrt(4.0 * 7.0), 1e-12);
  EXPECT_NEAR(glr_mu_growth(0.035), std::sqrt(7.0 * 12.0), 1e-12);
  EXPECT_NEAR(glr_mu_growth(0.01), 4.0 * 4.0 / 7.0, 1e-12);
  EXPECT_NEAR(glr_mu_growth(0.05), 12.0 * 12.0 / 7.0, 1e-12);
  for (double level = 0.0; level < 0.1; level += 0.001) {
    EXPECT_GT(glr_mu_growth(level), 0.0);
    EXPECT_GT(glr_mu_growth(level + 0.001), glr_mu_growth(level));
  }
}

TEST(GlrSettings, ThatMakeNoSenseAreRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void(GlrSettings&)>> nonsense{
      [](GlrSettings& s) { s.centre_rate = 0.0; },
      [](GlrSettings& s) { s.centre_rate = 1.01; },
      [](GlrSettings& s) { s.centre_rate = nan; },
      [](GlrSettings& s) { s.patch_size = 0; },
      [](GlrSettings& s) { s.patch_size = 3; },
      [](GlrSettings& s) { s.patch_size = 255; },
      [](GlrSettings& s) { s.patch_neighbours = 0; },
      [](GlrSettings& s) { s.patch_neighbours = 1001; },
      [](GlrSettings& s) {
        s.epsilon = {0.1, 0.0};
      },
      [](GlrSettings& s) { s.epsilon = {nan}; },
      [](GlrSettings& s) { s.epsilon_factor = 0.0; },
      [](GlrSettings& s) { s.threshold = -1.0; },
      [](GlrSettings& s) { s.threshold_factor = 0.0; },
      [](GlrSettings& s) { s.interpolation_distance = -0.1; },
      [](GlrSettings& s) { s.noise_level = -0.01; },
      [](GlrSettings& s) { s.noise_level = 2.0; },
      [](GlrSettings& s) { s.mu_factor = 0.0; },
      [](GlrSettings& s) { s.mu_growth = -1.0; },
      [](GlrSettings& s) { s.gamma = -0.5; },
      [](GlrSettings& s) { s.gamma = nan; },
      [](GlrSettings& s) { s.solver_tolerance = -1e-9; },
      [](GlrSettings& s) { s.convergence = -1.0; },
  };
  const std::vector<Vec3> cloud = random_points(50);
  for (std::size_t i = 0; i < nonsense.size(); ++i) {
    GlrSettings settings;
    settings.iterations = 1;
    EXPECT_NO_THROW((void)denoise_glr(cloud, settings));
    nonsense[i](settings);
    EXPECT_THROW((void)denoise_glr(cloud, settings), Error) << i;
    EXPECT_THROW((void)denoise_glr({}, settings), Error) << "even if there is nothing to do: " << i;
  }
}

TEST(GlrSettings, AtTheirLimitsAreAcceptedAndUsed) {
  // More points than the largest patch has, and fewer patches than the most that one is compared with.
  const std::vector<Vec3> cloud = noisy_part(300);
  const auto result_of = [&](unsigned size, unsigned neighbours) {
    GlrSettings settings;
    settings.iterations = 1;
    settings.patch_size = size;
    settings.patch_neighbours = neighbours;
    settings.interpolation_distance = 0.0;
    settings.threshold_factor = 1000.0;  // patches that hold most of the cloud are not alike
    return denoise_glr(cloud, settings).positions;
  };
  std::vector<Vec3> smaller = cloud;
  for (const unsigned size : {4U, 5U, 16U, 17U, 253U, 254U}) {
    EXPECT_TRUE(std::ranges::all_of(result_of(size, 1), is_finite)) << size;
    std::vector<Vec3> result = result_of(size, 8);
    EXPECT_TRUE(std::ranges::all_of(result, is_finite)) << size;
    EXPECT_FALSE(same_bits(result, smaller)) << size << ": as with the size before";
    smaller = std::move(result);
  }
  const std::vector<Vec3> of_all = result_of(16, 1000);
  EXPECT_TRUE(std::ranges::all_of(of_all, is_finite));
  EXPECT_FALSE(same_bits(of_all, result_of(16, 60)));
}

TEST(GlrSettings, WithoutIterationsChangeNothing) {
  const std::vector<Vec3> cloud = noisy_part(300);
  GlrSettings settings;
  settings.iterations = 0;
  const GlrResult result = denoise_glr(cloud, settings);
  EXPECT_TRUE(same_bits(result.positions, cloud));
  EXPECT_TRUE(result.iterations.empty());
  EXPECT_FALSE(result.converged);
}

TEST(GlrSettings, OfThePaperAreThoseItPrintsAndTheDefaults) {
  for (const GlrSettings& settings : {glr_paper(), GlrSettings()}) {
    EXPECT_EQ(settings.centre_rate, 0.5);
    EXPECT_EQ(settings.patch_size, 30U);
    EXPECT_EQ(settings.patch_neighbours, 16U);
    EXPECT_EQ(settings.patch_origin, PatchOrigin::centre_point);
    EXPECT_TRUE(settings.resample);
    EXPECT_TRUE(settings.symmetric_distance);
    EXPECT_TRUE(settings.epsilon.empty());  // from the data, with the factor of the paper
    EXPECT_EQ(settings.epsilon_factor, 0.5);
    EXPECT_EQ(settings.gamma, 0.5);
    EXPECT_EQ(settings.mu_factor, 25.0);
    EXPECT_EQ(settings.iterations, 15U);
  }
  EXPECT_NEAR(glr_mu_growth(0.02), 4.0, 1e-12);
  EXPECT_NEAR(glr_mu_growth(0.03), 7.0, 1e-12);
  EXPECT_NEAR(glr_mu_growth(0.04), 12.0, 1e-12);
}

TEST(GlrSettings, EpsilonOfTheLastIterationCountsForAllFurtherOnes) {
  GlrSettings settings = glr_authors();
  settings.iterations = 5;
  const std::vector<GlrIteration> iterations = denoise_glr(noisy_part(300), settings).iterations;
  ASSERT_EQ(iterations.size(), 5U);
  const double expected[] = {0.07, 0.04, 0.03, 0.03, 0.03};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(iterations[i].epsilon, expected[i]);
  }
}

TEST(GlrSettings, FidelityToTheInputKeepsPointsNearerToIt) {
  const std::vector<Vec3> cloud = noisy_part(1000);
  GlrSettings settings;
  settings.noise_level = 0.03;
  settings.iterations = 6;
  const auto mean_move = [&] {
    const std::vector<Vec3> result = denoise_glr(cloud, settings).positions;
    double sum = 0.0;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      sum += (result[i] - cloud[i]).norm();
    }
    return sum;
  };
  const double from_previous = mean_move();
  settings.fidelity = Fidelity::input;
  EXPECT_LT(mean_move(), from_previous);
}

}  // namespace
}  // namespace burnish
