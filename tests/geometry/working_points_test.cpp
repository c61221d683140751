#include "geometry/working_points.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "test_clouds.hpp"

namespace burnish {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
const Vec3 map_offset(500000, 4000000, 300);

TEST(WorkingPoints, LeaveOutWhatIsNotFinite) {
  std::vector<Vec3> input = random_points(100);
  input[3] = {nan, 0, 0};
  input[50] = {0, inf, 0};
  input[99] = {0, 0, -inf};
  const WorkingPoints working = working_points(input);
  EXPECT_EQ(working.points.size(), 97U);
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (i == 3 || i == 50 || i == 99) {
      EXPECT_EQ(working.place[i], WorkingPoints::absent);
    } else {
      EXPECT_LT((working.points[working.place[i]] + working.origin - input[i]).norm(), 1e-15);
    }
  }
}

TEST(WorkingPoints, ShareAPlaceIfTheyAreDuplicates) {
  std::vector<Vec3> input = random_points(200);
  for (std::size_t i = 0; i < 200; ++i) {
    input.push_back(input[i * 7 % 200]);
  }
  input.push_back(input[0] + Vec3(1e-15, 0, 0));  // next to it, but another point
  ASSERT_NE(input.back(), input[0]);
  const WorkingPoints working = working_points(input);
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(working.place[200 + i], working.place[i * 7 % 200]);
  }
  EXPECT_EQ(std::set<std::uint32_t>(working.place.begin(), working.place.begin() + 200).size(), 200U);
}

TEST(WorkingPoints, AreDistinctEvenIfDuplicatesComeApartInTheCurve) {
  const std::vector<Vec3> input(1000, Vec3(-0.0, 5, 1e-300));
  EXPECT_EQ(working_points(input).points.size(), 1U);
  std::vector<Vec3> zeros{{0.0, 1, 1}, {-0.0, 1, 1}, {0.0, 1, 1}, {-0.0, 1, 1}};
  EXPECT_EQ(working_points(zeros).points.size(), 1U) << "0 and −0 are the same place";
}

TEST(WorkingPoints, LieAroundTheOriginWhereverTheCloudIs) {
  const std::vector<Vec3> input = transformed(random_points(500), [](const Vec3& p) { return Vec3(p + map_offset); });
  const WorkingPoints working = working_points(input);
  for (const Vec3& p : working.points) {
    EXPECT_LE(p.lpNorm<Eigen::Infinity>(), 1.0 + 1e-9);
  }
}

TEST(WorkingPoints, DoNotDependOnTheOrderOfTheInput) {
  const std::vector<Vec3> input = random_points(3000);
  const std::vector<std::uint32_t> order = shuffled_indices(input.size());
  std::vector<Vec3> shuffled;
  for (const std::uint32_t i : order) {
    shuffled.push_back(input[i]);
  }
  const WorkingPoints working = working_points(input);
  const WorkingPoints again = working_points(shuffled);
  EXPECT_TRUE(same_bits(working.points, again.points));
  for (std::size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(again.place[i], working.place[order[i]]);
  }
}

TEST(WorkingPoints, RestoreLeavesUnmovedPointsAloneToTheBit) {
  for (const Vec3& offset : {Vec3(0, 0, 0), map_offset, Vec3(1e-3, 1e17, -1e9)}) {
    std::vector<Vec3> input = transformed(random_points(500), [&](const Vec3& p) { return Vec3(p + offset); });
    input[7] = {nan, 1, 2};
    input[8] = {1, -inf, 2};
    input[9] = input[10];
    const WorkingPoints working = working_points(input);
    EXPECT_TRUE(same_bits(working.restore(input, working.points), input));
  }
}

TEST(WorkingPoints, RestoreCarriesMovesToTheirPoints) {
  std::vector<Vec3> input = transformed(random_points(500), [](const Vec3& p) { return Vec3(p + map_offset); });
  input[7] = {nan, 1, 2};
  input[9] = input[10];
  const WorkingPoints working = working_points(input);
  const auto move_of = [](const Vec3& p) { return Vec3(0.1 * p.y(), 0.2 * p.x(), -0.1); };
  const std::vector<Vec3> moved = transformed(working.points, [&](const Vec3& p) { return Vec3(p + move_of(p)); });
  const std::vector<Vec3> output = working.restore(input, moved);
  EXPECT_TRUE(same_bits(std::span(output).subspan(7, 1), std::span(input).subspan(7, 1)));
  EXPECT_EQ(output[9], output[10]);
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (i != 7) {
      // Half a unit in the last place of 4,000,000 for the subtraction of the origin and for the addition.
      EXPECT_LT((output[i] - input[i] - move_of(input[i] - working.origin)).lpNorm<Eigen::Infinity>(), 1e-9);
    }
  }
}

TEST(WorkingPoints, OfNothingAreNone) {
  EXPECT_TRUE(working_points({}).points.empty());
  const std::vector<Vec3> bad(3, Vec3(nan, nan, nan));
  const WorkingPoints working = working_points(bad);
  EXPECT_TRUE(working.points.empty());
  EXPECT_TRUE(same_bits(working.restore(bad, {}), bad));
}

TEST(WorkingPoints, ReachTheEndsOfTheRangeOfNumbers) {
  const std::vector<Vec3> input{{-1e308, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}};
  const WorkingPoints working = working_points(input);
  EXPECT_EQ(working.points.size(), 3U);
  EXPECT_TRUE(same_bits(working.restore(input, working.points), input));
}

}  // namespace
}  // namespace burnish
