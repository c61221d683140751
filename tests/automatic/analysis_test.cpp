#include <gtest/gtest.h>

#include <set>

#include "burnish/denoise.hpp"
#include "burnish/error.hpp"
#include "burnish/metrics.hpp"
#include "burnish/point_view.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

/// A sphere with noise that is four times as strong at one end as at the other.
std::vector<Vec3> unevenly_noisy_sphere() {
  std::vector<Vec3> points = make_shape("sphere")->sample(6000, 1);
  TestRandom random;
  for (Vec3& p : points) {
    p += (0.004 + 0.012 * (p.x() + 0.5)) * random.normal3();
  }
  return points;
}

void expect_same(const DenoiseResult& a, const DenoiseResult& b) {
  EXPECT_TRUE(same_bits(a.positions, b.positions));
  EXPECT_EQ(a.outliers, b.outliers);
  EXPECT_EQ(a.spacing, b.spacing);
  EXPECT_EQ(a.noise.value, b.noise.value);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.expected_error_after, b.expected_error_after);
  EXPECT_EQ(a.warnings, b.warnings);
}

TEST(Analysis, GivesTheSameBytesAsDenoisingAtOnce) {
  std::vector<Vec3> with_bad_points = noisy_shape("organic", 3000, 0.018);
  with_bad_points[5] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  with_bad_points[9] += Vec3(5, 6, 7);
  with_bad_points.push_back(with_bad_points[11]);
  for (Vec3& p : with_bad_points) {
    p += Vec3(4e5, 5e6, 100);
  }
  DenoiseSettings half;
  half.strength = 0.5;
  DenoiseSettings known;
  known.noise = 0.015;
  for (const DenoiseSettings& settings : {DenoiseSettings{}, half, known}) {
    for (const std::vector<Vec3>& cloud : {with_bad_points, unevenly_noisy_sphere()}) {
      const DenoiseResult at_once = denoise(cloud, settings);
      ASSERT_FALSE(same_bits(at_once.positions, cloud));
      expect_same(denoise(cloud, analyse(cloud, settings)), at_once);
    }
  }
}

TEST(Analysis, ReportsThePlanWithoutMovingPoints) {
  const std::vector<Vec3> cloud = noisy_shape("organic", 3000, 0.045);
  std::set<std::string, std::less<>> stages;
  ExecutionContext context;
  context.on_progress = [&](std::string_view stage, double) { stages.emplace(stage); };
  const Analysis analysis = analyse(cloud, {}, context);
  EXPECT_EQ(stages, (std::set<std::string, std::less<>>{"choosing"}));
  const DenoiseResult result = denoise(cloud);
  const DenoiseFindings& found = analysis.findings();
  EXPECT_NEAR(found.noise, 0.045, 0.009);
  EXPECT_GT(found.iterations, 0U);
  EXPECT_EQ(found.expected_error_after, result.expected_error_after);
  EXPECT_EQ(found.spacing, result.spacing);
}

TEST(Analysis, HoldsForFurtherFrames) {
  const auto shape = make_shape("organic");
  const Analysis analysis = analyse(noisy_shape("organic", 6000, 0.01, 1));
  for (const std::uint64_t seed : {2U, 3U}) {
    const std::vector<Vec3> frame = noisy_shape("organic", 6000, 0.01, seed);
    const double own = compare_to_shape(denoise(frame).positions, *shape).rms_distance;
    DenoiseResult result = denoise(frame, analysis);
    EXPECT_LT(compare_to_shape(result.positions, *shape).rms_distance, 1.05 * own);
    EXPECT_TRUE(result.warnings.empty());
    // In any order, on any number of threads, in place.
    const std::vector<std::uint32_t> order = shuffled_indices(frame.size());
    std::vector<Vec3> shuffled;
    std::vector<Vec3> expected;
    for (const std::uint32_t i : order) {
      shuffled.push_back(frame[i]);
      expected.push_back(result.positions[i]);
    }
    ExecutionContext many;
    many.threads = 5;
    denoise_in_place(shuffled, analysis, many);
    EXPECT_TRUE(same_bits(shuffled, expected));
  }
}

TEST(Analysis, ScalesWithTheCloud) {
  const std::vector<Vec3> first = noisy_shape("organic", 3000, 0.018, 1);
  const std::vector<Vec3> second = noisy_shape("organic", 3000, 0.018, 2);
  const auto larger = [](const Vec3& p) { return Vec3(1024.0 * p); };
  const std::vector<Vec3> plain = denoise(second, analyse(first)).positions;
  const std::vector<Vec3> scaled = denoise(transformed(second, larger), analyse(transformed(first, larger))).positions;
  EXPECT_LT(compare_to_cloud(scaled, transformed(plain, larger)).aligned_rms.value(), 1e-6);
}

TEST(Analysis, KnowsTheNoiseAtEveryPlace) {
  const std::vector<Vec3> cloud = unevenly_noisy_sphere();
  DenoiseSettings half;
  half.strength = 0.5;
  const Vec3 nowhere = Vec3::Constant(std::numeric_limits<double>::infinity());
  const std::vector<Vec3> places = {Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), nowhere};
  const std::vector<double> noise = analyse(cloud).noise_at(places);
  EXPECT_NEAR(noise[0], 0.005, 0.002);
  EXPECT_NEAR(noise[1], 0.015, 0.004);
  EXPECT_EQ(noise[2], 0.0);
  EXPECT_DOUBLE_EQ(analyse(cloud, half).noise_at(places)[1], noise[1]);
  DenoiseSettings known;
  known.noise = 0.012;
  EXPECT_EQ(analyse(cloud, known).noise_at(places)[0], 0.012);
}

TEST(Analysis, TakesFramesOfAnySize) {
  const std::vector<Vec3> cloud = noisy_shape("organic", 3000, 0.018);
  const Analysis analysis = analyse(cloud);
  for (const std::size_t count : {0U, 1U, 2U, 3U, 10U, 99U}) {
    const std::vector<Vec3> few(cloud.begin(), cloud.begin() + static_cast<std::ptrdiff_t>(count));
    const DenoiseResult result = denoise(few, analysis);
    EXPECT_EQ(result.positions.size(), count);
    EXPECT_TRUE(std::ranges::all_of(result.positions, is_finite)) << count;
  }
  EXPECT_TRUE(same_bits(denoise(std::vector<Vec3>(500, Vec3(1, 2, 3)), analysis).positions,
                        std::vector<Vec3>(500, Vec3(1, 2, 3))));
  EXPECT_TRUE(analyse({}).findings().noise == 0.0);
}

TEST(Analysis, WarnsWhereItIsThatOfAnotherKindOfCloud) {
  const Analysis analysis = analyse(noisy_shape("organic", 3000, 0.018));
  for (const double scale : {0.001, 0.2, 5.0, 1000.0}) {
    const std::vector<Vec3> other =
        transformed(noisy_shape("organic", 3000, 0.018, 2), [&](const Vec3& p) { return Vec3(scale * p); });
    const DenoiseResult result = denoise(other, analysis);
    ASSERT_EQ(result.warnings.size(), 1U) << scale;
    EXPECT_NE(result.warnings[0].find("the spacing is"), std::string::npos) << result.warnings[0];
  }
  EXPECT_THROW(static_cast<void>(denoise(std::vector<Vec3>(3, Vec3::Constant(1e300)), analysis)), Error);
  EXPECT_THROW(static_cast<void>(analyse(std::vector<Vec3>(3, Vec3::Constant(1e300)))), Error);
}

}  // namespace
}  // namespace burnish
