#include "burnish/noise.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include "burnish/error.hpp"
#include "burnish/estimate.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/shapes.hpp"
#include "core/random.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

PointCloud line(std::size_t count) {
  PointCloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    cloud.positions.emplace_back(static_cast<double>(i) / static_cast<double>(count - 1) * 16.0, 0, 0);
  }
  return cloud;
}

PointCloud all_at(const Vec3& place, std::size_t count) {
  PointCloud cloud;
  cloud.positions.assign(count, place);
  return cloud;
}

PointCloud shape(std::string_view name, std::size_t count) {
  PointCloud cloud;
  cloud.positions = make_shape(name)->sample_at_random(count);
  return cloud;
}

/// How far every point was moved.
std::vector<Vec3> moves_of(const PointCloud& cloud, const NoiseModel& model, std::uint64_t seed = 1) {
  std::vector<Vec3> moves = add_noise(cloud, model, seed).cloud.positions;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    moves[i] -= cloud.positions[i];
  }
  return moves;
}

std::vector<Vec3> moves_of(const PointCloud& cloud, std::string_view text) {
  return moves_of(cloud, NoiseModel{parse_noise(text)});
}

/// All coordinates, sorted.
std::vector<double> coordinates_of(const std::vector<Vec3>& points) {
  std::vector<double> values;
  for (const Vec3& p : points) {
    values.insert(values.end(), {p.x(), p.y(), p.z()});
  }
  std::ranges::sort(values);
  return values;
}

/// The mean of a power of all values.
double moment(const std::vector<double>& values, int power) {
  double sum = 0.0;
  for (const double value : values) {
    sum += std::pow(value, power);
  }
  return sum / static_cast<double>(values.size());
}

double rms(const std::vector<double>& values) { return std::sqrt(moment(values, 2)); }

/// The largest difference between the distribution of sorted values and a distribution function, times the root of
/// their number (Kolmogorov-Smirnov): above 2 with a probability of 0.0007 if they agree.
template <class Distribution>
double deviation_from(const std::vector<double>& values, const Distribution& distribution) {
  double largest = 0.0;
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    largest = std::max(largest, std::abs((static_cast<double>(i) + 0.5) / n - distribution(values[i])));
  }
  return largest * std::sqrt(n);
}

const std::vector<NoiseStep>& one_of_each() {
  static const std::vector<NoiseStep> steps = [] {
    std::vector<NoiseStep> all;
    for (const char* text : {"gaussian:sigma=0.01", "uniform:sigma=0.5spacing:along=normal",
                             "laplace:sigma=0.01:along=1,2,3", "student-t:sigma=0.01:share=0.3",
                             "periodic:sigma=0.01:wavelength=0.1", "gaussian:sigma=0.01:correlation=4spacing",
                             "gaussian:sigma=0.01:along=sight:viewpoint=0,0,3:growth=quadratic", "quantise:step=0.01",
                             "quantise-depth:step=0.01:viewpoint=0,0,3", "outliers:share=0.1", "halo:distance=0.1",
                             "misregistration:scans=3:shift=0.01:angle=2"}) {
      all.push_back(parse_noise(text));
    }
    return all;
  }();
  return steps;
}

TEST(AddNoise, FollowsEachDistribution) {
  const PointCloud cloud = all_at(Vec3::Zero(), 50000);
  const auto noise = [&](NoiseDistribution distribution) {
    std::vector<double> values =
        coordinates_of(moves_of(cloud, {RandomDisplacement{.sigma = 2.0, .distribution = distribution}}));
    std::ranges::for_each(values, [](double& value) { value /= 2.0; });
    return values;
  };
  EXPECT_LT(
      deviation_from(noise(NoiseDistribution::gaussian), [](double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }),
      2.0);
  EXPECT_LT(deviation_from(noise(NoiseDistribution::laplace),
                           [](double x) {
                             const double tail = 0.5 * std::exp(-std::abs(x) * M_SQRT2);
                             return x < 0 ? tail : 1.0 - tail;
                           }),
            2.0);
  EXPECT_LT(deviation_from(noise(NoiseDistribution::uniform),
                           [](double x) { return std::clamp(0.5 + x / std::sqrt(12.0), 0.0, 1.0); }),
            2.0);
  // Student's t with 3 degrees of freedom has a distribution function in closed form, and the variance 3.
  EXPECT_LT(deviation_from(noise(NoiseDistribution::student_t),
                           [](double x) { return 0.5 + (x / (1.0 + x * x) + std::atan(x)) / std::numbers::pi; }),
            2.0);
}

