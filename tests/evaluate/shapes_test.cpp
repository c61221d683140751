#include "burnish/shapes.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "burnish/error.hpp"
#include "burnish/metrics.hpp"
#include "burnish/neighbours.hpp"
#include "core/random.hpp"
#include "evaluate/machined.hpp"
#include "evaluate/organic.hpp"

namespace burnish {
namespace {

class EveryShape : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<const Shape> shape = make_shape(GetParam());
};

INSTANTIATE_TEST_SUITE_P(All, EveryShape, testing::Values("sphere", "torus", "cube", "part", "organic"),
                         [](const auto& test) { return test.param; });

TEST_P(EveryShape, HasItsSamplesOnTheSurface) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : shape->sample(5000)) {
    ASSERT_LT(shape->distance(p), 1e-14);
    box.extend(p);
  }
  EXPECT_GT(box.sizes().maxCoeff(), 0.9);
  EXPECT_LT(box.sizes().maxCoeff(), 1.1);
}

TEST_P(EveryShape, IsAsFarAsTheNearestOfManySamples) {
  const std::vector<Vec3> dense = shape->sample_at_random(200000, 3);
  const NeighbourSearch search(dense);
  const double gap = 0.012;  // no place of the surface is farther than this from a sample
  for (std::size_t i = 0; i < 3000; ++i) {
    RandomStream random(4, i);
    const double x = random.symmetric();
    const double y = random.symmetric();
    const Vec3 p =
        i % 2 == 0 ? Vec3(0.8 * Vec3(x, y, random.symmetric())) : Vec3(dense[i] + 0.05 * x * random.direction3());
    std::uint32_t index = 0;
    double squared = 0.0;
    search.nearest(p, {&index, 1}, {&squared, 1});
    const double found = shape->distance(p);
    // The nearest sample is never nearer than the surface, and on a smooth part of it at most as much farther as a gap
    // sideways makes it.
    ASSERT_LE(found, std::sqrt(squared) + 1e-14);
    ASSERT_GE(found + gap, std::sqrt(squared));
    if (shape->edge_distance(dense[index]) > 0.05) {
      ASSERT_GE(found * found + 30.0 * found * gap * gap + gap * gap, squared);
    }
  }
}

TEST_P(EveryShape, SamplesEvenly) {
  const std::vector<Vec3> even = shape->sample(4000);
  const std::vector<Vec3> random = shape->sample_at_random(4000);
  EXPECT_LT(compare_to_cloud(even, even).evenness, 0.16);
  EXPECT_GT(compare_to_cloud(random, random).evenness, 0.45);
}

TEST_P(EveryShape, IsTheSameForTheSameSeed) {
  ExecutionContext one;
  one.threads = 1;
  const std::vector<Vec3> points = shape->sample(2000, 7);
  EXPECT_EQ(make_shape(GetParam())->sample(2000, 7, one), points);
  EXPECT_NE(shape->sample(2000, 8), points);
  EXPECT_TRUE(shape->sample(0).empty());
  EXPECT_EQ(shape->sample(1).size(), 1U);
}

/// A ray from outside, at something near the shape.
Ray ray_at_shape(std::size_t i) {
  RandomStream random(11, i);
  const Vec3 origin = (1.0 + 3.0 * random.uniform()) * random.direction3();
  const Vec3 target = 0.9 * random.uniform() * random.direction3();
  return {origin, (target - origin).normalized()};
}

TEST_P(EveryShape, IsMetByRaysWhereStepsOfItsDistanceLead) {
  std::size_t hits = 0;
  std::size_t misses = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    const Ray ray = ray_at_shape(i);
    const RayHit hit = shape->first_hit(ray);
    // The distance is never too large a step, so the surface cannot be stepped over; where steps become too many, the
    // ray grazes it, and nothing is said.
    double t = 0.0;
    double closest = 1.0;
    int steps = 0;
    for (; t < 6.0 && closest > 1e-9 && steps < 2000; ++steps) {
      const double distance = shape->distance(ray.origin + t * ray.direction);
      closest = std::min(closest, distance);
      t += distance;
    }
    if (steps < 2000 && closest > 1e-9) {
      ASSERT_FALSE(hit.found()) << i;
      ++misses;
    } else if (steps < 2000) {
      ASSERT_TRUE(hit.found()) << i;
      const double cosine = -hit.normal.dot(ray.direction);
      ASSERT_NEAR(hit.distance, t, 1e-8 / std::max(0.01, cosine)) << i;
      ++hits;
    }
  }
  EXPECT_GT(hits, 700U);
  EXPECT_GT(misses, 100U);
}

