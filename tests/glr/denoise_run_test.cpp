#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "glr/glr_clouds.hpp"
#include "glr/lanes.hpp"

// How a run behaves: threads, kernels, progress, cancelling, what it reports.

namespace burnish {
namespace {

TEST(DenoiseGlr, GivesTheSameBytesForAnyNumberOfThreadsAndEveryTime) {
  const std::vector<Vec3> cloud = noisy_part(3000);
  for (auto& [name, settings] : short_presets()) {
    settings.iterations = 2;
    ExecutionContext one;
    one.threads = 1;
    const std::vector<Vec3> expected = denoise_glr(cloud, settings, one).positions;
    for (const int threads : {1, 2, 5, 0}) {
      ExecutionContext context;
      context.threads = threads;
      EXPECT_TRUE(same_bits(denoise_glr(cloud, settings, context).positions, expected)) << name << ' ' << threads;
    }
  }
}

TEST(DenoiseGlr, GivesTheSameBytesWithAnyKernel) {
  const std::vector<Vec3> cloud = noisy_part(1000);
  for (const auto& [name, settings] : short_presets()) {
    ASSERT_TRUE(glr::use_lanes(glr::Lanes::four));
    const std::vector<Vec3> expected = denoise_glr(cloud, settings).positions;
    for (const glr::Lanes lanes : {glr::Lanes::eight, glr::Lanes::sixteen}) {  // ends with the widest there is
      if (glr::use_lanes(lanes)) {
        EXPECT_TRUE(same_bits(denoise_glr(cloud, settings).positions, expected))
            << name << ' ' << static_cast<int>(lanes);
      }
    }
  }
}

TEST(DenoiseGlr, KeepsOrderAndCount) {
  const std::vector<Vec3> cloud = noisy_shape_to_scale("sphere", 1000);
  for (const auto& [name, settings] : short_presets()) {
    const GlrResult result = denoise_glr(cloud, settings);
    // Most other points are much farther away.
    EXPECT_LT(largest_deviation(result.positions, cloud), 1.5 * result.spacing) << name;
    EXPECT_GT(largest_deviation(result.positions, cloud), 0.1 * result.spacing) << name;
  }
}

TEST(DenoiseGlr, ReportsProgressFromNothingToAll) {
  const std::vector<Vec3> cloud = noisy_part(300);
  for (const auto& [name, settings] : short_presets()) {
    ExecutionContext context;
    std::vector<double> fractions;
    context.on_progress = [&](std::string_view stage, double fraction) {
      EXPECT_FALSE(stage.empty());
      fractions.push_back(fraction);
    };
    (void)denoise_glr(cloud, settings, context);
    ASSERT_GE(fractions.size(), 8U);
    EXPECT_EQ(fractions.front(), 0.0);
    EXPECT_EQ(fractions.back(), 1.0);
    EXPECT_TRUE(std::ranges::is_sorted(fractions));
  }
}

TEST(DenoiseGlr, StopsWhenCancelledFromItsProgress) {
  const std::vector<Vec3> cloud = noisy_part(300);
  for (const double when : {0.0, 0.1, 0.5, 0.9}) {
    ExecutionContext context;
    double last = 0.0;
    context.on_progress = [&](std::string_view, double fraction) {
      last = fraction;
      if (fraction >= when) {
        context.cancel();
      }
    };
    EXPECT_THROW((void)denoise_glr(cloud, short_presets().front().settings, context), Cancelled);
    EXPECT_LT(last, when + 0.11) << "the next report at the latest";
  }
}

TEST(DenoiseGlr, StopsWhenCancelledFromAnotherThread) {
  const std::vector<Vec3> cloud = noisy_part(1000);
  GlrSettings settings = glr_authors();
  settings.iterations = 100000;
  ExecutionContext context;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    context.cancel();
  });
  EXPECT_THROW((void)denoise_glr(cloud, settings, context), Cancelled);
  other.join();
}