TEST(AddNoise, HasTheKurtosisOfItsDistribution) {
  const PointCloud cloud = all_at(Vec3::Zero(), 200000);
  for (const auto& [text, expected, tolerance] : std::vector<std::tuple<const char*, double, double>>{
           {"gaussian:sigma=1", 3.0, 0.06},
           {"uniform:sigma=1", 1.8, 0.02},
           {"laplace:sigma=1", 6.0, 0.3},
           {"student-t:sigma=1:degrees=12", 3.75, 0.12},  // 3 + 6 / (degrees − 4)
           {"student-t:sigma=1:degrees=30.5", 3.0 + 6.0 / 26.5, 0.08}}) {
    const std::vector<double> values = coordinates_of(moves_of(cloud, text));
    EXPECT_NEAR(moment(values, 1), 0.0, 0.006) << text;
    EXPECT_NEAR(rms(values), 1.0, 0.006) << text;
    EXPECT_NEAR(moment(values, 4) / std::pow(moment(values, 2), 2), expected, tolerance) << text;
  }
}

TEST(AddNoise, HasIndependentCoordinatesAndPoints) {
  const PointCloud cloud = all_at(Vec3::Zero(), 40000);
  for (const char* text : {"gaussian:sigma=1", "uniform:sigma=1", "laplace:sigma=1", "student-t:sigma=1:degrees=6"}) {
    const std::vector<Vec3> moves = moves_of(cloud, text);
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    double next = 0.0;  // correlation of a point with the following one
    for (std::size_t i = 0; i < moves.size(); ++i) {
      covariance += moves[i] * moves[i].transpose() / 40000.0;
      next += moves[i].dot(moves[(i + 1) % moves.size()]) / 40000.0;
    }
    EXPECT_LT((covariance - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 0.04) << text;
    EXPECT_LT(std::abs(next), 0.04) << text;
  }
}

TEST(AddNoise, UnderstandsEveryUnit) {
  const PointCloud cloud = line(1000);
  const auto deviation = [&](NoiseUnit unit) {
    return rms(coordinates_of(moves_of(cloud, {Misregistration{.scans = 1, .shift = {0.5, unit}}}))) * std::sqrt(3.0);
  };
  EXPECT_NEAR(deviation(NoiseUnit::absolute), 0.5, 1e-12);
  EXPECT_NEAR(deviation(NoiseUnit::diameter), 8.0, 1e-12);
  EXPECT_NEAR(deviation(NoiseUnit::sqrt_diameter), 2.0, 1e-12);
  EXPECT_NEAR(deviation(NoiseUnit::radius), 4.0, 1e-12);
  EXPECT_NEAR(deviation(NoiseUnit::spacing), 0.5 * estimate_spacing(cloud.positions), 1e-12);
}

TEST(AddNoise, ReportsTheStandardDeviationThatIsThere) {
  const PointCloud cloud = shape("sphere", 20000);
  EXPECT_NEAR(add_noise(cloud, {parse_noise("gaussian:sigma=0.01")}).standard_deviation, 0.01, 0.0001);
  // Along one direction only, and only for a quarter of the points.
  EXPECT_NEAR(add_noise(cloud, {parse_noise("gaussian:sigma=0.06:along=0,1,0:share=0.25")}).standard_deviation,
              0.06 / std::sqrt(12.0), 0.0005);
  // Outliers do not count.
  EXPECT_NEAR(
      add_noise(cloud, {parse_noise("gaussian:sigma=0.01"), parse_noise("outliers:share=0.5")}).standard_deviation,
      0.01, 0.0001);
  EXPECT_EQ(add_noise(cloud, {}).standard_deviation, 0.0);
}

TEST(AddNoise, IsTheSameToTheBit) {
  // Numbers written down once: they must never change, on no platform.
  const PointCloud zero = all_at(Vec3::Zero(), 2);
  EXPECT_EQ(moves_of(zero, "gaussian:sigma=1")[1],
            Vec3(0x1.01654307797c6p-1, 0x1.59946ef1a5d92p-2, 0x1.81b399c587efp+0));
  EXPECT_EQ(moves_of(zero, "laplace:sigma=1")[1],
            Vec3(0x1.462c2c7513d3p-1, -0x1.1c0558241848ep-2, 0x1.80918d5d55a35p-6));
}

TEST(AddNoise, DoesNotDependOnThreads) {
  PointCloud cloud = shape("part", 20000);
  cloud.positions[7].x() = nan;
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext three;
  three.threads = 3;
  for (const NoiseStep& step : one_of_each()) {
    EXPECT_TRUE(
        same_bits(add_noise(cloud, {step}, 5, one).cloud.positions, add_noise(cloud, {step}, 5, three).cloud.positions))
        << step.index();
  }
  const NoisyCloud all = add_noise(cloud, one_of_each(), 5, one);
  const NoisyCloud again = add_noise(cloud, one_of_each(), 5, three);
  EXPECT_TRUE(same_bits(all.cloud.positions, again.cloud.positions));
  EXPECT_EQ(all.standard_deviation, again.standard_deviation);
  EXPECT_EQ(all.outliers, again.outliers);
}

TEST(AddNoise, DependsOnSeedAndIndex) {
  const PointCloud cloud = line(20000);
  const NoiseModel model = {RandomDisplacement{.sigma = 0.01}};
  const PointCloud noisy = add_noise(cloud, model).cloud;
  PointCloud shorter = cloud;
  shorter.positions.resize(10);
  EXPECT_EQ(add_noise(shorter, model).cloud.positions[9], noisy.positions[9]);
  EXPECT_NE(add_noise(cloud, model, 2).cloud.positions[0], noisy.positions[0]);
}

TEST(AddNoise, LeavesEverythingElseAlone) {
  PointCloud cloud = shape("cube", 100);
  cloud.positions[1].y() = nan;
  cloud.attributes.push_back({"intensity", std::vector<float>(100, 0.25F), {}});
  cloud.comments = {"a comment"};
  cloud.position_type = ScalarType::float32;
  cloud.width = 50;
  cloud.height = 2;
  for (const NoiseStep& step : one_of_each()) {
    const NoisyCloud noisy = add_noise(cloud, {step});
    EXPECT_EQ(noisy.cloud.positions[1].x(), cloud.positions[1].x());
    EXPECT_TRUE(std::isnan(noisy.cloud.positions[1].y()));
    EXPECT_NE(noisy.cloud.positions, cloud.positions);
    EXPECT_EQ(noisy.cloud.attributes[0].values, cloud.attributes[0].values);
    EXPECT_EQ(noisy.cloud.comments, cloud.comments);
    EXPECT_EQ(noisy.cloud.position_type, ScalarType::float32);
    EXPECT_EQ(noisy.cloud.width, 50U);
  }
}

TEST(AddNoise, AppliesStepsOneAfterTheOtherWithIndependentNoise) {
  const PointCloud cloud = all_at(Vec3(1, 2, 3), 40000);
  const NoiseStep step = parse_noise("gaussian:sigma=1");
  const std::vector<double> twice = coordinates_of(moves_of(cloud, {step, step}));
  EXPECT_NEAR(rms(twice), std::sqrt(2.0), 0.01);  // 2 if both steps had the same random numbers
  // Rounding after noise leaves whole numbers, noise after rounding does not.
  const NoiseStep round = parse_noise("quantise:step=1");
  for (const Vec3& p : add_noise(cloud, {step, round}).cloud.positions) {
    EXPECT_EQ(p, Vec3(p.array().round()));
  }
  EXPECT_NE(moves_of(cloud, {round, step})[0], Vec3(moves_of(cloud, {round, step})[0].array().round()));
}

TEST(AddNoise, MovesAlongOneDirection) {
  const PointCloud cloud = shape("sphere", 40000);
  const Vec3 direction = Vec3(0.3, -2.0, 1.0).normalized();
  std::vector<double> amounts;
  for (const Vec3& move : moves_of(cloud, "gaussian:sigma=0.02:along=0.3,-2,1")) {
    amounts.push_back(move.dot(direction));
    EXPECT_LT((move - move.dot(direction) * direction).norm(), 1e-15);
  }
  EXPECT_NEAR(rms(amounts), 0.02, 0.0003);
}

TEST(AddNoise, MovesAlongTheNormal) {
  PointCloud cloud = shape("sphere", 20000);
  std::vector<double> along;
  std::vector<double> across;
  const std::vector<Vec3> moves = moves_of(cloud, "gaussian:sigma=0.02:along=normal");
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Vec3 normal = cloud.positions[i].normalized();
    along.push_back(moves[i].dot(normal));
    across.push_back((moves[i] - moves[i].dot(normal) * normal).norm());
  }
  EXPECT_NEAR(rms(along), 0.02, 0.0004);
  EXPECT_LT(rms(across), 0.05 * 0.02);
  // Normals that the cloud has are used rather than estimated ones.
  cloud.attributes = {{"nx", std::vector<float>(cloud.size(), 0.0F), {}},
                      {"ny", std::vector<float>(cloud.size(), 3.0F), {}},
                      {"nz", std::vector<float>(cloud.size(), 0.0F), {}}};
  for (const Vec3& move : moves_of(cloud, "gaussian:sigma=0.02:along=normal")) {
    EXPECT_EQ(move.x(), 0.0);
    EXPECT_EQ(move.z(), 0.0);
  }
}

