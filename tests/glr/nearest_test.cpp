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

LocalPatch patch_of(const std::vector<Vec3>& points) {
  LocalPatch patch(points.size(), 0.5);
  for (std::size_t i = 0; i < points.size(); ++i) {
    patch.set(i, points[i]);
  }
  return patch;
}

LocalPatch random_patch(std::size_t count, std::uint32_t seed) {
  std::vector<Vec3> points(count);
  TestRandom random(seed);
  for (Vec3& point : points) {
    point = random.in_cube(0.5);
    point.z() *= 0.1;
  }
  return patch_of(points);
}

Eigen::Matrix3d some_frame() { return Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix(); }

constexpr double radius = 0.8;  // of random patches

/// Margins are counted in thousandths of the radius.
constexpr MarginScale in_thousandths = {.units = 1000.0F, .limit = 1.0F, .start = 0.0F};

struct Pair {
  std::unique_ptr<ProjectedPatch> a = std::make_unique<ProjectedPatch>();
  std::unique_ptr<ProjectedPatch> b = std::make_unique<ProjectedPatch>();
  std::unique_ptr<Nearest> nearest = std::make_unique<Nearest>();
  std::vector<ExactProjection> exact_a;
  std::vector<ExactProjection> exact_b;

  Pair(const LocalPatch& first, const LocalPatch& second, const Eigen::Matrix3d& frame = some_frame(),
       const MarginScale& scale = in_thousandths) {
    project_to_plane(first, frame, radius, *a);
    project_to_plane(second, frame, radius, *b);
    find_nearest(*a, *b, scale, *nearest);
    for (std::size_t i = 0; i < first.count(); ++i) {
      exact_a.emplace_back(first, i, frame);
    }
    for (std::size_t j = 0; j < second.count(); ++j) {
      exact_b.emplace_back(second, j, frame);
    }
  }

  [[nodiscard]] double distance(std::size_t i, std::size_t j) const {
    return std::sqrt(exact_a[i].squared_distance(exact_b[j]));
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
    double expected_heights[patch_capacity];
    const double expected_highest = project_heights(first, some_frame().col(2), expected_heights);
    for (const Lanes lanes : widths) {
      if (!use_lanes(lanes)) {
        continue;  // not on this processor
      }
      double heights[patch_capacity];
      EXPECT_EQ(project_heights(first, some_frame().col(2), heights), expected_highest);
      EXPECT_TRUE(equal_bits(heights, expected_heights, count));
      const Pair pair(first, second);
      for (std::size_t i = 0; i < count; ++i) {
        if (pair.nearest->doubtful[i] == 0 && expected.nearest->doubtful[i] == 0) {
          EXPECT_EQ(pair.nearest->index[i], expected.nearest->index[i]);
          EXPECT_NEAR(pair.nearest->margin[i], expected.nearest->margin[i], 1);
        }
      }
    }
  }
}

TEST_F(Kernels, ProjectAlongTheColumnsOfTheFrame) {
  const LocalPatch patch = random_patch(30, 3);
  for (const Lanes lanes : widths) {
    if (!use_lanes(lanes)) {
      continue;
    }
    ProjectedPatch projected;
    project_to_plane(patch, some_frame(), radius, projected);
    const double highest = project_heights(patch, some_frame().col(2), projected.height);
    ASSERT_EQ(projected.count, 30U);
    for (std::size_t i = 0; i < 30; ++i) {
      const Vec3 expected = some_frame().transpose() * patch.point(i);
      const ExactProjection exact(patch, i, some_frame());
      EXPECT_NEAR(exact.u, expected.x(), 1e-15);
      EXPECT_NEAR(exact.v, expected.y(), 1e-15);
      EXPECT_NEAR(projected.height[i], expected.z(), 1e-15);
      EXPECT_LE(std::abs(projected.height[i]), highest);
      EXPECT_NEAR(projected.u[i], exact.u / radius, ProjectedPatch::error);
      EXPECT_NEAR(projected.v[i], exact.v / radius, ProjectedPatch::error);
      EXPECT_NEAR(projected.lifted_square[i],
                  (exact.u * exact.u + exact.v * exact.v) / (radius * radius) + ProjectedPatch::lift, 1e-6);
    }
    EXPECT_EQ(highest, std::abs(*std::max_element(projected.height, projected.height + 30,
                                                  [](double a, double b) { return std::abs(a) < std::abs(b); })));
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
          best = pair.distance(i, j) < pair.distance(i, best) ? j : best;
        }
        if (pair.nearest->doubtful[i] != 0) {
          ++doubtful;
          EXPECT_TRUE(pair.nearest->any_doubtful);
          EXPECT_EQ(pair.nearest->margin[i], 0);
        } else {
          ASSERT_EQ(pair.nearest->index[i], best);
        }
      }
    }
    EXPECT_LT(doubtful, 300U) << "of 5000: doubt must be rare";
  }
}