TEST(DenoiseGlr, ReportsEveryIteration) {
  const std::vector<Vec3> cloud = noisy_shape("sphere", 3000, 0.013);
  GlrSettings settings;
  settings.noise_level = 0.03;
  settings.convergence = 1e-2;
  const GlrResult result = denoise_glr(cloud, settings);
  EXPECT_EQ(result.noise_level, 0.03);
  EXPECT_NEAR(result.spacing, estimate_spacing(cloud), 1e-9);
  EXPECT_GE(result.patches, cloud.size() / 2);
  ASSERT_TRUE(result.converged);
  ASSERT_LT(result.iterations.size(), 15U);
  for (std::size_t i = 0; i < result.iterations.size(); ++i) {
    const GlrIteration& iteration = result.iterations[i];
    EXPECT_NEAR(iteration.mu, 25.0 * (std::exp(static_cast<double>(i + 1) / 7.0) - 1.0), 1e-12 * iteration.mu);
    EXPECT_LE(iteration.residual, settings.solver_tolerance);
    EXPECT_GE(iteration.solver_steps, 1U);
    EXPECT_LT(iteration.solver_steps, settings.solver_steps);
    EXPECT_DOUBLE_EQ(iteration.condition_bound, (2.0 * iteration.largest_degree + iteration.mu) / iteration.mu);
    EXPECT_GT(iteration.mean_degree, 0.0);
    EXPECT_GE(iteration.largest_degree, iteration.mean_degree);
    EXPECT_GT(iteration.epsilon, 0.0);
    const bool last = i + 1 == result.iterations.size();
    EXPECT_EQ(iteration.mean_move < 1e-2 * result.spacing, last);
    for (const double seconds : {iteration.seconds_patches, iteration.seconds_distances, iteration.seconds_assembly,
                                 iteration.seconds_solve}) {
      EXPECT_GE(seconds, 0.0);
    }
    EXPECT_GT(iteration.manifold_dimension, 0.0);
  }
  EXPECT_LT(result.iterations.back().manifold_dimension, 0.7 * result.iterations.front().manifold_dimension);
}

TEST(DenoiseGlr, LowersTheDimensionOfThePatchManifold) {
  // The weights are all 1 here. As a rule they follow the distances, and then the sum need not fall every time.
  GlrSettings settings;
  settings.epsilon = {1e6};
  settings.gamma = 0.0;
  settings.resample = false;
  settings.iterations = 6;
  settings.convergence = 0.0;
  for (const char* name : {"sphere", "part"}) {
    const GlrResult result = denoise_glr(noisy_shape_to_scale(name, 1500), settings);
    EXPECT_FALSE(result.converged);
    ASSERT_EQ(result.iterations.size(), 6U);
    for (std::size_t i = 1; i < 6; ++i) {
      EXPECT_LT(result.iterations[i].manifold_dimension, result.iterations[i - 1].manifold_dimension) << name;
    }
  }
}

TEST(DenoiseGlr, TakesNoMoreThanTheAuthorsStepsWithTheirSolver) {
  const GlrResult result = denoise_glr(noisy_part(800), glr_authors());
  EXPECT_FALSE(result.converged);
  ASSERT_EQ(result.iterations.size(), 20U);
  for (const GlrIteration& iteration : result.iterations) {
    EXPECT_LE(iteration.solver_steps, 20U);
    EXPECT_TRUE(iteration.residual <= 1e-6 || iteration.solver_steps == 20U);
  }
}

TEST(DenoiseGlr, MeanMoveIsTheMeanMove) {
  const std::vector<Vec3> cloud = noisy_part(1000);
  GlrSettings settings;
  settings.iterations = 1;
  const GlrResult result = denoise_glr(cloud, settings);
  double sum = 0.0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    sum += (result.positions[i] - cloud[i]).norm() / static_cast<double>(cloud.size());
  }
  EXPECT_NEAR(result.iterations.at(0).mean_move, sum, 1e-12);
}

}  // namespace
}  // namespace burnish