TEST(AddNoise, MovesAlongTheLineOfSight) {
  PointCloud cloud = shape("cube", 40000);
  const Vec3 viewpoint(4, 1, -2);
  const auto amounts_of = [&](const std::vector<Vec3>& moves) {
    std::vector<double> amounts;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      const Vec3 ray = (cloud.positions[i] - viewpoint).normalized();
      amounts.push_back(moves[i].dot(ray));
      EXPECT_LT((moves[i] - amounts.back() * ray).norm(), 1e-14);
    }
    return amounts;
  };
  const std::vector<Vec3> moves = moves_of(cloud, "gaussian:sigma=0.02:along=sight:viewpoint=4,1,-2");
  EXPECT_NEAR(rms(amounts_of(moves)), 0.02, 0.0003);
  // The same with the viewpoint that a PCD file would have.
  cloud.comments = {"a comment", "VIEWPOINT 4 1 -2 1 0 0 0"};
  EXPECT_EQ(moves_of(cloud, "gaussian:sigma=0.02:along=sight"), moves);
}

TEST(AddNoise, GrowsWithTheDistance) {
  // Two sheets at distances 1 and 3 of the viewpoint.
  PointCloud cloud = all_at(Vec3(0, 0, 1), 20000);
  cloud.positions.resize(40000, Vec3(0, 0, 3));
  const auto deviations = [&](const char* text) {
    const std::vector<Vec3> moves = moves_of(cloud, text);
    const auto middle = moves.begin() + 20000;
    return std::pair(rms(coordinates_of({moves.begin(), middle})), rms(coordinates_of({middle, moves.end()})));
  };
  const auto linear = deviations("gaussian:sigma=0.1:growth=linear:viewpoint=0,0,0");
  EXPECT_NEAR(linear.first, 0.05, 0.0006);  // sigma at the mean distance, 2
  EXPECT_NEAR(linear.second, 0.15, 0.002);
  const auto quadratic = deviations("gaussian:sigma=0.1:growth=quadratic:viewpoint=0,0,0:range=1");
  EXPECT_NEAR(quadratic.first, 0.1, 0.0012);
  EXPECT_NEAR(quadratic.second, 0.9, 0.011);
}

