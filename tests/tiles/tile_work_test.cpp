#include "tiles/tile_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "burnish/neighbours.hpp"
#include "io/files.hpp"
#include "tiles/stitching.hpp"

namespace burnish::tiles {
namespace {

/// A method whose halo radius is known exactly: every point goes to the mean of all nearer than a radius, whatever
/// order they come in.
std::vector<Vec3> mean_within(std::span<const Vec3> points, double radius) {
  const NeighbourSearch search(points);
  std::vector<Vec3> moved;
  std::vector<std::uint32_t> near;
  for (const Vec3& p : points) {
    search.within_radius(p, radius, points.size(), near);
    std::ranges::sort(near, [&](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare(points[a].begin(), points[a].end(), points[b].begin(), points[b].end());
    });
    Vec3 sum = Vec3::Zero();
    for (const std::uint32_t n : near) {
      sum += points[n];
    }
    moved.push_back(sum / static_cast<double>(near.size()));
  }
  return moved;
}

TileMethod mean_method(double radius) {
  return {radius, 0.0, [radius](std::span<const Vec3> points, std::span<const Vec3>, const ExecutionContext&) {
            return mean_within(points, radius);
          }};
}

/// A bumpy surface, four times as dense on one side.
std::vector<Vec3> uneven_surface(std::size_t count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0.0, 1.0);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = place(random);
    const double y = place(random);
    points.emplace_back(x * x, y, 0.05 * std::sin(9.0 * x) + 0.001 * place(random));
  }
  return points;
}

class TileWork : public ::testing::Test {
 protected:
  /// Sorts the points of a file into tiles.
  void plan_for(const PointCloud& cloud, std::size_t points_in_tile, std::size_t most_points = 1'000'000) {
    plan_.points = cloud.size();
    plan_.most_points = most_points;
    const RecordSource source = [&](const RecordVisitor& visitor) {
      for (std::size_t i = 0; i < cloud.size(); ++i) {
        const Vec3& p = cloud.positions[i];
        const Record record{i, {p[0], p[1], p[2]}};
        if (is_finite(p)) {
          visitor({&record, 1});
        }
      }
    };
    plan_.tiles = sort_into_tiles(source, scratch_, plan_.run(), points_in_tile, {});
  }

