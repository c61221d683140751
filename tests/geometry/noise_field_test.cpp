#include "geometry/noise_field.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "geometry/quantised_direction.hpp"
#include "geometry/residual_curve.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

NoiseField field_of(const std::vector<Vec3>& points) {
  return estimate_noise_field(points, {}, NeighbourSearch(points), {});
}

/// A sphere of diameter 1 with noise of a standard deviation that depends on the place.
template <class Deviation>
std::vector<Vec3> noisy_sphere(const Deviation& deviation) {
  std::vector<Vec3> points = make_shape("sphere")->sample(12000);
  TestRandom random;
  for (Vec3& p : points) {
    p += deviation(p) * random.normal3();
  }
  return points;
}

TEST(NoiseField, IsTheSameEverywhereWhereTheNoiseIs) {
  const std::vector<Vec3> points = noisy_sphere([](const Vec3&) { return 0.008; });
  const std::vector<double> noise = field_of(points).at(points, {});
  for (const double value : noise) {
    ASSERT_NEAR(value, 0.008, 0.0008);
  }
}

TEST(NoiseField, FollowsNoiseThatGrowsAcrossTheCloud) {
  const auto deviation = [](const Vec3& p) { return 0.002 + 0.01 * (p.x() + 0.5); };
  const std::vector<Vec3> points = noisy_sphere(deviation);
  const std::vector<double> noise = field_of(points).at(points, {});
  double logarithms = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    logarithms += std::pow(std::log(noise[i] / deviation(points[i])), 2);
  }
  EXPECT_LT(std::sqrt(logarithms / static_cast<double>(points.size())), 0.2);
}

/// A sphere with points that are up to three times as far from each other on one side as on the other, and noise of a
/// standard deviation that depends on how far that is, in distances of those that are densest.
template <class Deviation>
std::vector<Vec3> noisy_sphere_of_two_densities(const Deviation& deviation) {
  TestRandom random;
  std::vector<Vec3> points;
  for (const Vec3& p : make_shape("sphere")->sample(60000)) {
    const double spacing = 2.0 + 2.0 * p.x();  // from 1 to 3
    if (random.uniform(0.0, 1.0) < 1.0 / (spacing * spacing)) {
      points.push_back(p + deviation(spacing) * random.normal3());
    }
  }
  return points;
}

TEST(NoiseField, KnowsTheNoiseOfSensorsWhichGrowsWithTheSpacing) {
  for (const double power : {1.0, 2.0}) {
    const NoiseField field =
        field_of(noisy_sphere_of_two_densities([&](double spacing) { return 0.0006 * std::pow(spacing, power); }));
    EXPECT_NEAR(field.growth, power, 0.25);
    EXPECT_FALSE(field.is_uniform);
  }
}

TEST(NoiseField, DoesNotGrowWithTheSpacingWhereItIsTheSameEverywhere) {
  const NoiseField field = field_of(noisy_sphere_of_two_densities([](double) { return 0.0012; }));
  EXPECT_EQ(field.growth, 0.0);
  EXPECT_LT(field.correlated, 0.3);
}

TEST(NoiseField, SeesNoiseOfOneDirectionWhereThatIsAcrossTheSurface) {
  std::vector<Vec3> points = make_shape("sphere")->sample(12000);
  TestRandom random;
  for (Vec3& p : points) {
    p.z() += 0.008 * random.normal();
  }
  const NoiseField field = field_of(points);
  const std::vector<double> noise = field.at({Vec3(0, 0, 0.5), Vec3(0, 0.5, 0)}, {});
  EXPECT_NEAR(noise[0], 0.008, 0.0012);
  EXPECT_LT(noise[1], 0.004);
}

TEST(NoiseField, FindsMoreNoiseThanTheSmallestNeighbourhoodsShowWhereItIsCorrelated) {
  // Displacements along the normal that are alike within about two spacings: sums of many waves.
  std::vector<Vec3> points = make_shape("sphere")->sample(12000);
  TestRandom random;
  const double spacing = estimate_spacing(points);
  std::vector<Vec3> waves;
  std::vector<double> phases;
  for (int w = 0; w < 200; ++w) {
    waves.push_back(random.normal3() / (1.5 * spacing));
    phases.push_back(random.uniform(0.0, 6.28));
  }
  const double amplitude = 0.5 * spacing * std::sqrt(2.0 / 200.0);
  for (Vec3& p : points) {
    double sum = 0.0;
    for (std::size_t w = 0; w < waves.size(); ++w) {
      sum += std::cos(waves[w].dot(p) + phases[w]);
    }
    p *= 1.0 + amplitude * sum / 0.5;
  }
  const NeighbourSearch search(points);
  const double in_small_ones = estimate_noise_level(points, search, {}).noise;
  EXPECT_GT(estimate_noise_field(points, {}, search, {}).level, 1.8 * in_small_ones);
}