TEST(AddNoise, TakesTheStandardDeviationFromAnAttribute) {
  PointCloud cloud = all_at(Vec3::Zero(), 30000);
  std::vector<std::uint8_t> levels(30000);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i] = static_cast<std::uint8_t>(i / 10000);
  }
  cloud.attributes.push_back({"level", levels, {}});
  const std::vector<Vec3> moves = moves_of(cloud, "gaussian:attribute=level:sigma=0.5");
  for (int level = 0; level < 3; ++level) {
    const auto begin = moves.begin() + 10000 * level;
    EXPECT_NEAR(rms(coordinates_of({begin, begin + 10000})), 0.5 * level, 0.015 * level) << level;
  }
  EXPECT_NEAR(rms(coordinates_of(moves_of(cloud, "gaussian:attribute=level"))), std::sqrt(5.0 / 3.0), 0.02);
}

TEST(AddNoise, MovesAShareOfThePoints) {
  const PointCloud cloud = all_at(Vec3(1, 1, 1), 100000);
  std::vector<Vec3> moves = moves_of(cloud, "gaussian:sigma=0.1:share=0.2");
  EXPECT_NEAR(static_cast<double>(std::erase(moves, Vec3::Zero())), 80000.0, 500.0);
  EXPECT_NEAR(rms(coordinates_of(moves)), 0.1, 0.001);
  // A mixture of two Gaussians: variance 0.09 + 0.1 · 16, and its kurtosis.
  const std::vector<double> mixture =
      coordinates_of(moves_of(cloud, {parse_noise("gaussian:sigma=0.3"), parse_noise("gaussian:sigma=4:share=0.1")}));
  const double variance = 0.09 + 0.1 * 16.0;
  EXPECT_NEAR(moment(mixture, 2), variance, 0.04);
  const double fourth = 3.0 * (0.9 * 0.09 * 0.09 + 0.1 * 16.09 * 16.09);
  EXPECT_NEAR(moment(mixture, 4) / (variance * variance), fourth / (variance * variance), 1.2);
}