  [[nodiscard]] std::vector<std::size_t> all_tiles() const {
    std::vector<std::size_t> all(plan_.tiles.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  TempFolder folder_;
  std::filesystem::path scratch_ = folder_ / "";
  TilingPlan plan_;
};

TEST_F(TileWork, TiledIsWhatUntiledIs) {
  PointCloud cloud;
  cloud.positions = uneven_surface(6000);
  plan_for(cloud, 500);
  ASSERT_GE(plan_.tiles.size(), 12U);
  constexpr double radius = 0.03;
  work_on_tiles(scratch_, plan_, all_tiles(), mean_method(radius), 2, {});
  const std::vector<Vec3> expected = mean_within(cloud.positions, radius);
  std::size_t found = 0;
  for (std::size_t t = 0; t < plan_.tiles.size(); ++t) {
    for (const Record& record : PointFile(result_file(scratch_, t), plan_.run()).read_all()) {
      EXPECT_EQ(record.point(), expected[record.row]);
      ++found;
    }
  }
  EXPECT_EQ(found, cloud.size());
}

TEST_F(TileWork, AHaloThatIsTooNarrowShows) {
  PointCloud cloud;
  cloud.positions = uneven_surface(3000);
  plan_for(cloud, 500);
  TileMethod method = mean_method(0.05);
  method.halo_radius = 0.02;
  work_on_tiles(scratch_, plan_, all_tiles(), method, 1, {});
  const std::vector<Vec3> expected = mean_within(cloud.positions, 0.05);
  std::size_t different = 0;
  for (std::size_t t = 0; t < plan_.tiles.size(); ++t) {
    for (const Record& record : PointFile(result_file(scratch_, t), plan_.run()).read_all()) {
      different += record.point() != expected[record.row] ? 1 : 0;
    }
  }
  EXPECT_GT(different, 100U);
}

TEST_F(TileWork, ReachFollowsTheSpacing) {
  PointCloud cloud;
  cloud.positions = uneven_surface(8000);
  plan_for(cloud, 1000);
  TileMethod method;
  method.halo_radius_in_spacings = 5.0;
  for (const std::size_t t : all_tiles()) {
    const Surrounded tile = gather(scratch_, plan_, t, method, {});
    EXPECT_TRUE(tile.is_complete);
    // √1000 spacings wide and 5 more on every side, more where blocks are less than a tile.
    EXPECT_GT(tile.around.size(), 100U);
    EXPECT_LT(tile.around.size(), 2500U);
  }
}

TEST_F(TileWork, WhatDoesNotFitIsLeftOutFromTheOutside) {
  PointCloud cloud;
  cloud.positions = uneven_surface(4000);
  plan_for(cloud, 500);
  TileMethod method;
  method.halo_radius = 0.2;
  const Surrounded all = gather(scratch_, plan_, 0, method, {});
  EXPECT_TRUE(all.is_complete);
  ASSERT_GT(all.around.size(), 600U);

  plan_for(cloud, 500, all.own.size() + 300);
  const Surrounded some = gather(scratch_, plan_, 0, method, {});
  EXPECT_FALSE(some.is_complete);
  ASSERT_EQ(some.around.size(), 300U);
  const auto sum_of_distances = [&](const std::vector<Record>& records) {
    double sum = 0.0;
    for (const Record& record : records) {
      sum += plan_.tiles[0].box.exteriorDistance(record.point());
    }
    return sum;
  };
  const double kept = sum_of_distances(some.around) / 300.0;
  const double left_out = (sum_of_distances(all.around) - 300.0 * kept) / static_cast<double>(all.around.size() - 300);
  EXPECT_LT(kept, 0.5 * left_out);
}

TEST_F(TileWork, StitchingKeepsOrderAttributesAndPointsThatAreNotFinite) {
  PointCloud cloud;
  cloud.positions = uneven_surface(5000);
  cloud.positions[17][1] = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::int32_t> numbers(cloud.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  cloud.attributes.push_back({"number", numbers, {}, {}, false});
  write(folder_ / "in.ply", cloud);
  std::filesystem::create_directory(folder_ / "scratch");
  scratch_ = folder_ / "scratch";
  plan_for(cloud, 500);
  constexpr double radius = 0.03;
  work_on_tiles(scratch_, plan_, all_tiles(), mean_method(radius), 1, {});
  // Few rows at a time, so that several rotations are needed.
  EXPECT_TRUE(stitch(scratch_, plan_, folder_ / "in.ply", folder_ / "out.ply", 1000, {}).empty());

  PointCloud expected = cloud;
  std::vector<Vec3> finite = cloud.positions;
  finite.erase(finite.begin() + 17);
  finite = mean_within(finite, radius);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    expected.positions[i] = i == 17 ? cloud.positions[i] : finite[i < 17 ? i : i - 1];
  }
  write(folder_ / "expected.ply", expected);
  EXPECT_EQ(bytes_of(folder_ / "out.ply"), bytes_of(folder_ / "expected.ply"));

  std::filesystem::remove(result_file(scratch_, 3));
  EXPECT_THROW((void)stitch(scratch_, plan_, folder_ / "in.ply", folder_ / "again.ply", 1000, {}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "again.ply"));
}

TEST_F(TileWork, PartsAreFinishedAsOneLikes) {
  PointCloud cloud;
  cloud.positions = uneven_surface(3000);
  std::filesystem::create_directory(folder_ / "scratch");
  scratch_ = folder_ / "scratch";
  write(folder_ / "in.ply", cloud);
  TileMethod method;
  method.denoise = [](std::span<const Vec3> points, std::span<const Vec3>, const ExecutionContext&) {
    return DenoisedTile({points.begin(), points.end()}, {0, 2});
  };
  plan_for(cloud, 500);
  work_on_tiles(scratch_, plan_, all_tiles(), method, 1, {});
  const FinishPart without_outliers = [](PointCloud& part, const DenoisedPart& denoised) {
    EXPECT_EQ(part.size(), denoised.positions.size());
    EXPECT_TRUE(denoised.normals.empty());
    std::vector<bool> keep = denoised.is_outlier;
    keep.flip();
    return keep;
  };
  EXPECT_TRUE(stitch(scratch_, plan_, folder_ / "in.ply", folder_ / "out.ply", 1000, {}, without_outliers).empty());
  EXPECT_EQ(read(folder_ / "out.ply").size(), 3000 - 2 * plan_.tiles.size());

  // Faces would have to count points again.
  cloud.tables.push_back({"face", 1, {{"vertex_indices", std::vector<std::int32_t>{0, 1, 2}, {3}, {}, true}}});
  write(folder_ / "in.ply", cloud);
  EXPECT_THROW((void)stitch(scratch_, plan_, folder_ / "in.ply", folder_ / "faces.ply", 1000, {}, without_outliers),
               Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "faces.ply"));
}

TEST_F(TileWork, AnErrorInOneTileStopsAll) {
  PointCloud cloud;
  cloud.positions = uneven_surface(3000);
  plan_for(cloud, 300);
  TileMethod method = mean_method(0.01);
  method.denoise = [](std::span<const Vec3>, std::span<const Vec3>, const ExecutionContext&) -> std::vector<Vec3> {
    throw Error("no");
  };
  EXPECT_THROW(work_on_tiles(scratch_, plan_, all_tiles(), method, 3, {}), Error);
}

}  // namespace
}  // namespace burnish::tiles
