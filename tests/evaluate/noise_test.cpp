#include "burnish/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "burnish/error.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/sampling.hpp"
#include "burnish/shapes.hpp"
#include "core/random.hpp"

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

/// All coordinates of the noise that was added, in units of the standard deviation, sorted.
std::vector<double> noise_of(NoiseKind kind, std::size_t points) {
  PointCloud zero;
  zero.positions.assign(points, Vec3::Zero());
  NoiseSettings settings;
  settings.scale = NoiseScale::absolute;
  settings.sigma = 2.0;
  settings.kind = kind;
  std::vector<double> values;
  for (const Vec3& p : add_noise(zero, settings).cloud.positions) {
    values.insert(values.end(), {p.x() / 2.0, p.y() / 2.0, p.z() / 2.0});
  }
  std::ranges::sort(values);
  return values;
}

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

TEST(AddNoise, FollowsEachDistribution) {
  const std::size_t n = 50000;
  EXPECT_LT(deviation_from(noise_of(NoiseKind::gaussian, n), [](double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }),
            2.0);
  EXPECT_LT(deviation_from(noise_of(NoiseKind::laplacian, n),
                           [](double x) {
                             const double tail = 0.5 * std::exp(-std::abs(x) * M_SQRT2);
                             return x < 0 ? tail : 1.0 - tail;
                           }),
            2.0);
  EXPECT_LT(deviation_from(noise_of(NoiseKind::uniform, n),
                           [](double x) { return std::clamp(0.5 + x / std::sqrt(12.0), 0.0, 1.0); }),
            2.0);
}

TEST(AddNoise, HasUnitVarianceAndFreeCoordinates) {
  for (const NoiseKind kind : {NoiseKind::gaussian, NoiseKind::laplacian, NoiseKind::uniform}) {
    PointCloud zero;
    zero.positions.assign(40000, Vec3::Zero());
    NoiseSettings settings;
    settings.sigma = 1.0;
    settings.scale = NoiseScale::absolute;
    settings.kind = kind;
    const PointCloud noisy = add_noise(zero, settings).cloud;
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    double next = 0.0;  // correlation of a point with the following one
    for (std::size_t i = 0; i < noisy.size(); ++i) {
      covariance += noisy.positions[i] * noisy.positions[i].transpose() / 40000.0;
      next += noisy.positions[i].dot(noisy.positions[(i + 1) % noisy.size()]) / 40000.0;
    }
    EXPECT_LT((covariance - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 0.04);
    EXPECT_LT(std::abs(next), 0.04);
  }
}

TEST(AddNoise, UnderstandsEveryScale) {
  const PointCloud cloud = line(1000);
  NoiseSettings settings;
  settings.sigma = 0.5;
  const auto deviation = [&](NoiseScale scale) {
    settings.scale = scale;
    return add_noise(cloud, settings).standard_deviation;
  };
  EXPECT_DOUBLE_EQ(deviation(NoiseScale::absolute), 0.5);
  EXPECT_DOUBLE_EQ(deviation(NoiseScale::diameter), 8.0);
  EXPECT_DOUBLE_EQ(deviation(NoiseScale::sqrt_diameter), 2.0);
  EXPECT_DOUBLE_EQ(deviation(NoiseScale::sphere), 4.0);
}

TEST(AddNoise, IsTheSameToTheBit) {
  // Numbers written down once: they must never change, on no platform.
  PointCloud zero;
  zero.positions.assign(2, Vec3::Zero());
  NoiseSettings settings;
  settings.sigma = 1.0;
  settings.scale = NoiseScale::absolute;
  EXPECT_EQ(add_noise(zero, settings).cloud.positions[1],
            Vec3(0x1.01654307797c5p-1, 0x1.59946ef1a5d92p-2, 0x1.81b399c587efp+0));
  settings.kind = NoiseKind::laplacian;
  EXPECT_EQ(add_noise(zero, settings).cloud.positions[1],
            Vec3(0x1.462c2c7513d3p-1, -0x1.1c0558241848ep-2, 0x1.80918d5d55a35p-6));
}

TEST(AddNoise, DependsOnSeedAndIndexAlone) {
  const PointCloud cloud = line(20000);
  NoiseSettings settings;
  settings.scale = NoiseScale::absolute;
  ExecutionContext one;
  one.threads = 1;
  const PointCloud noisy = add_noise(cloud, settings).cloud;
  EXPECT_EQ(add_noise(cloud, settings, one).cloud.positions, noisy.positions);

  PointCloud shorter = cloud;
  shorter.positions.resize(10);
  EXPECT_EQ(add_noise(shorter, settings).cloud.positions[9], noisy.positions[9]);

  settings.seed = 2;
  EXPECT_NE(add_noise(cloud, settings).cloud.positions[0], noisy.positions[0]);
}

TEST(AddNoise, LeavesEverythingElseAlone) {
  PointCloud cloud = line(4);
  cloud.positions[1].y() = nan;
  cloud.attributes.push_back({"intensity", std::vector<float>{1, 2, 3, 4}, {}});
  cloud.comments = {"a comment"};
  cloud.position_type = ScalarType::float32;
  cloud.width = 2;
  cloud.height = 2;
  const PointCloud noisy = add_noise(cloud, {}).cloud;
  EXPECT_EQ(noisy.positions[1].x(), cloud.positions[1].x());
  EXPECT_TRUE(std::isnan(noisy.positions[1].y()));
  EXPECT_NE(noisy.positions[0], cloud.positions[0]);
  EXPECT_EQ(noisy.attributes[0].values, cloud.attributes[0].values);
  EXPECT_EQ(noisy.comments, cloud.comments);
  EXPECT_EQ(noisy.position_type, ScalarType::float32);
  EXPECT_EQ(noisy.width, 2U);
}

TEST(AddNoise, ThrowsOutliersIntoTheBox) {
  const PointCloud cloud = line(10000);
  NoiseSettings settings;
  settings.sigma = 0.0;
  settings.outliers = 0.1;
  const NoisyCloud noisy = add_noise(cloud, settings);
  EXPECT_NEAR(static_cast<double>(noisy.outliers), 1000.0, 120.0);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    moved += noisy.cloud.positions[i] != cloud.positions[i] ? 1 : 0;
    EXPECT_TRUE(noisy.cloud.positions[i].x() >= 0.0 && noisy.cloud.positions[i].x() <= 16.0);
  }
  EXPECT_EQ(moved, noisy.outliers);
}