TEST(AddNoise, IsCorrelatedOverTheLengthThatWasAskedFor) {
  // Points on a plane; the mean product of the moves of two points, by their distance.
  PointCloud cloud;
  cloud.positions = plane_lattice(120, 0.1, Vec3(0.2, -1.0, 0.7), 0.4);
  const double length = 0.5;
  std::array<double, 30> products{};
  std::array<double, 30> counts{};
  std::vector<double> values;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::vector<Vec3> moves = moves_of(cloud, {RandomDisplacement{.sigma = 2.0, .correlation = length}}, seed);
    const std::vector<double> coordinates = coordinates_of(moves);
    values.insert(values.end(), coordinates.begin(), coordinates.end());
    TestRandom random;
    for (int pair = 0; pair < 400000; ++pair) {
      const std::size_t i = random.index(moves.size());
      const std::size_t j = random.index(moves.size());
      const auto bin = static_cast<std::size_t>((cloud.positions[i] - cloud.positions[j]).norm() / 0.1);
      if (bin < products.size()) {
        products[bin] += moves[i].dot(moves[j]) / 3.0;
        counts[bin] += 1.0;
      }
    }
  }
  EXPECT_NEAR(rms(values), 2.0, 0.06);
  EXPECT_NEAR(moment(values, 4) / std::pow(moment(values, 2), 2), 3.0, 0.15);
  for (std::size_t bin = 1; bin < products.size(); ++bin) {
    ASSERT_GT(counts[bin], 500.0);
    const double d = (static_cast<double>(bin) + 0.5) * 0.1;
    EXPECT_NEAR(products[bin] / counts[bin] / 4.0, std::exp(-d * d / (2.0 * length * length)), 0.05) << d;
  }
}

TEST(AddNoise, AddsAWhitePartByASecondStep) {
  const PointCloud cloud = all_at(Vec3(1, 2, 3), 50000);
  const std::vector<Vec3> moves =
      moves_of(cloud, {parse_noise("gaussian:sigma=1:correlation=1"), parse_noise("gaussian:sigma=0.3")});
  Vec3 mean = Vec3::Zero();
  for (const Vec3& move : moves) {
    mean += move / 50000.0;
  }
  std::vector<Vec3> white;
  for (const Vec3& move : moves) {
    white.emplace_back(move - mean);  // all points are at one place: the correlated part is the same for all
  }
  EXPECT_NEAR(rms(coordinates_of(white)), 0.3, 0.003);
}

