#include "tiles/sorting.hpp"

#include <gtest/gtest.h>

#include <random>

#include "io/files.hpp"
#include "tiles/scratch.hpp"

namespace burnish::tiles {
namespace {

/// Sorts points and checks what must hold of any tiles: every row in exactly one, none too large, boxes and points
/// true.
std::vector<Tile> sort_and_check(const std::vector<Vec3>& points, std::size_t most) {
  const TempFolder folder;
  const RecordSource source = [&](const RecordVisitor& visitor) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Record record{i, {points[i][0], points[i][1], points[i][2]}};
      visitor({&record, 1});
    }
  };
  std::vector<Tile> tiles = sort_into_tiles(source, folder / "", 5, most, {});
  std::vector<int> seen(points.size(), 0);
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const PointFile file(tile_file(folder / "", t), 5);
    EXPECT_EQ(file.count(), tiles[t].points);
    EXPECT_LE(file.count(), most);
    EXPECT_GT(file.count(), 0U);
    for (const Record& record : file.read_all()) {
      ++seen.at(record.row);
      EXPECT_EQ(record.point(), points.at(record.row));
      EXPECT_TRUE(tiles[t].box.contains(record.point()));
    }
  }
  EXPECT_EQ(folder.files(), tiles.size()) << "something else was left behind";
  EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
  return tiles;
}

std::vector<Vec3> square(std::size_t count, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0.0, size);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    points.emplace_back(place(random), place(random), 0.0);
  }
  return points;
}

TEST(Sorting, SmallCloudsAreOneTile) {
  EXPECT_EQ(sort_and_check(square(100, 1.0, 1), 100).size(), 1U);
  EXPECT_EQ(sort_and_check({{1, 2, 3}}, 100).size(), 1U);
  EXPECT_TRUE(sort_and_check({}, 100).empty());
}

TEST(Sorting, TilesAreNearlyFull) {
  const std::vector<Tile> tiles = sort_and_check(square(40'000, 1.0, 2), 2000);
  EXPECT_LE(tiles.size(), 32U);  // 20 would be full ones
  for (const Tile& tile : tiles) {
    EXPECT_NEAR(tile.spacing, 1.0 / std::sqrt(40'000.0), 0.5 / std::sqrt(40'000.0));
  }
}

TEST(Sorting, ADenseSpotHasTilesOfItsOwn) {
  std::vector<Vec3> points = square(5'000, 1000.0, 3);
  const std::vector<Vec3> dense = square(45'000, 1e-3, 4);
  points.insert(points.end(), dense.begin(), dense.end());
  const std::vector<Tile> tiles = sort_and_check(points, 2000);
  EXPECT_LE(tiles.size(), 40U);
  EXPECT_GE(std::ranges::count_if(tiles, [](const Tile& tile) { return tile.box.sizes().maxCoeff() < 2e-3; }), 15);
}

TEST(Sorting, ManyCellsAreMadeInSeveralRounds) { EXPECT_GE(sort_and_check(square(30'000, 1.0, 5), 50).size(), 600U); }

TEST(Sorting, PointsAtOnePlaceAreSharedOut) {
  EXPECT_EQ(sort_and_check(std::vector<Vec3>(10'000, Vec3(1, 2, 3)), 1000).size(), 10U);

  std::vector<Vec3> points = square(3'000, 1.0, 6);
  points.insert(points.begin() + 700, 20'000, Vec3(0.5, 0.5, 0.0));
  sort_and_check(points, 1000);

  // So many that a sample may see nothing else.
  points.assign(400'000, Vec3(0.5, 0.5, 0.0));
  points.emplace_back(1e300, 0.0, 0.0);
  points.emplace_back(-1e300, 5e-324, 0.0);
  sort_and_check(points, 50'000);
}

TEST(Sorting, NeighbouringNumbersAreDistinguished) {
  std::vector<Vec3> points(600, Vec3(1.0, 0.0, 0.0));
  points.insert(points.end(), 600, Vec3(std::nextafter(1.0, 2.0), 0.0, 0.0));
  EXPECT_EQ(sort_and_check(points, 600).size(), 2U);
}

}  // namespace
}  // namespace burnish::tiles
