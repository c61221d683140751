#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "io/copc_hierarchy.hpp"
#include "io/copc_octree.hpp"
#include "io/files.hpp"
#include "io/las_file.hpp"
#include "shared_data.hpp"

// That other programs read the COPC files written here, and find the same nodes in theirs, is tested in tests/peers.

namespace burnish {
namespace {

/// Points on a wavy ground, more than a node takes, with times in their order.
PointCloud ground(std::size_t count) {
  std::mt19937_64 random(5);
  const auto part = [&] { return static_cast<double>(random() % 100000) / 100000; };
  PointCloud cloud;
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = 1000 * part();
    const double y = 700 * part();
    cloud.positions.emplace_back(500000 + x, 4000000 + y, 30 * std::sin(x / 50) * std::cos(y / 70));
    times.push_back(static_cast<double>(i));
  }
  cloud.attributes = {make_column("gps_time", times)};
  return cloud;
}

const std::vector<double>& times_of(const PointCloud& cloud) {
  return std::get<std::vector<double>>(cloud.find_attribute("gps_time")->values);
}

/// Points by their times: COPC has another order.
std::map<double, Vec3> by_time(const PointCloud& cloud) {
  std::map<double, Vec3> points;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    points[times_of(cloud)[i]] = cloud.positions[i];
  }
  return points;
}