TEST(AddNoise, IsPeriodic) {
  const PointCloud cloud = shape("organic", 50000);
  const RandomDisplacement step{
      .sigma = 0.02, .distribution = NoiseDistribution::periodic, .along = NoiseDirection::fixed, .wavelength = 0.2};
  const std::vector<Vec3> moves = moves_of(cloud, {step});
  std::vector<double> amounts;
  for (const Vec3& move : moves) {
    amounts.push_back(move.z());
  }
  EXPECT_NEAR(rms(amounts), 0.02, 0.001);
  EXPECT_NEAR(*std::ranges::max_element(amounts), 0.02 * M_SQRT2, 1e-5);
  EXPECT_NEAR(moment(amounts, 4) / std::pow(moment(amounts, 2), 2), 1.5, 0.05);  // of a sine
  // A wave has a direction: places that are one wavelength apart along it move alike. The same wave on a line through
  // a box of the same centre shows its component along each axis; their squares add up.
  Vec3 frequency;
  for (int axis = 0; axis < 3; ++axis) {
    PointCloud probe = all_at(Vec3::Zero(), 40001);
    for (std::size_t i = 0; i < probe.size(); ++i) {
      probe.positions[i][axis] = (static_cast<double>(i) - 20000.0) * 1e-3;
    }
    const std::vector<Vec3> wave = moves_of(probe, {step});
    int changes = 0;
    for (std::size_t i = 1; i < wave.size(); ++i) {
      changes += (wave[i].z() > 0.0) != (wave[i - 1].z() > 0.0) ? 1 : 0;
    }
    frequency[axis] = changes / (2.0 * 40.0);
  }
  EXPECT_NEAR(frequency.norm(), 1.0 / 0.2, 0.05);
}

TEST(AddNoise, RoundsCoordinates) {
  const PointCloud cloud = shape("sphere", 20000);
  const PointCloud noisy = add_noise(cloud, {parse_noise("quantise:step=0.03")}).cloud;
  std::vector<double> errors;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    for (int d = 0; d < 3; ++d) {
      const double steps = noisy.positions[i][d] / 0.03;
      EXPECT_NEAR(steps, std::round(steps), 1e-12);
      errors.push_back(noisy.positions[i][d] - cloud.positions[i][d]);
      EXPECT_LE(std::abs(errors.back()), 0.015 + 1e-15);
    }
  }
  EXPECT_NEAR(rms(errors), 0.03 / std::sqrt(12.0), 0.0003);
}

TEST(AddNoise, RoundsDepthAlongTheRay) {
  const PointCloud cloud = shape("sphere", 20000);
  const Vec3 viewpoint(0, 3, 0);
  const Vec3 axis = Vec3(0.1, -1, 0).normalized();
  const PointCloud noisy =
      add_noise(cloud, {parse_noise("quantise-depth:step=0.04:viewpoint=0,3,0:axis=0.1,-1,0")}).cloud;
  std::vector<double> errors;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Vec3 before = cloud.positions[i] - viewpoint;
    const Vec3 after = noisy.positions[i] - viewpoint;
    EXPECT_NEAR(after.dot(axis) / 0.04, std::round(after.dot(axis) / 0.04), 1e-10);
    EXPECT_NEAR(after.normalized().dot(before.normalized()), 1.0, 1e-14);
    errors.push_back(after.dot(axis) - before.dot(axis));
  }
  EXPECT_NEAR(rms(errors), 0.04 / std::sqrt(12.0), 0.0003);
  // Without an axis depth is measured towards the centre of the points.
  PointCloud two;
  two.positions = {Vec3(1, 0, 10.4), Vec3(-1, 0, 10.4)};
  EXPECT_NEAR(add_noise(two, {parse_noise("quantise-depth:step=1:viewpoint=0,0,0")}).cloud.positions[0].z(), 10.0,
              1e-12);
}

TEST(AddNoise, ThrowsOutliersIntoTheBox) {
  const PointCloud cloud = shape("cube", 50000);
  const auto extent = [&](const char* text, double expected) {
    const NoisyCloud noisy = add_noise(cloud, {parse_noise(text)});
    EXPECT_NEAR(static_cast<double>(noisy.outliers.size()), 5000.0, 250.0);
    std::vector<std::uint32_t> moved;
    std::vector<Vec3> places;
    for (std::uint32_t i = 0; i < cloud.size(); ++i) {
      if (noisy.cloud.positions[i] != cloud.positions[i]) {
        moved.push_back(i);
        places.emplace_back(noisy.cloud.positions[i] / expected);
      }
    }
    EXPECT_EQ(moved, noisy.outliers);
    EXPECT_LT(deviation_from(coordinates_of(places), [](double x) { return std::clamp(x + 0.5, 0.0, 1.0); }), 2.0);
  };
  extent("outliers:share=0.1", 1.0);
  extent("outliers:share=0.1:margin=0.25", 1.5);
}