TEST_F(Kernels, KnowHowMuchDistancesMayChange) {
  for (const Lanes lanes : widths) {
    if (!use_lanes(lanes)) {
      continue;
    }
    double known = 0.0;
    double there = 0.0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const Pair pair(random_patch(30, seed), random_patch(30, 1000 + seed), some_frame(),
                      {.units = 1000.0F, .limit = 0.4F, .start = 10.0F});
      for (std::size_t i = 0; i < 30; ++i) {
        std::vector<double> distances;
        for (std::size_t j = 0; j < 30; ++j) {
          distances.push_back(pair.distance(i, j) / radius);
        }
        std::ranges::sort(distances);
        const double room = std::min(distances[1] - distances[0], 0.4 - distances[0]);
        const double most = std::clamp(10.0 + 1000.0 * room, 0.0, 255.0);
        ASSERT_LE(pair.nearest->margin[i], most);
        known += pair.nearest->margin[i];
        there += most;
        if (distances[0] > 0.4) {
          EXPECT_TRUE(pair.nearest->any_far);
        }
      }
    }
    EXPECT_GT(known, 0.8 * there) << "not much less than what is there";
  }
}

TEST_F(Kernels, DoubtNearTiesThatSinglePrecisionCannotResolve) {
  // One point, and two others at nearly the same distance: the farther one is the first.
  for (const double difference : {0.0, 1e-12, 1e-9, 1e-8}) {
    for (const Lanes lanes : widths) {
      if (use_lanes(lanes)) {
        const Pair pair(patch_of({Vec3::Zero()}), patch_of({{0.3 + difference, 0, 0}, {-0.3, 0, 0}}),
                        Eigen::Matrix3d::Identity());
        EXPECT_NE(pair.nearest->doubtful[0], 0) << difference;
        EXPECT_TRUE(pair.nearest->any_doubtful);
      }
    }
  }
}

TEST_F(Kernels, DoubtDuplicatesInTheProjection) {
  LocalPatch b = random_patch(30, 5);
  b.set(29, b.point(3));
  for (const Lanes lanes : widths) {
    if (use_lanes(lanes)) {
      const Pair pair(b, b);
      for (const std::size_t i : {3U, 29U}) {
        EXPECT_NE(pair.nearest->doubtful[i], 0);
      }
    }
  }
}

TEST_F(Kernels, ReportWhetherAPointMayBeFar) {
  const auto any_far = [](float limit) {
    return Pair(patch_of({Vec3::Zero()}), patch_of({{0.5 * radius, 0, 0}}), Eigen::Matrix3d::Identity(),
                {.units = 1.0F, .limit = limit, .start = 0.0F})
        .nearest->any_far;
  };
  for (const Lanes lanes : widths) {
    if (use_lanes(lanes)) {
      EXPECT_TRUE(any_far(0.499F));
      EXPECT_TRUE(any_far(0.5F)) << "cannot be distinguished from just above";
      EXPECT_FALSE(any_far(0.51F));
    }
  }
}

}  // namespace
}  // namespace burnish::glr