TEST(AddNoise, IsIndependentOfPointsDrawnWithTheSameSeed) {
  PointCloud cloud;
  cloud.positions = make_shape("cube")->sample_at_random(20000, 1);
  NoiseSettings settings;
  settings.seed = 1;
  settings.sigma = 0.01;
  settings.scale = NoiseScale::absolute;
  const std::vector<Vec3> noisy = add_noise(cloud, settings).cloud.positions;
  // Were they from the same numbers, neighbours would move together.
  const NeighbourSearch search(cloud.positions);
  double product = 0.0;
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    std::array<std::uint32_t, 2> nearest{};
    std::array<double, 2> squares{};
    search.nearest(cloud.positions[i], nearest, squares);
    product += (noisy[i] - cloud.positions[i]).dot(noisy[nearest[1]] - cloud.positions[nearest[1]]);
  }
  EXPECT_LT(std::abs(product / static_cast<double>(noisy.size())), 0.05 * 3.0 * 0.01 * 0.01);
}

TEST(AddNoise, TakesNothingAndRefusesNonsense) {
  EXPECT_EQ(add_noise({}, {}).cloud.size(), 0U);
  PointCloud bad;
  bad.positions.emplace_back(nan, nan, nan);
  EXPECT_EQ(add_noise(bad, {}).cloud.size(), 1U);
  NoiseSettings settings;
  settings.sigma = -1.0;
  EXPECT_THROW((void)add_noise({}, settings), Error);
  settings.sigma = nan;
  EXPECT_THROW((void)add_noise({}, settings), Error);
  settings.sigma = 1.0;
  settings.outliers = 1.5;
  EXPECT_THROW((void)add_noise({}, settings), Error);
}

TEST(PortableLog, IsAccurate) {
  for (const double x : {1e-300, 1e-10, 0.1, 0.5, 0.7071, 0.7072, 0.999999, 1.0, 1.000001, 1.5, 2.0, 10.0, 1e300}) {
    EXPECT_NEAR(portable_log(x), std::log(x), 4e-16 * std::max(std::abs(std::log(x)), 1e-6)) << x;
  }
}

}  // namespace
}  // namespace burnish