TEST(AddNoise, ThrowsAHaloAroundTheSurface) {
  const PointCloud cloud = shape("sphere", 50000);
  const NoisyCloud noisy = add_noise(cloud, {parse_noise("halo:share=0.1:distance=0.2")});
  EXPECT_NEAR(static_cast<double>(noisy.outliers.size()), 5000.0, 250.0);
  std::vector<double> distances;
  for (const std::uint32_t i : noisy.outliers) {
    distances.push_back((noisy.cloud.positions[i] - cloud.positions[i]).norm() / 0.2);
  }
  std::ranges::sort(distances);
  EXPECT_LT(deviation_from(distances, [](double x) { return std::clamp(x, 0.0, 1.0); }), 2.0);
}

TEST(AddNoise, MovesScansRigidly) {
  PointCloud cloud = shape("part", 6000);
  std::vector<std::int32_t> scans(6000);
  for (std::size_t i = 0; i < scans.size(); ++i) {
    scans[i] = static_cast<std::int32_t>(7 * (i % 3));
  }
  cloud.attributes.push_back({"scan", scans, {}});
  const std::vector<Vec3> noisy =
      add_noise(cloud, {parse_noise("misregistration:attribute=scan:shift=0.01:angle=1.5")}).cloud.positions;
  for (std::size_t scan = 0; scan < 3; ++scan) {
    // The rotation and the shift that take one to the other, by the singular value decomposition (Kabsch).
    Eigen::Matrix3Xd before(3, 2000);
    Eigen::Matrix3Xd after(3, 2000);
    for (std::size_t i = 0; i < 2000; ++i) {
      before.col(static_cast<Eigen::Index>(i)) = cloud.positions[3 * i + scan];
      after.col(static_cast<Eigen::Index>(i)) = noisy[3 * i + scan];
    }
    const Eigen::Matrix4d transform = Eigen::umeyama(before, after, false);
    const Eigen::Matrix3d rotation = transform.topLeftCorner<3, 3>();
    const Vec3 shift = transform.topRightCorner<3, 1>();
    EXPECT_LT(((rotation * before).colwise() + shift - after).norm(), 1e-10);
    EXPECT_NEAR(std::acos((rotation.trace() - 1.0) / 2.0) * 180.0 / std::numbers::pi, 1.5, 1e-6);
    Vec3 centre = Vec3::Zero();
    for (const Vec3& p : cloud.positions) {
      centre += p / 6000.0;
    }
    EXPECT_NEAR((rotation * centre + shift - centre).norm(), 0.01, 1e-10);
  }
}

TEST(AddNoise, DividesIntoScansByChance) {
  const PointCloud cloud = shape("sphere", 40000);
  std::vector<Vec3> distinct;
  std::vector<double> counts;
  for (const Vec3& move : moves_of(cloud, "misregistration:scans=4:shift=0.02")) {
    EXPECT_NEAR(move.norm(), 0.02, 1e-12);
    const auto found = std::ranges::find_if(distinct, [&](const Vec3& d) { return (d - move).norm() < 1e-12; });
    if (found == distinct.end()) {
      distinct.push_back(move);
      counts.push_back(1.0);
    } else {
      counts[static_cast<std::size_t>(found - distinct.begin())] += 1.0;
    }
  }
  ASSERT_EQ(distinct.size(), 4U);
  for (const double count : counts) {
    EXPECT_NEAR(count, 10000.0, 350.0);
  }
}

TEST(AddNoise, IsIndependentOfPointsDrawnWithTheSameSeed) {
  const PointCloud cloud = shape("cube", 20000);
  const std::vector<Vec3> moves = moves_of(cloud, "gaussian:sigma=0.01");
  // Were they from the same numbers, neighbours would move together.
  const NeighbourSearch search(cloud.positions);
  double product = 0.0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    std::array<std::uint32_t, 2> nearest{};
    std::array<double, 2> squares{};
    search.nearest(cloud.positions[i], nearest, squares);
    product += moves[i].dot(moves[nearest[1]]);
  }
  EXPECT_LT(std::abs(product / static_cast<double>(moves.size())), 0.05 * 3.0 * 0.01 * 0.01);
}

