#include "automatic/run_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "burnish/estimate.hpp"
#include "geometry/working_points.hpp"
#include "test_clouds.hpp"

namespace burnish::automatic {
namespace {

/// A cloud that is denser where x is larger, 1 to 20 all in all, with noise of a spacing and a stray point.
std::vector<Vec3> uneven_cloud() {
  TestRandom random;
  std::vector<Vec3> points;
  for (const Vec3& p : noisy_shape("organic", 60000, 0.009)) {
    if (random.uniform(0.0, 1.0) < 0.05 + 0.95 * std::clamp(0.5 + 0.5 * p.x(), 0.0, 1.0)) {
      points.push_back(p);
    }
  }
  points.emplace_back(3, 3, 3);
  return working_points(points).points;
}

class Pieces : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(StraightAndTurned, Pieces, testing::Bool());

TEST_P(Pieces, GiveWhatTheWholeGives) {
  const std::vector<Vec3> points = uneven_cloud();
  ChosenPlan chosen = analyse(take_samples(points, {}), {}, {}, {});
  // Patches first and equal spacing, whatever is best for this cloud.
  DenoiseSettings without_fits;
  without_fits.planes = false;
  const ChosenPlan of_patches = analyse(take_samples(points, {}), {}, without_fits, {});
  ASSERT_FALSE(of_patches.plan.empty());
  SmoothPatches patches = std::get<SmoothPatches>(of_patches.plan.front());
  patches.rotations = GetParam();
  std::erase_if(chosen.plan, [](const Step& step) { return std::holds_alternative<SmoothPatches>(step); });
  chosen.plan.insert(chosen.plan.begin(), patches);
  if (find_step<EqualiseSpacing>(chosen.plan) == nullptr) {
    chosen.plan.emplace_back(EqualiseSpacing{});
  }
  const PlanResult whole = run_plan(chosen, points, {}, {});
  const PlanResult pieces = run_plan_in_pieces(chosen, points, {}, 10000, {});
  EXPECT_EQ(whole.outliers, pieces.outliers);
  EXPECT_EQ(whole.outliers.size(), 1U);
  const std::vector<double> spacings = estimate_local_spacing(points);
  std::size_t moved = 0;
  std::size_t different = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double difference = (whole.points[i] - pieces.points[i]).norm() / spacings[i];
    EXPECT_LT(difference, 0.01);
    different += difference > 0.001 ? 1 : 0;
    moved += (whole.points[i] - points[i]).norm() > 0.1 * spacings[i] ? 1 : 0;
  }
  EXPECT_LE(different, points.size() / 1000);
  EXPECT_GT(moved, points.size() / 2);
}

TEST(RunPlan, PiecesDoNotDependOnThreads) {
  const std::vector<Vec3> points = working_points(noisy_shape("torus", 12000, 0.01)).points;
  const ChosenPlan chosen = analyse(take_samples(points, {}), {}, {}, {});
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext many;
  many.threads = 4;
  EXPECT_TRUE(same_bits(run_plan_in_pieces(chosen, points, {}, 2000, one).points,
                        run_plan_in_pieces(chosen, points, {}, 2000, many).points));
}

TEST(RunPlan, PiecesStopWhenAskedTo) {
  const std::vector<Vec3> points = working_points(noisy_shape("torus", 4000, 0.01)).points;
  const ChosenPlan chosen = analyse(take_samples(points, {}), {}, {}, {});
  ExecutionContext context;
  context.on_progress = [&](std::string_view, double) { context.cancel(); };
  EXPECT_THROW((void)run_plan_in_pieces(chosen, points, {}, 1000, context), Cancelled);
}

TEST(ChooseMiddles, AreSpreadOverTheCandidatesAndNotAtTheirEnds) {
  std::vector<Vec3> candidates;
  for (int i = 0; i < 32; ++i) {
    candidates.emplace_back(0.1 * ((7 * i) % 32), 0.0, 0.0);  // along a line, in a mixed order
  }
  const std::vector<Vec3> middles = choose_middles(candidates, 4);
  ASSERT_EQ(middles.size(), 4U);
  for (const Vec3& middle : middles) {
    EXPECT_NE(std::ranges::find(candidates, middle), candidates.end());
    EXPECT_GT(middle.x(), 0.0);
    EXPECT_LT(middle.x(), 3.1);
    EXPECT_EQ(std::ranges::count_if(middles, [&](const Vec3& other) { return (other - middle).norm() < 0.4; }), 1);
  }
}

TEST(TakeSamples, AreAllOfASmallCloudAndRegionsOfALargeOne) {
  const Samples whole = take_samples(random_points(1000), {});
  EXPECT_EQ(whole.to_choose.points.size(), 1000U);
  EXPECT_TRUE(whole.to_survey_noise.points.empty());
  const Samples regions = take_samples(random_points(largest_whole_sample + 1), {});
  for (const auto& [sample, layout] : {std::pair{&regions.to_choose, regions_to_choose},
                                       std::pair{&regions.to_survey_noise, regions_to_survey_noise}}) {
    EXPECT_LE(sample->points.size(), layout.regions * layout.size);
    EXPECT_GT(sample->points.size(), layout.regions * layout.size / 3);
    ASSERT_EQ(sample->counts.size(), sample->points.size());
    EXPECT_GT(std::ranges::count(sample->counts, true), static_cast<std::ptrdiff_t>(sample->points.size() / 4));
  }
}

}  // namespace
}  // namespace burnish::automatic