/// A file with five levels or so, made once.
const std::string& large_file() {
  static const std::string bytes = [] {
    const TempFolder folder;
    write(folder / "a.copc.laz", ground(200'000));
    return bytes_of(folder / "a.copc.laz");
  }();
  return bytes;
}

TEST(Copc, HoldsEveryPoint) {
  const TempFolder folder;
  const PointCloud cloud = ground(200'000);
  const PointCloud again = read(folder.file("a.copc.laz", large_file()));
  ASSERT_EQ(again.size(), cloud.size());
  const std::map<double, Vec3> points = by_time(again);
  ASSERT_EQ(points.size(), cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    ASSERT_LT((points.at(static_cast<double>(i)) - cloud.positions[i]).norm(), 1e-6);
  }
  // Without the octree, as LAZ and LAS, nothing is left of it.
  write(folder / "b.las", again);
  EXPECT_EQ(bytes_of(folder / "b.las").find("copc"), std::string::npos);
}

TEST(Copc, StartsAsItsSpecificationSays) {
  const std::string& bytes = large_file();
  EXPECT_EQ(get<std::uint8_t>(bytes, 25), 4U);
  EXPECT_EQ(get<std::uint16_t>(bytes, 94), 375U);
  EXPECT_EQ(get<std::uint8_t>(bytes, 104), 6 + 128);
  EXPECT_EQ(bytes.substr(375 + 2, 5), std::string("copc\0", 5));
  EXPECT_EQ(get<std::uint16_t>(bytes, 375 + 18), 1U);
  EXPECT_EQ(get<std::uint16_t>(bytes, 375 + 20), 160U);
  const double half = get<double>(bytes, 429 + 24);
  EXPECT_NEAR(half, 500, 1);
  EXPECT_NEAR(get<double>(bytes, 429 + 32), 2 * half / 128, 1e-9);
  EXPECT_EQ(get<double>(bytes, 429 + 56), 0);
  EXPECT_EQ(get<double>(bytes, 429 + 64), 199'999);
  // The hierarchy is the first record behind the points.
  const auto behind = get<std::uint64_t>(bytes, 235);
  EXPECT_EQ(bytes.substr(behind + 2, 4), "copc");
  EXPECT_EQ(get<std::uint16_t>(bytes, behind + 18), 1000U);
  EXPECT_GE(get<std::uint64_t>(bytes, 429 + 40), behind + 60);
}

TEST(Copc, ReportsItsLevels) {
  const TempFolder folder;
  const std::vector<Level> levels = levels_of(folder.file("a.copc.laz", large_file()));
  ASSERT_GE(levels.size(), 3U);
  std::uint64_t points = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_NEAR(levels[i].spacing, levels[0].spacing / std::pow(2, i), 1e-9);
    points += levels[i].points;
  }
  EXPECT_EQ(levels[0].nodes, 1U);
  EXPECT_EQ(points, 200'000U);
  write(folder / "b.laz", ground(10));
  EXPECT_TRUE(levels_of(folder / "b.laz").empty());
  EXPECT_TRUE(levels_of(folder.file("c.xyz", "1 2 3\n")).empty());
}

TEST(Copc, IsReadInParts) {
  const TempFolder folder;
  const auto path = folder.file("a.copc.laz", large_file());
  const PointCloud all = read(path);
  const std::map<double, Vec3> known = by_time(all);
  const std::vector<Level> levels = levels_of(path);
  Selection selection;
  selection.low = {500100, 4000100, -1000};
  selection.high = {500200, 4000300, 10};
  const PointCloud box = read(path, selection);
  // Those that are inside, in the order of the file.
  PointCloud expected = all;
  std::vector<bool> inside;
  for (const Vec3& p : all.positions) {
    inside.push_back((p.array() >= selection.low.array()).all() && (p.array() <= selection.high.array()).all());
  }
  keep_points(expected, inside);
  EXPECT_GT(box.size(), 1000U);
  expect_same(box, expected);

  for (std::size_t i = 0; i < levels.size(); ++i) {
    Selection coarse;
    coarse.spacing = levels[i].spacing;
    std::uint64_t points = 0;
    for (std::size_t k = 0; k <= i; ++k) {
      points += levels[k].points;
    }
    const PointCloud part = read(path, coarse);
    EXPECT_EQ(part.size(), points);
    Selection by_number;
    by_number.levels = static_cast<int>(i) + 1;
    expect_same(read(path, by_number), part);
    by_number.spacing = levels[0].spacing;  // the fewer levels of the two
    EXPECT_EQ(read(path, by_number).size(), levels[0].points);
    for (std::size_t k = 0; k < part.size(); k += 100) {
      EXPECT_EQ(part.positions[k], known.at(times_of(part)[k]));
    }
  }
  // Any other format has boxes too, but no levels.
  write(folder / "b.ply", all);
  EXPECT_EQ(read(folder / "b.ply", selection).positions, box.positions);
  selection.spacing = 1;
  EXPECT_THROW(static_cast<void>(read(folder / "b.ply", selection)), Error);
  selection.spacing = 0;
  selection.levels = 1;
  EXPECT_THROW(static_cast<void>(read(folder / "b.ply", selection)), Error);
}

TEST(Copc, HasBoxesWithoutSomeFaces) {
  const TempFolder folder;
  const auto path = folder.file("a.copc.laz", large_file());
  const PointCloud all = read(path);
  Selection above;
  above.low.z() = 10;
  Selection west;
  west.high.x() = 500300;
  for (const Selection& selection : {above, west}) {
    PointCloud expected = all;
    std::vector<bool> inside;
    for (const Vec3& p : all.positions) {
      inside.push_back(p.z() >= selection.low.z() && p.x() <= selection.high.x());
    }
    keep_points(expected, inside);
    ASSERT_LT(expected.size(), all.size());
    expect_same(read(path, selection), expected);
  }
}

TEST(Copc, FindsPointsThatRoundingMovedOutOfTheirNode) {
  const TempFolder folder;
  write(folder / "a.copc.laz", ground(100));
  std::string bytes = bytes_of(folder / "a.copc.laz");
  const PointCloud all = read(folder / "a.copc.laz");
  double first = std::numeric_limits<double>::infinity();
  for (const Vec3& p : all.positions) {
    first = std::min(first, p.x());
  }
  // The octree begins half a step of the coordinates behind the first point.
  const double step = get<double>(bytes, 131);
  put(bytes, 429, first + step / 2 + get<double>(bytes, 429 + 24));
  Selection selection;
  selection.high.x() = first;
  EXPECT_EQ(read(folder.file("b.copc.laz", bytes), selection).size(), 1U);
}

TEST(Copc, DoesNotReadTheRest) {
  // All chunks of other nodes are damaged: nobody sees it.
  const TempFolder folder;
  const auto path = folder.file("a.copc.laz", large_file());
  const io::CopcInfo info = [&] {
    const ExecutionContext context;
    const io::BlockReader file(path, context);
    return io::read_copc_info(file, std::string_view(large_file()).substr(429, 160));
  }();
  Selection root;
  root.levels = 1;
  Selection corner;
  corner.low = {500000, 4000000, -100};
  corner.high = {500050, 4000050, 100};
  for (const Selection& selection : {root, corner}) {
    const Eigen::AlignedBox3d box(selection.low, selection.high);
    std::string bytes = large_file();
    std::size_t damaged = 0;
    const ExecutionContext context;
    io::BlockReader file(path, context);
    for (const io::CopcNode& node : io::read_copc_nodes(file, info, [](const io::CopcKey&) { return true; })) {
      if ((selection.levels > 0 && node.key.level >= selection.levels) || !info.box(node.key).intersects(box)) {
        bytes.replace(node.offset, node.bytes, node.bytes, '\xFF');
        ++damaged;
      }
    }
    EXPECT_GT(damaged, 4U);
    const auto damaged_path = folder.file("b.copc.laz", bytes);
    const PointCloud part = read(damaged_path, selection);
    EXPECT_GT(part.size(), 100U);
    expect_same(part, read(path, selection));
    EXPECT_THROW(static_cast<void>(read(damaged_path)), Error);
  }
}

TEST(Copc, KeepsHeadersAndExtraBytesOfOtherPointFormats) {
  const TempFolder folder;
  for (unsigned format = 0; format <= 10; ++format) {
    SCOPED_TRACE(format);
    LasFile las;
    las.minor = 4;
    las.format = format;
    las.records = las_vlr("LASF_Projection", 2112, "a projection") + las_vlr("LASF_Spec", 4, las_extra("height", 9));
    las.record_count = 2;
    las.extra = 4;
    las.add_random_points(50, format);
    const PointCloud before = read(folder.file("a.las", las.bytes()));
    write(folder / "a.copc.laz", before);
    const std::string bytes = bytes_of(folder / "a.copc.laz");
    constexpr unsigned formats[] = {6, 6, 7, 7, 6, 7, 6, 7, 8, 6, 8};
    EXPECT_EQ(get<std::uint8_t>(bytes, 104), formats[format] + 128);
    EXPECT_NE(bytes.find("a projection"), std::string::npos);
    const PointCloud after = read(folder / "a.copc.laz");
    ASSERT_EQ(after.size(), before.size());
    EXPECT_EQ(after.positions, before.positions);  // one node, whose points keep their order
    for (const Column& column : before.attributes) {
      const Column* const found = after.find_attribute(column.name);
      if (column.name == "scan_angle_rank") {
        const auto& degrees = std::get<std::vector<std::int8_t>>(column.values);
        const auto& steps = std::get<std::vector<std::int16_t>>(after.find_attribute("scan_angle")->values);
        for (std::size_t i = 0; i < degrees.size(); ++i) {
          EXPECT_NEAR(steps[i] * 0.006, degrees[i], 0.0031);
        }
        continue;
      }
      ASSERT_NE(found, nullptr) << column.name;
      expect_same(*found, column);
    }
  }
}

TEST(Copc, KeepsRecordsBehindThePoints) {
  const TempFolder folder;
  LasFile las;
  las.minor = 4;
  las.format = 6;
  las.add_random_points(50, 1);
  std::string head(60, '\0');
  head.replace(2, 4, "mine");
  put(head, 20, std::uint64_t{7});
  las.trailer = head + "content";
  las.extended = 1;
  write(folder / "a.copc.laz", read(folder.file("a.las", las.bytes())));
  const std::string bytes = bytes_of(folder / "a.copc.laz");
  EXPECT_EQ(get<std::uint32_t>(bytes, 243), 2U);
  EXPECT_TRUE(bytes.ends_with(las.trailer));
  EXPECT_EQ(read(folder / "a.copc.laz").format_data.at("las trailer"), las.trailer);
}

TEST(Copc, IsTheSameForAnyNumberOfThreads) {
  const TempFolder folder;
  const PointCloud cloud = ground(60'000);
  std::vector<std::string> files;
  for (const int threads : {1, 2}) {
    ExecutionContext context;
    context.threads = threads;
    write(folder / "a.copc.laz", cloud, context);
    files.push_back(bytes_of(folder / "a.copc.laz"));
  }
  EXPECT_TRUE(files[0] == files[1]);
  write(folder / "empty.copc.laz", PointCloud());
  EXPECT_EQ(read(folder / "empty.copc.laz").size(), 0U);
}

TEST(CopcOctree, HasEachPointOnceInTheCellsItIsIn) {
  const PointCloud cloud = ground(100'000);
  Eigen::AlignedBox3d box;
  for (const Vec3& p : cloud.positions) {
    box.extend(p);
  }
  const io::CopcInfo cube = io::copc_cube(box);
  const std::vector<io::CopcCell> nodes = io::build_copc_octree(cloud.positions, cube, {});
  std::vector<int> seen(cloud.size(), 0);
  std::set<std::array<std::int32_t, 4>> keys;
  for (const io::CopcCell& node : nodes) {
    const auto& [level, x, y, z] = node.key;
    EXPECT_TRUE(keys.insert({level, x, y, z}).second);
    EXPECT_TRUE(level == 0 || keys.contains({level - 1, x / 2, y / 2, z / 2}));  // parents come before
    EXPECT_TRUE(std::ranges::is_sorted(node.rows));
    Eigen::AlignedBox3d around = cube.box(node.key);
    around.min().array() -= 1e-6;
    around.max().array() += 1e-6;
    for (const std::uint32_t row : node.rows) {
      ++seen[row];
      EXPECT_TRUE(around.contains(cloud.positions[row]));
    }
  }
  EXPECT_EQ(std::ranges::count(seen, 1), 100'000);
  // In the root no two points share a cell.
  std::set<std::array<int, 3>> cells;
  for (const std::uint32_t row : nodes[0].rows) {
    const Vec3 cell = (cloud.positions[row] - cube.centre + Vec3::Constant(cube.half_size)) / cube.spacing;
    EXPECT_TRUE(cells.insert({int(cell.x()), int(cell.y()), int(cell.z())}).second);
  }
}

TEST(CopcHierarchy, IsReadFromSeveralPages) {
  // Seven levels of a full octree.
  std::vector<io::CopcNode> nodes;
  for (std::int32_t level = 0; level < 7; ++level) {
    for (std::int32_t i = 0; i < 1 << (3 * level); ++i) {
      const std::int32_t mask = (1 << level) - 1;
      nodes.push_back({{level, i & mask, (i >> level) & mask, i >> (2 * level)}, 7, 100, 1U + unsigned(i)});
    }
  }
  const io::CopcPages pages = io::copc_pages(nodes, 1000);
  EXPECT_EQ(pages.root_size, (1 + 8 + 64 + 512 + 4096) * 32U);  // and a page for each node of level 4
  const TempFolder folder;
  const auto path = folder.file("a", std::string(1000, '\0') + pages.bytes);
  io::CopcInfo info;
  info.root_offset = pages.root_offset;
  info.root_size = pages.root_size;
  const ExecutionContext context;
  io::BlockReader file(path, context);
  EXPECT_EQ(io::read_copc_nodes(file, info, [](const io::CopcKey&) { return true; }).size(), nodes.size());
  const auto left = io::read_copc_nodes(file, info, [](const io::CopcKey& key) { return 2 * key.x < 1 << key.level; });
  EXPECT_LT(10 * left.size(), 6 * nodes.size());
}

TEST(Copc, RefusesWhatIsNotSoWithOneClearLine) {
  const std::string& good = large_file();
  const auto root = static_cast<std::size_t>(get<std::uint64_t>(good, 429 + 40));
  const auto with = [&](std::size_t place, auto value) {
    std::string bytes = good;
    put(bytes, place, value);
    return bytes;
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {with(429 + 24, std::nan("")), "byte 429: found a COPC octree of half size nan"},
      {with(429 + 40, std::uint64_t{1} << 60U), "refers to a page of"},
      {with(429 + 48, std::uint64_t{33}), "refers to a page of 33 bytes"},
      {with(root, std::int32_t{-1}), fmt::format("byte {}: found a COPC node -1-0-0-0", root)},
      {with(root + 4, std::int32_t{1}), "found a COPC node 0-1-0-0"},
      {with(root + 16, std::uint64_t{1} << 60U), "the COPC hierarchy declares"},
      {with(root + 28, std::int32_t{0x7FFFFFFF}), "the COPC hierarchy declares 2147483647 points"},
      // The second node has the chunk of the first.
      {[&] {
         std::string bytes = good;
         bytes.replace(root + 32 + 16, 12, good, root + 16, 12);
         put(bytes, root + 32 + 28, std::int32_t{1});
         return bytes;
       }(),
       fmt::format("has nodes that share the {} bytes at byte {}", get<std::int32_t>(good, root + 24),
                   get<std::uint64_t>(good, root + 16))},
      // A page that names itself.
      {[&] {
         std::string bytes = with(root + 16, std::uint64_t{root});
         put(bytes, root + 24, static_cast<std::int32_t>(get<std::uint64_t>(bytes, 429 + 48)));
         put(bytes, root + 28, std::int32_t{-1});
         return bytes;
       }(),
       "or the same one twice"},
  };
  const TempFolder folder;
  Selection selection;
  selection.spacing = 1;
  for (const auto& [bytes, message] : cases) {
    std::string error = "no error";
    try {
      static_cast<void>(read(folder.file("a.copc.laz", bytes), selection));
    } catch (const Error& caught) {
      error = caught.what();
    }
    EXPECT_CONTAINS(error, message);
  }
}

TEST(Copc, FilesOfOtherProgramsAreReadInParts) {
  BURNISH_NEEDS_DATA();
  for (const char* name : {"compressed/laz/ellipsoid-format7.copc.laz", "compressed/laz/with-color.copc.laz",
                           "formats/laspy/simple_with_page.copc.laz"}) {
    SCOPED_TRACE(name);
    const auto path = shared_data() / name;
    const PointCloud all = read(path);
    std::uint64_t points = 0;
    for (const Level& level : levels_of(path)) {
      points += level.points;
    }
    EXPECT_EQ(points, all.size());
    Selection selection;
    selection.spacing = 1e-9;
    expect_same(read(path, selection), all);
    selection.spacing = 0;
    selection.low = all.positions[0] - Vec3::Constant(20);
    selection.high = all.positions[0] + Vec3::Constant(20);
    PointCloud expected = all;
    std::vector<bool> inside;
    for (const Vec3& p : all.positions) {
      inside.push_back((p - all.positions[0]).cwiseAbs().maxCoeff() <= 20);
    }
    keep_points(expected, inside);
    expect_same(read(path, selection), expected);
  }
}

}  // namespace
}  // namespace burnish