TEST(AddNoise, DoesNotDependOnWhereTheCloudIs) {
  const PointCloud cloud = shape("part", 5000);
  const Vec3 far(4e6, -5e5, 300.0);
  PointCloud moved = cloud;
  std::ranges::for_each(moved.positions, [&](Vec3& p) { p += far; });
  for (const char* text : {"gaussian:sigma=0.01:correlation=0.1", "misregistration:shift=0.01:angle=2",
                           "gaussian:sigma=0.3spacing:along=normal", "halo:distance=0.1"}) {
    const std::vector<Vec3> here = moves_of(cloud, text);
    const std::vector<Vec3> there = moves_of(moved, text);
    EXPECT_LT(largest_deviation(here, there), 2e-5) << text;
  }
}

TEST(AddNoise, TakesCloudsWithoutPoints) {
  PointCloud bad = all_at(Vec3(nan, nan, nan), 1);
  for (const NoiseStep& step : one_of_each()) {
    EXPECT_EQ(add_noise({}, {step}).cloud.size(), 0U);
    EXPECT_EQ(add_noise(bad, {step}).cloud.size(), 1U);
  }
}

TEST(AddNoise, RefusesWhatMakesNoSense) {
  const PointCloud cloud = line(100);
  const auto refused = [&](const NoiseStep& step, const std::string& message) {
    try {
      static_cast<void>(add_noise(cloud, {step}));
      ADD_FAILURE() << "accepted: " << message;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  };
  refused(RandomDisplacement{.sigma = -1.0}, "sigma must be a length from 0 on, not -1");
  refused(RandomDisplacement{.sigma = nan}, "sigma");
  refused(RandomDisplacement{.sigma = 1e308, .distribution = NoiseDistribution::laplace}, "too large");
  refused(RandomDisplacement{.sigma = 1.0, .share = 1.5}, "share must be between 0 and 1, not 1.5");
  refused(RandomDisplacement{.sigma = 1.0, .along = NoiseDirection::fixed, .direction = Vec3::Zero()}, "not all 0");
  refused(RandomDisplacement{.sigma = 1.0, .along = NoiseDirection::line_of_sight}, "viewpoint=X,Y,Z");
  refused(RandomDisplacement{.sigma = 1.0, .growth = NoiseGrowth::linear}, "viewpoint=X,Y,Z");
  refused(RandomDisplacement{.sigma = 1.0, .viewpoint = Vec3(0, nan, 0)}, "viewpoint must be");
  refused(RandomDisplacement{.sigma = 1.0, .attribute = "depth"}, "no attribute \"depth\"");
  refused(RandomDisplacement{.sigma = 1.0, .distribution = NoiseDistribution::student_t, .degrees_of_freedom = 2.0},
          "above 2");
  refused(RandomDisplacement{.sigma = 1.0, .distribution = NoiseDistribution::laplace, .correlation = 1.0},
          "only gaussian");
  refused(RandomDisplacement{.sigma = 1.0, .distribution = NoiseDistribution::periodic}, "wavelength");
  refused(Quantisation{}, "step must be a length above 0");
  refused(Quantisation{.step = 1.0, .depth = true}, "viewpoint");
  refused(Outliers{.share = -0.1}, "share");
  refused(Outliers{.margin = -1.0}, "margin");
  refused(Misregistration{.scans = 0}, "scans");
  refused(Misregistration{.angle = nan}, "angle");
  EXPECT_THROW((void)add_noise(all_at(Vec3::Zero(), 9), {RandomDisplacement{.sigma = {1.0, NoiseUnit::diameter}}}),
               Error);
  PointCloud negative = line(3);
  negative.attributes.push_back({"s", std::vector<double>{1.0, -1.0, 1.0}, {}});
  EXPECT_THROW((void)add_noise(negative, {parse_noise("gaussian:attribute=s")}), Error);
}

}  // namespace
}  // namespace burnish
