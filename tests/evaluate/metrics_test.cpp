#include "burnish/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "burnish/error.hpp"

namespace burnish {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Vec3> random_points(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  const auto next = [&] { return static_cast<double>(engine()) / 4294967296.0; };
  std::vector<Vec3> points(count);
  for (Vec3& p : points) {
    p = {next() + 1.0, 2.0 * next(), 0.05 * next()};
  }
  return points;
}

/// The sums of the definitions, point by point.
struct BruteForce {
  double plain = 0, squared = 0, city_block = 0, largest = 0;

  BruteForce(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    for (const Vec3& p : from) {
      double best = infinity;
      double best_city_block = infinity;
      for (const Vec3& q : to) {
        best = std::min(best, (p - q).norm());
        best_city_block = std::min(best_city_block, (p - q).lpNorm<1>());
      }
      plain += best / static_cast<double>(from.size());
      squared += best * best / static_cast<double>(from.size());
      city_block += best_city_block / static_cast<double>(from.size());
      largest = std::max(largest, best);
    }
  }
};

TEST(CompareToCloud, FollowsTheDefinitions) {
  const std::vector<Vec3> v = random_points(400, 1);
  const std::vector<Vec3> u = random_points(300, 2);
  const BruteForce there(v, u);
  const BruteForce back(u, v);
  const CloudMetrics metrics = compare_to_cloud(v, u);
  EXPECT_NEAR(metrics.mean_distance, (there.plain + back.plain) / 2, 1e-14);
  EXPECT_NEAR(metrics.mse, (there.squared + back.squared) / 2, 1e-14);
  EXPECT_NEAR(metrics.mcd, (there.city_block + back.city_block) / 2, 1e-14);
  EXPECT_NEAR(metrics.hausdorff, std::max(there.largest, back.largest), 1e-14);

  double norm = 0;
  double squared_norm = 0;
  for (const Vec3& p : v) {
    norm += p.norm() / 400;
    squared_norm += p.squaredNorm() / 400;
  }
  EXPECT_NEAR(metrics.snr, 10 * std::log10(squared_norm / metrics.mse), 1e-10);
  EXPECT_NEAR(metrics.snr_tabulated, 10 * std::log(norm / metrics.mean_distance), 1e-10);
  EXPECT_FALSE(metrics.aligned_rms.has_value());
}

TEST(CompareToCloud, ChamferDoesNotDependOnScaleAndPlace) {
  std::vector<Vec3> v = random_points(400, 1);
  std::vector<Vec3> u = random_points(300, 2);
  const double before = compare_to_cloud(v, u).chamfer;
  for (Vec3& p : v) {
    p = 1000 * p + Vec3(1e5, 1e6, 0);
  }
  for (Vec3& p : u) {
    p = 1000 * p + Vec3(1e5, 1e6, 0);
  }
  EXPECT_NEAR(compare_to_cloud(v, u).chamfer, before, 1e-9 * before);
}

TEST(CompareToCloud, ChamferIsTheSumOfBothWays) {
  // The truth reaches from 0 to 2, so its radius is 1; the result is off by 0.5 here and there.
  const std::vector<Vec3> u{{0, 0, 0}, {2, 0, 0}};
  const std::vector<Vec3> v{{0, 0, 0.5}, {2, 0, 0}};
  EXPECT_DOUBLE_EQ(compare_to_cloud(v, u).chamfer, 0.25 / 2 + 0.25 / 2);
}

TEST(CompareToCloud, OfEqualCloudsIsPerfect) {
  const std::vector<Vec3> u = random_points(100, 3);
  const CloudMetrics metrics = compare_to_cloud(u, u);
  EXPECT_EQ(metrics.mean_distance, 0.0);
  EXPECT_EQ(metrics.mse, 0.0);
  EXPECT_EQ(metrics.mcd, 0.0);
  EXPECT_EQ(metrics.chamfer, 0.0);
  EXPECT_EQ(metrics.surface, 0.0);
  EXPECT_EQ(metrics.hausdorff, 0.0);
  EXPECT_EQ(metrics.aligned_rms, 0.0);
  EXPECT_EQ(metrics.snr, infinity);
  EXPECT_EQ(metrics.snr_tabulated, infinity);
}

TEST(CompareToCloud, SurfaceIgnoresSampling) {
  // A flat grid, and a result between its points, 0.01 above the plane.
  std::vector<Vec3> u;
  std::vector<Vec3> v;
  for (int x = 0; x < 20; ++x) {
    for (int y = 0; y < 20; ++y) {
      u.emplace_back(x, y, 5);
      v.emplace_back(x + 0.5, y + 0.5, 5.01);
    }
  }
  const CloudMetrics metrics = compare_to_cloud(v, u);
  EXPECT_NEAR(metrics.surface, 0.01, 1e-9);
  EXPECT_GT(metrics.mean_distance, 0.5);
  EXPECT_NEAR(metrics.evenness, 0.0, 1e-7);
  EXPECT_NEAR(metrics.aligned_rms.value(), std::sqrt(0.5 + 0.0001), 1e-12);
}

TEST(CompareToCloud, SurfaceIsCappedByTheNearestPoint) {
  // Truth with an edge: for a point on the flank the plane of ten is poor, but a truth point is at hand.
  std::vector<Vec3> u = random_points(300, 4);
  const std::vector<Vec3> v{u[7], u[8] + Vec3(0, 0, 1e-6)};
  EXPECT_LE(compare_to_cloud(v, u).surface, 0.500001e-6);
}

TEST(CompareToCloud, LeavesOutPointsThatAreNotFinite) {
  std::vector<Vec3> v = random_points(200, 5);
  std::vector<Vec3> u = random_points(200, 6);
  const CloudMetrics before = compare_to_cloud(v, u);
  v.emplace_back(nan, 0, 0);
  v.emplace_back(0, infinity, 0);
  u.emplace_back(0, 0, 0);
  u.emplace_back(nan, nan, nan);
  u[200].x() = -infinity;
  const CloudMetrics after = compare_to_cloud(v, u);
  EXPECT_EQ(after.result_points, 200U);
  EXPECT_EQ(after.result_left_out, 2U);
  EXPECT_EQ(after.truth_left_out, 2U);
  EXPECT_EQ(after.mean_distance, before.mean_distance);
  EXPECT_EQ(after.evenness, before.evenness);
  EXPECT_EQ(after.aligned_rms, before.aligned_rms);
}

TEST(CompareToCloud, TakesTinyCloudsAndDuplicates) {
  const std::vector<Vec3> one{{1, 0, 0}};
  const std::vector<Vec3> same(50, Vec3(0, 0, 0));
  const CloudMetrics metrics = compare_to_cloud(one, same);
  EXPECT_EQ(metrics.mean_distance, 1.0);
  EXPECT_EQ(metrics.chamfer, 2.0);
  EXPECT_EQ(metrics.evenness, 0.0);
  EXPECT_LE(metrics.surface, 1.0);
  EXPECT_EQ(compare_to_cloud(same, one).surface, 1.0);
  EXPECT_EQ(compare_to_cloud(same, one).evenness, 0.0);
}

TEST(CompareToCloud, RefusesEmptyClouds) {
  const std::vector<Vec3> none;
  const std::vector<Vec3> bad{{nan, 0, 0}};
  const std::vector<Vec3> one{{1, 0, 0}};
  EXPECT_THROW((void)compare_to_cloud(none, one), Error);
  EXPECT_THROW((void)compare_to_cloud(one, none), Error);
  EXPECT_THROW((void)compare_to_cloud(one, bad), Error);
  EXPECT_THROW((void)compare_to_mesh(one, TriangleMesh{}), Error);
}

TEST(CompareToCloud, DoesNotDependOnThreads) {
  const std::vector<Vec3> v = random_points(5000, 1);
  const std::vector<Vec3> u = random_points(4000, 2);
  ExecutionContext one;
  one.threads = 1;
  const CloudMetrics a = compare_to_cloud(v, u, one);
  const CloudMetrics b = compare_to_cloud(v, u);
  EXPECT_EQ(a.mean_distance, b.mean_distance);
  EXPECT_EQ(a.mcd, b.mcd);
  EXPECT_EQ(a.surface, b.surface);
  EXPECT_EQ(a.evenness, b.evenness);
  EXPECT_EQ(a.snr, b.snr);
}

TEST(CompareToCloud, StopsWhenAskedTo) {
  const std::vector<Vec3> v = random_points(100, 1);
  ExecutionContext context;
  context.cancel();
  EXPECT_THROW((void)compare_to_cloud(v, v, context), Cancelled);
}

TriangleMesh square() { return {{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}}; }

TEST(CompareToMesh, FollowsTheDefinitions) {
  // One point above the first triangle, one beside the square; the second triangle is nearest to the first point too.
  const std::vector<Vec3> v{{0.5, -0.5, 0.3}, {2, 0, 0}, {nan, 0, 0}};
  const MeshMetrics metrics = compare_to_mesh(v, square());
  EXPECT_EQ(metrics.points, 2U);
  EXPECT_EQ(metrics.left_out, 1U);
  EXPECT_NEAR(metrics.mean_distance, (0.3 + 1.0) / 2, 1e-15);
  EXPECT_NEAR(metrics.rms_distance, std::sqrt((0.09 + 1.0) / 2), 1e-15);
  EXPECT_NEAR(metrics.max_distance, 1.0, 1e-15);
  // The radius is the root of two. The diagonal passes at the root of a half from the first point.
  EXPECT_NEAR(metrics.p2m_points, (0.09 + 1.0) / 2 / 2, 1e-15);
  EXPECT_NEAR(metrics.p2m_triangles, (0.09 + (0.5 + 0.09)) / 2 / 2, 1e-15);
  EXPECT_EQ(metrics.p2m, metrics.p2m_points + metrics.p2m_triangles);
}

}  // namespace
}  // namespace burnish
