#include "burnish/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "test_clouds.hpp"

namespace burnish {
namespace {

double distance(const Vec3& a, const Vec3& b, Metric metric) {
  const Vec3 d = a - b;
  return metric == Metric::squared_euclidean ? d.squaredNorm() : d.lpNorm<1>();
}

/// Compares with sorting all distances. Among equally far points at the end of the list any may be taken, so it is the
/// distances that must agree, and each index must be at its distance, once.
void expect_like_brute_force(std::span<const Vec3> points, std::span<const Vec3> queries, std::size_t count,
                             Metric metric) {
  const NeighbourSearch search(points, {}, metric);
  std::vector<std::uint32_t> indices(count);
  std::vector<double> distances(count);
  for (const Vec3& query : queries) {
    std::vector<double> expected;
    for (const Vec3& p : points) {
      expected.push_back(distance(p, query, metric));
    }
    std::ranges::sort(expected);
    const std::size_t found = search.nearest(query, indices, distances);
    ASSERT_EQ(found, std::min(count, points.size()));
    for (std::size_t i = 0; i < found; ++i) {
      ASSERT_NEAR(distances[i], expected[i], 1e-15 + 4e-16 * expected[i]);
      ASSERT_NEAR(distance(points[indices[i]], query, metric), distances[i], 1e-15 + 4e-16 * expected[i]);
      if (i > 0) {
        ASSERT_TRUE(distances[i - 1] < distances[i] ||
                    (distances[i - 1] == distances[i] && indices[i - 1] < indices[i]));
      }
    }
  }
}

class NearestNeighbours : public testing::TestWithParam<Metric> {};
INSTANTIATE_TEST_SUITE_P(Metrics, NearestNeighbours, testing::Values(Metric::squared_euclidean, Metric::city_block));

TEST_P(NearestNeighbours, AreThoseOfBruteForceAmongRandomPoints) {
  const std::vector<Vec3> points = random_points(3000);
  for (const std::size_t count : {1U, 8U, 31U}) {
    expect_like_brute_force(points, random_points(100, 5), count, GetParam());
    expect_like_brute_force(points, std::span(points).first(100), count, GetParam());
  }
}

TEST_P(NearestNeighbours, AmongPointsThatMovedAreThoseOfANewSearch) {
  const std::vector<Vec3> before = random_points(3001);
  const NeighbourSearch search(before, {}, GetParam());
  TestRandom random;
  for (const double move : {0.001, 0.1, 10.0}) {
    std::vector<Vec3> after = before;
    for (Vec3& p : after) {
      p += move * random.normal3();
    }
    const NeighbourSearch moved = search.moved_to(after);
    const NeighbourSearch made_new(after, {}, GetParam());
    std::array<std::uint32_t, 12> found{};
    std::array<std::uint32_t, 12> expected{};
    std::array<double, 12> distances{};
    for (const Vec3& query : random_points(200, 5)) {
      ASSERT_EQ(moved.nearest(query, found, distances), made_new.nearest(query, expected, distances));
      ASSERT_EQ(found, expected);
    }
  }
  EXPECT_EQ(NeighbourSearch(std::span<const Vec3>{}).moved_to({}).nearest(Vec3::Zero(), {}, {}), 0U);
}

TEST_P(NearestNeighbours, AreAsFarAsBruteForceSaysOnAGrid) {
  const std::vector<Vec3> points = grid_points(9);
  expect_like_brute_force(points, points, 10, GetParam());
  expect_like_brute_force(points, std::vector<Vec3>{{4.5, 4.5, 4.5}, {-10, 4, 4}, {3.5, 2, 100}}, 20, GetParam());
}

TEST_P(NearestNeighbours, AreThoseOfBruteForceAmongClusters) {
  const std::vector<Vec3> points = clustered_points(2000);
  expect_like_brute_force(points, std::span(points).first(200), 30, GetParam());
  expect_like_brute_force(points, std::vector<Vec3>{{1e6, -1e6, 0}, {150, 100, 3}}, 30, GetParam());
}

TEST_P(NearestNeighbours, AreAllPointsIfMoreAreWanted) {
  const std::vector<Vec3> points = random_points(20);
  expect_like_brute_force(points, points, 50, GetParam());
}

TEST_P(NearestNeighbours, ThereAreNoneInAnEmptySetOrIfNoneAreWanted) {
  std::uint32_t index = 77;
  double distance_to_it = -1.0;
  const NeighbourSearch nothing({}, {}, GetParam());
  EXPECT_EQ(nothing.nearest({0, 0, 0}, {&index, 1}, {&distance_to_it, 1}), 0U);
  const std::vector<Vec3> points = random_points(20);
  EXPECT_EQ(NeighbourSearch(points, {}, GetParam()).nearest({0, 0, 0}, {}, {}), 0U);
  EXPECT_EQ(index, 77U);
  EXPECT_EQ(distance_to_it, -1.0);
}

TEST_P(NearestNeighbours, OfMassesOfDuplicatesAreFoundWithoutLookingAtAll) {
  std::vector<Vec3> points(200000, Vec3(1, 2, 3));
  points.emplace_back(5, 2, 3);
  const NeighbourSearch search(points, {}, GetParam());
  std::vector<std::uint32_t> indices(8);
  std::vector<double> distances(8);
  // Looking at every point each time would take 4·10⁹ steps.
  for (int repeat = 0; repeat < 20000; ++repeat) {
    ASSERT_EQ(search.nearest({1, 2, 3}, indices, distances), 8U);
    ASSERT_EQ(distances.back(), 0.0);
    ASSERT_EQ(std::set<std::uint32_t>(indices.begin(), indices.end()).size(), 8U);
  }
}

TEST_P(NearestNeighbours, AreTheSameOnAnyNumberOfThreads) {
  const std::vector<Vec3> points = clustered_points(50000);  // enough to be built in parts
  ExecutionContext one_thread;
  one_thread.threads = 1;
  ExecutionContext four_threads;
  four_threads.threads = 4;
  const NeighbourSearch one(points, one_thread, GetParam());
  const NeighbourSearch four(points, four_threads, GetParam());
  std::vector<std::uint32_t> by_one(20);
  std::vector<std::uint32_t> by_four(20);
  std::vector<double> distances(20);
  for (std::size_t i = 0; i < points.size(); i += 10) {
    ASSERT_EQ(one.nearest(points[i], by_one, distances), 20U);
    ASSERT_EQ(four.nearest(points[i], by_four, distances), 20U);
    ASSERT_EQ(by_one, by_four);
  }
  expect_like_brute_force(points, std::span(points).first(20), 20, GetParam());
}

TEST_P(NearestNeighbours, AreFoundWhereDistancesAreTooLargeForNumbers) {
  std::vector<Vec3> points;
  for (int i = 0; i < 100; ++i) {
    points.emplace_back(i < 50 ? -1e308 : 1e308, i, 0.0);
  }
  const NeighbourSearch search(points, {}, GetParam());
  std::vector<std::uint32_t> indices(100);
  std::vector<double> distances(100);
  EXPECT_EQ(search.nearest(points[3], indices, distances), 100U);
  EXPECT_EQ(indices[0], 3U);
  EXPECT_LT(distances[49], 1e4);
  EXPECT_EQ(distances[50], std::numeric_limits<double>::infinity());
}

/// Queries one after the other find what single ones do.
void expect_like_single_queries(std::span<const Vec3> points, std::span<const Vec3> queries, std::size_t count,
                                Metric metric) {
  const NeighbourSearch search(points, {}, metric);
  NeighbourQueries series(search, count);
  std::vector<std::uint32_t> indices(count);
  std::vector<double> distances(count);
  for (const Vec3& query : queries) {
    const std::size_t expected = search.nearest(query, indices, distances);
    const NeighbourQueries::Found found = series.nearest(query);
    ASSERT_EQ(found.indices.size(), expected);
    ASSERT_EQ(found.distances.size(), expected);
    ASSERT_EQ(found.farthest,
              expected < count || count == 0 ? std::numeric_limits<double>::infinity() : distances[count - 1]);
    std::vector<std::pair<double, std::uint32_t>> in_order;
    for (std::size_t i = 0; i < expected; ++i) {
      in_order.emplace_back(found.distances[i], found.indices[i]);
    }
    std::ranges::sort(in_order);
    for (std::size_t i = 0; i < expected; ++i) {
      ASSERT_EQ(in_order[i].first, distances[i]);
      ASSERT_EQ(in_order[i].second, indices[i]);
    }
  }
}

TEST_P(NearestNeighbours, WithoutSomePointsAreThoseOfANewSearchAmongTheRest) {
  const std::vector<Vec3> points = random_points(3001);
  std::vector<std::uint32_t> left_out;
  std::vector<Vec3> rest;
  for (std::uint32_t p = 0; p < points.size(); ++p) {
    // Every tenth, and all in a corner: more than a leaf.
    if (p % 10 == 3 || points[p].maxCoeff() < points[0].maxCoeff()) {
      left_out.push_back(p);
    } else {
      rest.push_back(points[p]);
    }
  }
  ASSERT_GT(left_out.size(), 300U);
  ASSERT_GT(rest.size(), 100U);
  std::vector<Vec3> moved = rest;
  for (Vec3& p : moved) {
    p += Vec3(0.01, 0.0, -0.01) * p.x();
  }
  const NeighbourSearch search = NeighbourSearch(points, {}, GetParam()).without(left_out);
  const auto expect_same = [](const NeighbourSearch& found_by, const NeighbourSearch& expected_by) {
    std::array<std::uint32_t, 20> indices{};
    std::array<std::uint32_t, 20> expected{};
    std::array<double, 20> distances{};
    for (const Vec3& query : random_points(100, 5)) {
      ASSERT_EQ(found_by.nearest(query, indices, distances), expected_by.nearest(query, expected, distances));
      ASSERT_EQ(indices, expected);
    }
  };
  expect_same(search, NeighbourSearch(rest, {}, GetParam()));
  expect_same(search.moved_to(moved), NeighbourSearch(moved, {}, GetParam()));
}

TEST_P(NearestNeighbours, OfSeriesOfQueriesAreThoseOfSingleOnes) {
  const std::vector<Vec3> points = random_points(3000);
  // Along a line, nearer and nearer to each other; then from place to place; then the same place three times.
  std::vector<Vec3> queries;
  for (int i = 1; i < 100; ++i) {
    queries.emplace_back(Vec3::Constant(0.5) + Vec3(0.4, 0.1, 0.2) / i);
  }
  const std::vector<Vec3> anywhere = random_points(100, 5);
  queries.insert(queries.end(), anywhere.begin(), anywhere.end());
  queries.insert(queries.end(), 3, points[7]);
  for (const std::size_t count : {1U, 2U, 8U, 48U, 384U}) {
    expect_like_single_queries(points, queries, count, GetParam());
  }
  expect_like_single_queries(std::span(points).first(20), queries, 48, GetParam());
}

TEST_P(NearestNeighbours, OfSeriesOfQueriesMayBeDuplicates) {
  std::vector<Vec3> points(100, Vec3(1, 2, 3));
  points.resize(200, Vec3(1, 2, 4));
  points.resize(300, Vec3(0, 0, 0));
  const std::vector<Vec3> queries = {Vec3(1, 2, 3), Vec3(1, 2, 3), Vec3(1, 2, 3.1), Vec3(1, 2, 3.6), Vec3(0, 0, 0)};
  const NeighbourSearch search(points, {}, GetParam());
  for (const std::size_t count : {10U, 150U, 300U}) {
    NeighbourQueries series(search, count);
    std::vector<std::uint32_t> indices(count);
    std::vector<double> distances(count);
    for (const Vec3& query : queries) {
      search.nearest(query, indices, distances);
      std::vector<double> found(count);
      std::ranges::copy(series.nearest(query).distances, found.begin());
      std::ranges::sort(found);
      EXPECT_EQ(found, distances);
    }
  }
}

TEST(NeighbourSearch, CanBeMoved) {
  const std::vector<Vec3> points = random_points(100);
  NeighbourSearch first(points);
  NeighbourSearch second(std::move(first));
  std::uint32_t index = 0;
  double squared = 0.0;
  EXPECT_EQ(second.nearest(points[42], {&index, 1}, {&squared, 1}), 1U);
  EXPECT_EQ(index, 42U);
}

TEST(NeighbourSearch, FindsAllPointsWithinADistance) {
  const std::vector<Vec3> points = random_points(500);
  for (const Metric metric : {Metric::squared_euclidean, Metric::city_block}) {
    const NeighbourSearch search(points, {}, metric);
    for (const double radius : {1e-9, 0.3, 0.7, 10.0}) {
      const double limit = metric == Metric::squared_euclidean ? radius * radius : radius;
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (distance(points[i], points[3], metric) < limit) {
          expected.push_back(static_cast<std::uint32_t>(i));
        }
      }
      std::vector<std::uint32_t> found{7, 7};
      EXPECT_TRUE(search.within_radius(points[3], radius, points.size(), found));
      std::ranges::sort(found);
      EXPECT_EQ(found, expected);
      EXPECT_TRUE(search.within_radius(points[3], radius, expected.size(), found));
      EXPECT_FALSE(search.within_radius(points[3], radius, expected.size() - 1, found));
    }
  }
  std::vector<std::uint32_t> found;
  // A radius is a length, whatever the metric squares.
  for (const Metric metric : {Metric::squared_euclidean, Metric::city_block}) {
    const NeighbourSearch grid(std::vector<Vec3>{{0, 0, 0}, {2.5, 0, 0}, {0, 3.5, 0}}, {}, metric);
    EXPECT_TRUE(grid.within_radius(Vec3::Zero(), 3.0, 3, found));
    EXPECT_EQ(found.size(), 2U);
  }
  EXPECT_TRUE(NeighbourSearch({}).within_radius(Vec3::Zero(), 1.0, 0, found));
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace burnish