TEST_P(EveryShape, IsMetByRaysOnItsSurfaceWithTheNormalOutwards) {
  for (std::size_t i = 0; i < 3000; ++i) {
    const Ray ray = ray_at_shape(i);
    const RayHit hit = shape->first_hit(ray);
    if (!hit.found()) {
      continue;
    }
    const Vec3 p = ray.origin + hit.distance * ray.direction;
    ASSERT_LT(shape->distance(p), 1e-14) << i;
    ASSERT_NEAR(hit.normal.norm(), 1.0, 1e-14);
    ASSERT_LE(hit.normal.dot(ray.direction), 1e-7);
    if (shape->edge_distance(p) > 1e-3) {
      ASSERT_TRUE(shape->contains(p - 1e-5 * hit.normal)) << i;
      ASSERT_FALSE(shape->contains(p + 1e-5 * hit.normal)) << i;
      ASSERT_NEAR(shape->distance(p + 1e-5 * hit.normal), 1e-5, 1e-8) << i;
    }
  }
}

TEST_P(EveryShape, KnowsInsideFromOutside) {
  // A place is on the same side as any other that is nearer to it than the surface.
  std::size_t inside = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    RandomStream random(12, i);
    const Vec3 p = 0.7 * random.uniform() * random.direction3();
    const double distance = shape->distance(p);
    const bool is_inside = shape->contains(p);
    inside += is_inside ? 1 : 0;
    for (int j = 0; j < 5; ++j) {
      ASSERT_EQ(shape->contains(p + 0.999 * distance * random.direction3()), is_inside) << i;
    }
  }
  EXPECT_GT(inside, 100U);
  EXPECT_LT(inside, 1900U);
  EXPECT_FALSE(shape->contains({2, 0, 0}));
}

TEST(Solids, AreNotSeenThroughAtItsEdgesAndCorners) {
  // Rays exactly through edges, where rounding could let them pass between two faces.
  const auto cube = make_shape("cube");
  for (int i = -499; i < 500; ++i) {
    const double s = i / 1000.0;
    for (const Vec3& edge : {Vec3(0.5, 0.5, s), Vec3(0.5, s, 0.5), Vec3(s, 0.5, 0.5)}) {
      for (const Vec3& origin : {Vec3(3, 3, 3), Vec3(2.1, 3.3, 2.7), Vec3(3, 3, 0), Vec3(1.7, 1.9, 400.3)}) {
        const Ray ray{origin, (edge - origin).normalized()};
        ASSERT_NEAR(cube->first_hit(ray).distance, (edge - origin).norm(), 1e-12) << i;
      }
    }
  }
  const Vec3 corner(0.5, 0.5, 0.5);
  EXPECT_NEAR(cube->first_hit({6.0 * corner, -corner.normalized()}).distance, 5.0 * corner.norm(), 1e-12);
}

TEST(SmoothShapes, AreGrazedByRays) {
  // Rays that pass the equator a little inside or outside of it.
  for (const char* name : {"sphere", "torus"}) {
    const auto shape = make_shape(name);
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12}) {
      EXPECT_TRUE(shape->first_hit({{3, 0.5 - gap, 0}, {-1, 0, 0}}).found()) << name << gap;
      EXPECT_FALSE(shape->first_hit({{3, 0.5 + gap, 0}, {-1, 0, 0}}).found()) << name << gap;
    }
  }
  // Through the hole of the torus, and against its inner side.
  const auto torus = make_shape("torus");
  EXPECT_FALSE(torus->first_hit({{0.1, 0.1, 2}, {0, 0, -1}}).found());
  EXPECT_NEAR(torus->first_hit({{0, 0, 0}, {1, 0, 0}}).distance, 0.2, 1e-15);
}

TEST(MakeShape, KnowsItsNames) {
  EXPECT_EQ(shape_names().size(), 5U);
  for (const std::string_view name : shape_names()) {
    EXPECT_NE(make_shape(name), nullptr);
  }
  try {
    (void)make_shape("teapot");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "there is no shape 'teapot'; there are sphere, torus, cube, part, organic");
  }
}

TEST(SmoothShapes, HaveKnownDistancesAndNoEdges) {
  EXPECT_DOUBLE_EQ(make_shape("sphere")->distance({0, 2, 0}), 1.5);
  EXPECT_DOUBLE_EQ(make_shape("sphere")->distance({0, 0, 0}), 0.5);
  EXPECT_DOUBLE_EQ(make_shape("torus")->distance({0.35, 0, 0}), 0.15);
  EXPECT_DOUBLE_EQ(make_shape("torus")->distance({0, 1.5, 0}), 1.0);
  EXPECT_NEAR(make_shape("torus")->distance({0, 0, 0}), 0.2, 1e-15);
  for (const char* name : {"sphere", "torus", "organic"}) {
    EXPECT_EQ(make_shape(name)->edge_distance({0, 0, 0}), std::numeric_limits<double>::infinity());
  }
}

