#include "glr/nearest.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "glr/lanes.hpp"
#include "test_clouds.hpp"

namespace burnish::glr {
namespace {

constexpr Lanes widths[] = {Lanes::four, Lanes::eight, Lanes::sixteen};

/// Tests choose kernels; others should get the widest again.
class Kernels : public testing::Test {
 protected:
  ~Kernels() override {
    for (const Lanes lanes : widths) {
      use_lanes(lanes);
    }
  }
};

LocalPatch random_patch(std::size_t count, std::uint32_t seed) {
  LocalPatch patch;
  TestRandom random(seed);
  patch.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = random.in_cube(0.5);
    patch.x[i] = p.x();
    patch.y[i] = p.y();
    patch.z[i] = 0.1 * p.z();
  }
  return patch;
}

Eigen::Matrix3d some_frame() { return Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix(); }

constexpr double radius = 0.8;  // of random patches

struct Pair {
  std::unique_ptr<ProjectedPatch> a = std::make_unique<ProjectedPatch>();
  std::unique_ptr<ProjectedPatch> b = std::make_unique<ProjectedPatch>();
  std::unique_ptr<Nearest> nearest = std::make_unique<Nearest>();

  Pair(const LocalPatch& first, const LocalPatch& second) {
    project(first, some_frame(), radius, *a);
    project(second, some_frame(), radius, *b);
    find_nearest(*a, *b, 1.0, *nearest);
  }
};

template <class T>
bool equal_bits(const T* a, const T* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(T)) == 0;
}

TEST_F(Kernels, GiveTheSameResultInAllWidths) {
  for (const std::size_t count : {1U, 3U, 4U, 15U, 30U, 33U, 64U, 254U}) {
    const LocalPatch first = random_patch(count, 1);
    const LocalPatch second = random_patch(count, 2);
    ASSERT_TRUE(use_lanes(Lanes::four));
    const Pair expected(first, second);
    for (const Lanes lanes : widths) {
      if (!use_lanes(lanes)) {
        continue;  // not on this processor
      }
      const Pair pair(first, second);
      EXPECT_TRUE(equal_bits(pair.a->u, expected.a->u, count));
      EXPECT_TRUE(equal_bits(pair.a->v, expected.a->v, count));
      EXPECT_TRUE(equal_bits(pair.a->height, expected.a->height, count));
      for (std::size_t i = 0; i < count; ++i) {
        if (pair.nearest->doubtful[i] == 0 && expected.nearest->doubtful[i] == 0) {
          EXPECT_EQ(pair.nearest->index[i], expected.nearest->index[i]);
        }
      }
    }
  }
}

TEST_F(Kernels, ProjectAlongTheColumnsOfTheFrame) {
  const LocalPatch patch = random_patch(30, 3);
  ProjectedPatch projected;
  project(patch, some_frame(), radius, projected);
  ASSERT_EQ(projected.count, 30U);
  for (std::size_t i = 0; i < 30; ++i) {
    const Vec3 expected = some_frame().transpose() * Vec3(patch.x[i], patch.y[i], patch.z[i]);
    EXPECT_NEAR(projected.u[i], expected.x(), 1e-15);
    EXPECT_NEAR(projected.v[i], expected.y(), 1e-15);
    EXPECT_NEAR(projected.height[i], expected.z(), 1e-15);
    EXPECT_EQ(projected.unit_u[i], static_cast<float>(projected.u[i] / radius));
    EXPECT_EQ(projected.unit_v[i], static_cast<float>(projected.v[i] / radius));
  }
}

TEST_F(Kernels, FindTheNearestExactlyWhereTheyAreNotInDoubt) {
  for (const Lanes lanes : widths) {
    if (!use_lanes(lanes)) {
      continue;
    }
    std::size_t doubtful = 0;
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
      const Pair pair(random_patch(100, seed), random_patch(90, 1000 + seed));
      for (std::size_t i = 0; i < 100; ++i) {
        std::size_t best = 0;
        for (std::size_t j = 1; j < 90; ++j) {
          best = pair.a->squared_distance(i, *pair.b, j) < pair.a->squared_distance(i, *pair.b, best) ? j : best;
        }
        if (pair.nearest->doubtful[i] != 0) {
          ++doubtful;
          EXPECT_TRUE(pair.nearest->any_doubtful);
        } else {
          ASSERT_EQ(static_cast<std::size_t>(pair.nearest->index[i]), best);
        }
      }
    }
    EXPECT_LT(doubtful, 300U) << "of 5000: doubt must be rare";
  }
}

TEST_F(Kernels, DoubtNearTiesThatSinglePrecisionCannotTell) {
  // One point, and two others at nearly the same distance: the farther one is the first.
  for (const double difference : {0.0, 1e-12, 1e-9, 1e-8}) {
    LocalPatch a;
    a.count = 1;
    LocalPatch b;
    b.count = 2;
    b.x[0] = 0.3 + difference;
    b.x[1] = -0.3;
    for (const Lanes lanes : widths) {
      if (use_lanes(lanes)) {
        ProjectedPatch own;
        ProjectedPatch other;
        Nearest nearest;
        project(a, Eigen::Matrix3d::Identity(), radius, own);
        project(b, Eigen::Matrix3d::Identity(), radius, other);
        find_nearest(own, other, 1.0, nearest);
        EXPECT_NE(nearest.doubtful[0], 0) << difference;
        EXPECT_TRUE(nearest.any_doubtful);
      }
    }
  }
}

TEST_F(Kernels, DoubtDuplicatesInTheProjection) {
  LocalPatch b = random_patch(30, 5);
  b.x[29] = b.x[3];
  b.y[29] = b.y[3];
  b.z[29] = b.z[3];
  for (const Lanes lanes : widths) {
    if (use_lanes(lanes)) {
      const Pair pair(b, b);
      for (const std::size_t i : {3U, 29U}) {
        EXPECT_NE(pair.nearest->doubtful[i], 0);
      }
    }
  }
}

TEST_F(Kernels, TellWhetherAPointMayBeFar) {
  LocalPatch a;
  a.count = 1;
  LocalPatch b;
  b.count = 1;
  b.x[0] = 0.5;
  ProjectedPatch own;
  ProjectedPatch other;
  Nearest nearest;
  project(a, Eigen::Matrix3d::Identity(), 1.0, own);
  project(b, Eigen::Matrix3d::Identity(), 1.0, other);
  for (const Lanes lanes : widths) {
    if (use_lanes(lanes)) {
      find_nearest(own, other, 0.499, nearest);
      EXPECT_TRUE(nearest.any_far);
      find_nearest(own, other, 0.5, nearest);
      EXPECT_TRUE(nearest.any_far) << "cannot be told apart from just above";
      find_nearest(own, other, 0.51, nearest);
      EXPECT_FALSE(nearest.any_far);
    }
  }
}

}  // namespace
}  // namespace burnish::glr
