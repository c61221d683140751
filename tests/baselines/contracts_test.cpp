#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "baselines/methods.hpp"

// What holds for every baseline, whatever it does.

namespace burnish {
namespace {

std::vector<Vec3> noisy_part(std::size_t count = 1000) { return noisy_shape("part", count, 0.01); }

/// Dense enough for the part's fin to be seen. Where a method takes blobs for surfaces, which way its planes lie is up
/// to rounding.
std::vector<Vec3> resolved_part() { return noisy_shape("part", 4000, 0.005); }

class Baselines : public testing::TestWithParam<Method> {
 protected:
  /// The largest difference between denoising the transformed cloud and transforming the denoised cloud, in spacings.
  template <class Function>
  static double commutes(std::span<const Vec3> cloud, double scale, const Function& function) {
    const BaselineResult plain = GetParam().run(cloud, {});
    EXPECT_GT(largest_deviation(plain.positions, cloud), 0.1 * plain.spacing) << "or nothing was tested";
    const std::vector<Vec3> other = GetParam()(transformed(cloud, function));
    return largest_deviation(transformed(plain.positions, function), other) / (scale * plain.spacing);
  }
};
INSTANTIATE_TEST_SUITE_P(Contracts, Baselines, testing::ValuesIn(all_methods()),
                         [](const auto& method) { return method.param.name; });

TEST_P(Baselines, KeepOrderAndCount) {
  const std::vector<Vec3> cloud = noisy_part();
  const BaselineResult result = GetParam().run(cloud, {});
  EXPECT_GT(result.spacing, 0.0);
  ASSERT_EQ(result.positions.size(), cloud.size());
  EXPECT_LT(largest_deviation(result.positions, cloud), 5.0 * result.spacing);
  EXPECT_GT(largest_deviation(result.positions, cloud), 0.1 * result.spacing);
}

TEST_P(Baselines, TakeNoiseOut) {
  const auto shape = make_shape("sphere");
  const std::vector<Vec3> cloud = noisy_shape("sphere", 20000, 0.005);
  const auto off = [&](std::span<const Vec3> points) {
    double sum = 0.0;
    for (const Vec3& p : points) {
      sum += shape->distance(p);
    }
    return sum / static_cast<double>(points.size());
  };
  EXPECT_LT(off(GetParam()(cloud)), 0.7 * off(cloud));
}

TEST_P(Baselines, LeaveBadPointsAloneAndOthersDoNotSeeThem) {
  const std::vector<Vec3> cloud = noisy_part();
  EXPECT_TRUE(same_bits(GetParam()(with_bad_points(cloud)), with_bad_points(GetParam()(cloud))));
  EXPECT_TRUE(same_bits(GetParam()(bad_points()), bad_points()));
}

TEST_P(Baselines, MoveDuplicatesTogetherAndLikeOnePoint) {
  const std::vector<Vec3> cloud = noisy_part();
  std::vector<Vec3> doubled = cloud;
  doubled.insert(doubled.end(), cloud.begin(), cloud.begin() + 300);
  doubled.insert(doubled.end(), 20000, cloud[7]);
  std::vector<Vec3> expected = GetParam()(cloud);
  expected.insert(expected.end(), expected.begin(), expected.begin() + 300);
  expected.insert(expected.end(), 20000, Vec3(expected[7]));
  EXPECT_TRUE(same_bits(GetParam()(doubled), expected));
}

TEST_P(Baselines, ReturnFewerThanFourPointsAsTheyAre) {
  for (const std::size_t count : {0U, 1U, 2U, 3U}) {
    std::vector<Vec3> cloud = random_points(count);
    EXPECT_TRUE(same_bits(GetParam()(cloud), cloud));
    if (count > 0) {
      cloud.insert(cloud.end(), 50, cloud[0]);
      EXPECT_TRUE(same_bits(GetParam()(cloud), cloud));
    }
  }
}

TEST_P(Baselines, CopeWithTinyClouds) {
  for (const std::size_t count : {4U, 5U, 7U, 8U, 16U, 17U, 30U, 60U}) {
    for (const Vec3& p : GetParam()(random_points(count))) {
      ASSERT_TRUE(is_finite(p)) << count;
      ASSERT_LT(p.norm(), 10.0) << count;
    }
  }
}

TEST_P(Baselines, CopeWithClustersStraysAndGrids) {
  std::vector<Vec3> cloud = clustered_points(1000);
  cloud.emplace_back(1e6, 0, 0);
  cloud.emplace_back(0, -1e6, 0);
  const std::vector<Vec3> grid = grid_points(9);
  for (const Vec3& p : GetParam()(cloud)) {
    ASSERT_TRUE(is_finite(p));
  }
  EXPECT_LT(largest_deviation(GetParam()(grid), grid), 10.0);
}

TEST_P(Baselines, CopeWithPointsTooCloseForTheirDistances) {
  std::vector<Vec3> cloud = random_points(100);
  for (Vec3& p : cloud) {
    p *= 1e-200;
  }
  EXPECT_TRUE(same_bits(GetParam()(cloud), cloud));
  for (int i = 0; i < 50; ++i) {
    cloud.emplace_back(i, i * i, 1);
  }
  for (const Vec3& p : GetParam()(cloud)) {
    ASSERT_TRUE(is_finite(p));
  }
}

TEST_P(Baselines, KeepCollinearPointsOnTheirLine) {
  const Vec3 direction = Vec3(1, 2, 3).normalized();
  TestRandom random;
  std::vector<Vec3> cloud;
  for (int i = 0; i < 300; ++i) {
    cloud.emplace_back(random.uniform(0.0, 100.0) * direction);
  }
  for (const Vec3& p : GetParam()(cloud)) {
    ASSERT_LT((p - p.dot(direction) * direction).norm(), 1e-10);
  }
}

TEST_P(Baselines, GiveTheSameBytesForAnyNumberOfThreads) {
  const std::vector<Vec3> cloud = noisy_part(3000);
  ExecutionContext one;
  one.threads = 1;
  const std::vector<Vec3> expected = GetParam().run(cloud, one).positions;
  for (const int threads : {2, 5, 0}) {
    ExecutionContext context;
    context.threads = threads;
    EXPECT_TRUE(same_bits(GetParam().run(cloud, context).positions, expected)) << threads;
  }
}

TEST_P(Baselines, DoNotDependOnTheOrderOfThePointsToTheBit) {
  const std::vector<Vec3> cloud = noisy_part();
  const std::vector<Vec3> expected = GetParam()(cloud);
  const std::vector<std::uint32_t> order = shuffled_indices(cloud.size());
  std::vector<Vec3> shuffled;
  std::vector<Vec3> expected_shuffled;
  for (const std::uint32_t i : order) {
    shuffled.push_back(cloud[i]);
    expected_shuffled.push_back(expected[i]);
  }
  EXPECT_TRUE(same_bits(GetParam()(shuffled), expected_shuffled));
}

TEST_P(Baselines, ScaleWithTheCloud) {
  const std::vector<Vec3> cloud = resolved_part();
  for (const double scale : {1000.0, 1e20, 1e-20}) {
    EXPECT_LT(commutes(cloud, scale, [&](const Vec3& p) { return Vec3(scale * p); }), 1e-9) << scale;
  }
}

TEST_P(Baselines, TurnWithTheCloud) {
  const std::vector<Vec3> cloud = resolved_part();
  for (const double angle : {0.3, 2.5}) {
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, Vec3(1, 2 - angle, 3).normalized()).toRotationMatrix();
    EXPECT_LT(commutes(cloud, 1.0, [&](const Vec3& p) { return Vec3(turn * p); }), 1e-9) << angle;
  }
}

TEST_P(Baselines, MoveWithTheCloud) {
  // Whole multiples of 2⁻²⁰, so that adding the offset rounds nothing.
  const std::vector<Vec3> cloud =
      transformed(resolved_part(), [](const Vec3& p) { return Vec3((p * 0x1p20).array().round() * 0x1p-20); });
  const Vec3 offset(4e6, 5e5, 100);
  EXPECT_LT(commutes(cloud, 1.0, [&](const Vec3& p) { return Vec3(p + offset); }), 1e-6);
}

TEST_P(Baselines, ReportProgressFromNothingToAll) {
  ExecutionContext context;
  std::vector<double> fractions;
  context.on_progress = [&](std::string_view stage, double fraction) {
    EXPECT_FALSE(stage.empty());
    fractions.push_back(fraction);
  };
  (void)GetParam().run(noisy_part(300), context);
  ASSERT_GE(fractions.size(), 8U);
  EXPECT_EQ(fractions.front(), 0.0);
  EXPECT_EQ(fractions.back(), 1.0);
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
}

TEST_P(Baselines, StopWhenCancelled) {
  for (const double when : {0.0, 0.5, 0.9}) {
    ExecutionContext context;
    context.on_progress = [&](std::string_view, double fraction) {
      if (fraction >= when) {
        context.cancel();
      }
    };
    EXPECT_THROW((void)GetParam().run(noisy_part(300), context), Cancelled);
  }
}

}  // namespace
}  // namespace burnish