TEST(NoiseField, FindsNoneOnCleanShapesWithThinWalls) {
  for (const char* name : {"sphere", "cube", "part", "organic"}) {
    const std::vector<Vec3> points = make_shape(name)->sample(20000);
    EXPECT_LT(field_of(points).level, 0.01 * estimate_spacing(points)) << name;
  }
}

/// Coordinates of a lattice are multiples of its step, but not because they were rounded.
TEST(NoiseField, FindsNoneOnACleanLattice) {
  constexpr double step = 0.01;
  std::vector<Vec3> points;
  for (int i = 0; i < 120; ++i) {
    for (int j = 0; j < 120; ++j) {
      const double x = step * i;
      const double y = step * j;
      points.emplace_back(x, y, 0.3 * std::sin(5.0 * x) * std::cos(4.0 * y) + 0.5 * x);
    }
  }
  EXPECT_LT(field_of(points).level.value, 0.02 * step);
}

TEST(NoiseField, OfStepsIsThatOfAUniformDistribution) {
  std::vector<Vec3> points = make_shape("sphere")->sample(12000);
  const double step = 0.6 * estimate_spacing(points);
  for (Vec3& p : points) {
    p.z() = step * std::round(p.z() / step);
  }
  const std::vector<double> noise = field_of(points).at({Vec3(0, 0, 0.5), Vec3(0.5, 0, 0)}, {});
  EXPECT_NEAR(noise[0], step / std::sqrt(12.0), 0.4 * step / std::sqrt(12.0));
  EXPECT_LT(noise[1], noise[0]);
}

TEST(NoiseField, ScalesAndTurnsWithTheCloud) {
  const std::vector<Vec3> points = noisy_sphere([](const Vec3& p) { return p.x() > 0.0 ? 0.008 : 0.003; });
  const double level = field_of(points).level;
  const auto scaled = transformed(points, [](const Vec3& p) { return Vec3(1000.0 * p); });
  EXPECT_NEAR(field_of(scaled).level / level, 1000.0, 1e-6);
  const auto turned = transformed(points, [](const Vec3& p) { return Vec3(p.y(), p.z(), p.x()); });
  EXPECT_NEAR(field_of(turned).level / level, 1.0, 0.01);
}

TEST(QuantisedDirection, IsFoundAlongAnyDirectionAndNotWhereThereIsNone) {
  const Vec3 direction = Vec3(0.45, -0.6, 0.66).normalized();
  std::vector<Vec3> points = make_shape("sphere")->sample(12000);
  const double spacing = estimate_spacing(points);
  EXPECT_TRUE(find_quantised_directions(points, NeighbourSearch(points), spacing, {}).empty());
  const double step = 2.0 * spacing;
  for (Vec3& p : points) {
    const double height = direction.dot(p);
    p += (step * std::round(height / step) - height) * direction;
  }
  const auto found = find_quantised_directions(points, NeighbourSearch(points), spacing, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(std::abs(found[0].direction.dot(direction)), 1.0, 1e-6);
  EXPECT_NEAR(found[0].step_at(Vec3::Zero()), step, 0.01 * step);
}

TEST(QuantisedDirection, IsNotOneAlongWhichPointsAreDense) {
  // A thin slab: heights are much closer to each other than points are.
  TestRandom random;
  std::vector<Vec3> points;
  for (int i = 0; i < 20000; ++i) {
    points.emplace_back(random.uniform(0.0, 100.0), random.uniform(0.0, 100.0), 0.01 * random.normal());
  }
  EXPECT_TRUE(find_quantised_directions(points, NeighbourSearch(points), estimate_spacing(points), {}).empty());
}

TEST(ResidualCurve, IsFlatForWhiteNoiseAndSteepForShape) {
  std::vector<Vec3> points = plane_lattice(60, 1.0, {0, 0, 1}, 0.3);
  TestRandom random;
  for (Vec3& p : points) {
    p.z() += 0.3 * random.normal();
  }
  const NeighbourSearch search(points);
  std::array<double, 3> sums{};
  for (double x = 15.0; x < 46.0; x += 5.0) {
    for (double y = 15.0; y < 46.0; y += 5.0) {
      const ResidualCurve noise = residual_curve(points, search, Vec3(x, y, 0), {});
      EXPECT_EQ(noise.first_size, 24U);
      for (std::size_t k = 0; k < sums.size(); ++k) {
        sums[k] += noise.deviation[k] / 49.0;
      }
    }
  }
  EXPECT_NEAR(sums[0], 0.3, 0.03);
  EXPECT_NEAR(sums[2], 0.3, 0.02);
  for (Vec3& p : points) {
    p.z() = 2.0 * std::sin(0.4 * p.x());
  }
  const ResidualCurve shape = residual_curve(points, NeighbourSearch(points), Vec3(30, 30, 2.0 * std::sin(12.0)), {});
  EXPECT_GT(shape.deviation[2], 4.0 * shape.deviation[0]);
}

}  // namespace
}  // namespace burnish