TEST(SmoothShapes, AreSampledByArea) {
  // Archimedes: every slice of a sphere of equal height has equal area. On a torus the outer half has the part
  // 1/2 + tube / (pi ring).
  std::array<int, 10> slices{};
  for (const Vec3& p : make_shape("sphere")->sample_at_random(100000)) {
    ++slices[std::min<std::size_t>(9, static_cast<std::size_t>((p.z() + 0.5) * 10.0))];
  }
  for (const int count : slices) {
    EXPECT_NEAR(count, 10000, 400);
  }
  double outer = 0;
  for (const Vec3& p : make_shape("torus")->sample_at_random(100000)) {
    outer += std::hypot(p.x(), p.y()) > 0.35 ? 1e-5 : 0.0;
  }
  EXPECT_NEAR(outer, 0.5 + 0.15 / (std::numbers::pi * 0.35), 0.006);
}

TEST(Organic, DistanceIsExactAlongItsNormals) {
  // Within the reach, a point lifted along the normal by s is s away from the surface.
  const Organic organic;
  for (std::size_t i = 0; i < 3000; ++i) {
    RandomStream random(5, i);
    const Vec3 d = random.direction3();
    const Vec3 x = d.unitOrthogonal();
    const Vec3 y = d.cross(x);
    const auto difference = [&](const Vec3& along) -> Vec3 {
      return organic.surface_point((d + 1e-5 * along).normalized()) -
             organic.surface_point((d - 1e-5 * along).normalized());
    };
    const Vec3 normal = difference(x).cross(difference(y)).normalized();
    const double lift = 0.03 * random.symmetric();
    ASSERT_NEAR(organic.distance(organic.surface_point(d) + lift * normal), std::abs(lift), 1e-12);
  }
}

TEST(Organic, IsSampledByArea) {
  // The area above a small patch of directions, from its corners, against the part of the samples that fall into it.
  const Organic organic;
  constexpr int n = 200;
  std::array<double, 6> area{};
  const auto point = [&](int axis, double sign, int i, int j) {
    Vec3 d;
    d[axis] = sign;
    d[(axis + 1) % 3] = 2.0 * i / n - 1.0;
    d[(axis + 2) % 3] = 2.0 * j / n - 1.0;
    return organic.surface_point(d.normalized());
  };
  double total = 0.0;
  for (int side = 0; side < 6; ++side) {
    const double sign = side % 2 == 0 ? 1.0 : -1.0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Vec3 diagonal = point(side / 2, sign, i + 1, j + 1) - point(side / 2, sign, i, j);
        const Vec3 other = point(side / 2, sign, i, j + 1) - point(side / 2, sign, i + 1, j);
        area[static_cast<std::size_t>(side)] += 0.5 * diagonal.cross(other).norm();
      }
    }
    total += area[static_cast<std::size_t>(side)];
  }
  std::array<double, 6> samples{};
  for (const Vec3& p : organic.sample_at_random(100000)) {
    Eigen::Index axis = 0;
    p.cwiseAbs().maxCoeff(&axis);
    samples[static_cast<std::size_t>(2 * axis + (p[axis] > 0.0 ? 0 : 1))] += 1e-5;
  }
  for (std::size_t side = 0; side < 6; ++side) {
    EXPECT_NEAR(samples[side], area[side] / total, 0.006);
  }
}

TEST(CompareToShape, SeesTheNoiseAndTheEdges) {
  const auto cube = make_shape("cube");
  const std::vector<Vec3> v{{0.2, 0.1, 0.6}, {0.49, 0.1, 0.5}, {0.5, 0.49, 0.51}, {0, 0, std::nan("")}};
  const ShapeMetrics metrics = compare_to_shape(v, *cube);
  EXPECT_EQ(metrics.points, 3U);
  EXPECT_EQ(metrics.left_out, 1U);
  EXPECT_NEAR(metrics.mean_distance, 0.11 / 3.0, 1e-15);
  EXPECT_NEAR(metrics.max_distance, 0.1, 1e-15);
  EXPECT_EQ(metrics.edge_points, 2U);
  EXPECT_NEAR(metrics.edge_mean_distance, 0.005, 1e-15);
  EXPECT_EQ(compare_to_shape(v, *make_shape("sphere")).edge_points, 0U);
  EXPECT_THROW((void)compare_to_shape({}, *cube), Error);
}

}  // namespace
}  // namespace burnish
