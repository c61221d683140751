#include "automatic/sure.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "test_clouds.hpp"

namespace burnish::automatic {
namespace {

constexpr double noise = 0.3;
const std::vector<double> everywhere(90 * 90, noise);

std::vector<Vec3> noisy_plane() {
  TestRandom random;
  return transformed(plane_lattice(90, 1.0, {0, 0, 1}, 0.3),
                     [&](const Vec3& p) { return Vec3(p + noise * random.normal3()); });
}

PerturbedPair each(const PerturbedPair& pair, const std::function<Vec3(const Vec3&)>& step) {
  return {transformed(pair.original, step), transformed(pair.perturbed, step)};
}

TEST(SureEstimator, TheCloudAsItIsHasAllItsNoise) {
  const ExecutionContext context;
  const SureEstimator trial(noisy_plane(), everywhere, {}, context);
  const ExpectedError error = trial.judge(trial.start()).all;
  EXPECT_NEAR(error.degrees_of_freedom, 3.0, 1e-9);
  EXPECT_NEAR(error.squared, 3.0 * noise * noise, 1e-9);
}

TEST(SureEstimator, ProjectingToTheTruePlaneTakesOneOfThreeDirections) {
  const ExecutionContext context;
  const SureEstimator trial(noisy_plane(), everywhere, {}, context);
  const ExpectedError error =
      trial.judge(each(trial.start(), [](const Vec3& p) { return Vec3(p.x(), p.y(), 0.0); })).all;
  EXPECT_NEAR(error.degrees_of_freedom, 2.0, 0.03);
  EXPECT_NEAR(error.squared, 2.0 * noise * noise, 0.04 * noise * noise);
}

TEST(SureEstimator, SeesTheErrorOfAWrongPlane) {
  const ExecutionContext context;
  const SureEstimator trial(noisy_plane(), everywhere, {}, context);
  const ExpectedError error =
      trial.judge(each(trial.start(), [](const Vec3& p) { return Vec3(p.x(), p.y(), 0.5); })).all;
  EXPECT_NEAR(error.squared, 2.0 * noise * noise + 0.25, 0.1 * noise * noise);
}

TEST(SureEstimator, LeavesOutWhatDoesNotCount) {
  const ExecutionContext context;
  std::vector<Vec3> cloud = noisy_plane();
  std::vector<bool> counts(cloud.size(), true);
  counts[5] = false;
  const SureEstimator trial(cloud, everywhere, counts, context);
  PerturbedPair pair = trial.start();
  pair.original[5] += Vec3(0, 0, 1000);
  EXPECT_NEAR(trial.judge(pair).all.squared, 3.0 * noise * noise, 1e-9);
}

TEST(SureEstimator, CountsTheNoiseOfEveryPointByItself) {
  // Twice the noise on one half: the mean of the variances is what the cloud as it is has for an error.
  const ExecutionContext context;
  std::vector<double> twice_on_one_half = everywhere;
  std::ranges::fill(twice_on_one_half.begin(), twice_on_one_half.begin() + 90 * 45, 2.0 * noise);
  const SureEstimator trial(noisy_plane(), twice_on_one_half, {}, context);
  EXPECT_NEAR(trial.judge(trial.start()).all.squared, 3.0 * 2.5 * noise * noise, 1e-9);
}

TEST(SureEstimator, LeavesOutPointsThatMovedFurtherThanNoise) {
  const ExecutionContext context;
  const SureEstimator trial(noisy_plane(), everywhere, {}, context);
  PerturbedPair pair = trial.start();
  pair.original[7] += Vec3(0, 0, 100 * noise);
  EXPECT_NEAR(trial.judge(pair).all.squared, 3.0 * noise * noise, 1e-9);
}

}  // namespace
}  // namespace burnish::automatic
