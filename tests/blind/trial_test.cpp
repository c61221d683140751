#include "blind/trial.hpp"

#include <gtest/gtest.h>

#include "test_clouds.hpp"

namespace burnish::blind {
namespace {

constexpr double noise = 0.3;

std::vector<Vec3> noisy_plane() {
  TestRandom random;
  return transformed(plane_lattice(90, 1.0, {0, 0, 1}, 0.3),
                     [&](const Vec3& p) { return Vec3(p + noise * random.normal3()); });
}

Twins each(const Twins& twins, const std::function<Vec3(const Vec3&)>& step) {
  return {transformed(twins.plain, step), transformed(twins.shaken, step)};
}

TEST(Trial, TheCloudAsItIsHasAllItsNoise) {
  const ExecutionContext context;
  const Trial trial(noisy_plane(), noise, {}, context);
  const ExpectedError error = trial.judge(trial.start()).all;
  EXPECT_NEAR(error.freedom, 3.0, 1e-9);
  EXPECT_NEAR(error.squared, 3.0 * noise * noise, 1e-9);
}

TEST(Trial, ProjectingToTheTruePlaneTakesOneOfThreeDirections) {
  const ExecutionContext context;
  const Trial trial(noisy_plane(), noise, {}, context);
  const ExpectedError error =
      trial.judge(each(trial.start(), [](const Vec3& p) { return Vec3(p.x(), p.y(), 0.0); })).all;
  EXPECT_NEAR(error.freedom, 2.0, 0.03);
  EXPECT_NEAR(error.squared, 2.0 * noise * noise, 0.04 * noise * noise);
}

TEST(Trial, SeesTheErrorOfAWrongPlane) {
  const ExecutionContext context;
  const Trial trial(noisy_plane(), noise, {}, context);
  const ExpectedError error =
      trial.judge(each(trial.start(), [](const Vec3& p) { return Vec3(p.x(), p.y(), 0.5); })).all;
  EXPECT_NEAR(error.squared, 2.0 * noise * noise + 0.25, 0.1 * noise * noise);
}

TEST(Trial, LeavesOutWhatDoesNotCount) {
  const ExecutionContext context;
  std::vector<Vec3> cloud = noisy_plane();
  std::vector<bool> counts(cloud.size(), true);
  counts[5] = false;
  const Trial trial(cloud, noise, counts, context);
  Twins twins = trial.start();
  twins.plain[5] += Vec3(0, 0, 1000);
  EXPECT_NEAR(trial.judge(twins).all.squared, 3.0 * noise * noise, 1e-9);
}

}  // namespace
}  // namespace burnish::blind
