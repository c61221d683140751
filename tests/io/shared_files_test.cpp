#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io/files.hpp"
#include "io/format_facts.hpp"
#include "io/las_file.hpp"
#include "shared_data.hpp"

// Files other programs wrote, whole, cut off and damaged.

namespace burnish {
namespace {

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::filesystem::path> all_files() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"compressed", "formats", "models", "punet", "scans", "lowpoly", "anchor"}) {
    const auto found = files_below(shared_data() / folder);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// What a PLY or OFF header says, or how many lines of an OBJ file are vertices, found by looking for the words.
std::size_t promised_points(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string word;
  std::size_t count = 0;
  if (path.extension() == ".obj") {
    while (std::getline(file, word)) {
      count += word.starts_with("v ") ? 1 : 0;
    }
    return count;
  }
  file >> word;
  if (word == "OFF") {
    while (file >> std::ws && file.peek() == '#') {
      std::getline(file, word);
    }
    file >> count;
    return count;
  }
  while (word != "vertex" && file >> word) {
  }
  file >> count;
  return count;
}

TEST(SharedFiles, HoldWhatAnotherReaderFinds) {
  BURNISH_NEEDS_DATA();
  for (const FormatFacts& facts : format_facts) {
    SCOPED_TRACE(facts.path);
    PointCloud cloud;
    ASSERT_NO_THROW(cloud = read(shared_data() / facts.path));
    EXPECT_EQ(cloud.size(), facts.points);
    EXPECT_EQ(std::ranges::count_if(cloud.positions, is_finite), facts.finite);
    for (const Eigen::Index axis : {0, 1, 2}) {
      double low = facts.finite > 0 ? std::numeric_limits<double>::infinity() : 0;
      double high = -low;
      for (const Vec3& p : cloud.positions) {
        low = is_finite(p) ? std::min(low, p[axis]) : low;
        high = is_finite(p) ? std::max(high, p[axis]) : high;
      }
      // The facts have nine digits.
      const double tolerance = 1e-8 * std::max(1.0, std::abs(high));
      EXPECT_NEAR(low, facts.low.at(static_cast<std::size_t>(axis)), tolerance);
      EXPECT_NEAR(high, facts.high.at(static_cast<std::size_t>(axis)), tolerance);
    }
    for (const Column& column : cloud.attributes) {
      EXPECT_EQ(column.rows(), cloud.size());
    }
  }
}

TEST(SharedFiles, AreRefusedForAReasonThatIsNamed) {
  BURNISH_NEEDS_DATA();
  for (const RefusedFile& file : refused_files) {
    const std::string error = error_of_reading(shared_data() / file.path);
    EXPECT_TRUE(error.starts_with((shared_data() / file.path).string() + ": ")) << error;
    EXPECT_CONTAINS(error, file.reason);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(SharedFiles, AreAllInTheTables) {
  BURNISH_NEEDS_DATA();
  std::set<std::filesystem::path> known;
  for (const FormatFacts& facts : format_facts) {
    known.insert(shared_data() / facts.path);
  }
  for (const RefusedFile& file : refused_files) {
    known.insert(shared_data() / file.path);
  }
  for (const char* folder : {"compressed", "formats", "scans"}) {
    for (const auto& path : files_below(shared_data() / folder)) {
      EXPECT_TRUE(known.contains(path)) << path;
    }
  }
}

TEST(SharedFiles, HaveThePointsTheirHeadersPromise) {
  BURNISH_NEEDS_DATA();
  for (const char* folder : {"models", "punet", "lowpoly", "anchor"}) {
    for (const auto& path : files_below(shared_data() / folder)) {
      SCOPED_TRACE(path);
      PointCloud cloud;
      ASSERT_NO_THROW(cloud = read(path));
      EXPECT_EQ(cloud.size(), promised_points(path));
    }
  }
}

TEST(SharedFiles, LasPointsComeBackByteForByte) {
  BURNISH_NEEDS_DATA();
  const TempFolder folder;
  std::size_t files = 0;
  for (const FormatFacts& facts : format_facts) {
    const std::filesystem::path path = shared_data() / facts.path;
    if (path.extension() != ".las") {
      continue;
    }
    SCOPED_TRACE(path);
    write(folder / "a.las", read(path));
    const std::string before = bytes_of(path);
    const std::string after = bytes_of(folder / "a.las");
    const std::size_t records = get<std::uint16_t>(before, 94);
    ASSERT_EQ(after.size(), before.size());
    // Counts and bounds in the header are recomputed; everything behind it is the same.
    EXPECT_TRUE(after.substr(records) == before.substr(records));
    ++files;
  }
  EXPECT_EQ(files, 33U);
}

TEST(SharedFiles, LazFilesHaveTheRecordsOfTheirLasFiles) {
  BURNISH_NEEDS_DATA();
  const TempFolder folder;
  const std::filesystem::path data = shared_data();
  const std::filesystem::path pairs = data / "compressed/laz";
  for (const auto& [compressed, plain] : std::map<std::filesystem::path, std::filesystem::path>{
           {pairs / "extra-bytes.laz", pairs / "extra-bytes.las"},
           {pairs / "format6-evlr.laz", pairs / "format6-evlr.las"},
           {pairs / "point-color.laz", pairs / "point-color.las"},
           {pairs / "point-version-1-point-wise.laz", pairs / "point-version-1-point-wise.las"},
           {pairs / "point10.laz", pairs / "point10.las"},
           {data / "formats/pdal/laszip/laszip-generated_with2bytespadding.laz",
            data / "formats/pdal/laszip/basefile.las"},
           {data / "formats/pdal/laz/simple-laszip-compressor-version-1.2r0.laz",
            data / "formats/pdal/laszip/basefile.las"}}) {
    SCOPED_TRACE(compressed);
    write(folder / "a.las", read(compressed));
    const std::string after = bytes_of(folder / "a.las");
    const std::string before = bytes_of(plain);
    const auto points = [](const std::string& las) { return las.substr(get<std::uint32_t>(las, 96)); };
    EXPECT_TRUE(points(after) == points(before));
    if (compressed.parent_path() == pairs) {
      const std::size_t records = get<std::uint16_t>(before, 94);
      EXPECT_TRUE(after.substr(records) == before.substr(records));
    }
  }
}

TEST(SharedFiles, LazPointsAreCompressedToTheBytesOfTheReference) {
  BURNISH_NEEDS_DATA();
  const TempFolder folder;
  std::size_t files = 0;
  for (const FormatFacts& facts : format_facts) {
    const std::filesystem::path path = shared_data() / facts.path;
    const std::string name = path.filename().string();
    // Not those of 2010, whose compression is read only, and not COPC, whose chunks are those of an octree.
    if (path.extension() != ".laz" || name.ends_with(".copc.laz") || name.find("version-1") != std::string::npos) {
      continue;
    }
    SCOPED_TRACE(path);
    write(folder / "a.laz", read(path));
    const std::string before = bytes_of(path);
    const std::string after = bytes_of(folder / "a.laz");
    // From the first chunk to the end of the chunk table and all behind; the record about the compression differs.
    const std::size_t begin = get<std::uint32_t>(before, 96) + 8;
    const std::size_t begin_after = get<std::uint32_t>(after, 96) + 8;
    EXPECT_TRUE(after.substr(begin_after) == before.substr(begin));
    ++files;
  }
  EXPECT_EQ(files, 8U);
}

TEST(SharedFiles, PcdPointsComeBackBitForBit) {
  BURNISH_NEEDS_DATA();
  const TempFolder folder;
  std::size_t files = 0;
  for (const FormatFacts& facts : format_facts) {
    const std::filesystem::path path = shared_data() / facts.path;
    if (path.extension() == ".pcd") {
      SCOPED_TRACE(path);
      const PointCloud cloud = read(path);
      write(folder / "a.pcd", cloud);
      const PointCloud again = read(folder / "a.pcd");
      expect_same(again, cloud);
      EXPECT_EQ(again.width, cloud.width);
      EXPECT_EQ(again.height, cloud.height);
      ++files;
    }
  }
  EXPECT_EQ(files, 18U);
}

TEST(SharedFiles, HoldWhatWasCountedByHand) {
  BURNISH_NEEDS_DATA();
  const std::map<std::string, std::pair<std::size_t, std::size_t>> points_and_attributes = {
      {"scans/superq_toy.off", {6354, 3}},      {"formats/trimesh/whitespace.off", {8, 0}},
      {"formats/pdal/pts/autzen.pts", {10, 4}}, {"formats/cgal/oni.pwn", {1435, 3}},
      {"formats/pdal/text/quoted.txt", {9, 0}}, {"formats/pdal/text/crlf_test2.txt", {10, 1}},
      {"formats/cgal/ok_1.off", {4, 0}},        {"formats/cgal/coplanar_points.xyz", {289, 3}},
      {"scans/bun045.ply", {40097, 0}},         {"formats/trimesh/points_emptyascii.ply", {12, 0}},
      {"scans/iron.ply", {85574, 1}},           {"punet/10k/clean/camel.ply", {10000, 0}},
      {"anchor/clean.ply", {55799, 0}},
  };
  for (const auto& [name, expected] : points_and_attributes) {
    SCOPED_TRACE(name);
    const PointCloud cloud = read(shared_data() / name);
    EXPECT_EQ(cloud.size(), expected.first);
    EXPECT_EQ(cloud.attributes.size(), expected.second);
  }
  EXPECT_EQ(read(shared_data() / "scans/bun045.ply").comments.at(0), "obj_info is_cyberware_data 1");
  EXPECT_EQ(read(shared_data() / "scans/bun045.ply").tables.at(0).rows, 204800U);
  // The same mesh in both byte orders.
  const PointCloud little = read(shared_data() / "formats/happly/platonic_shelf.ply");
  const PointCloud big = read(shared_data() / "formats/happly/platonic_shelf_big_endian.ply");
  EXPECT_EQ(little.positions, big.positions);
  expect_same(little.tables.at(0).columns, big.tables.at(0).columns);
}

TEST(SharedFiles, SurviveBeingWrittenAgain) {
  BURNISH_NEEDS_DATA();
  const TempFolder folder;
  for (const auto& path : all_files()) {
    SCOPED_TRACE(path);
    PointCloud cloud;
    try {
      cloud = read(path);
    } catch (const Error&) {
      continue;
    }
    write(folder / "a.ply", cloud);
    const PointCloud again = read(folder / "a.ply");
    expect_same(again.attributes, cloud.attributes);
    EXPECT_EQ(again.comments, cloud.comments);
    EXPECT_EQ(again.tables.size(), cloud.tables.size());
    ASSERT_EQ(again.size(), cloud.size());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      ASSERT_TRUE(again.positions[i] == cloud.positions[i] || !is_finite(cloud.positions[i]));
    }
  }
}

TEST(SharedFiles, DamagedFilesGiveACloudOrAnError) {
  BURNISH_NEEDS_DATA();
  const TempFolder folder;
  std::mt19937_64 random(7);
  std::size_t clouds = 0;
  std::size_t errors = 0;
  const auto try_reading = [&](const std::filesystem::path& original, const std::string& content) {
    try {
      const PointCloud cloud = read(folder.file("damaged" + original.extension().string(), content));
      for (const Column& column : cloud.attributes) {
        ASSERT_EQ(column.rows(), cloud.size());
      }
      for (const Table& table : cloud.tables) {
        for (const Column& column : table.columns) {
          ASSERT_EQ(column.rows(), table.rows);
        }
      }
      ++clouds;
    } catch (const Error& error) {
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      ++errors;
    }
  };
  for (const auto& path : all_files()) {
    SCOPED_TRACE(path);
    if (path.string().find("punet") != std::string::npos && path.string().find("camel") == std::string::npos) {
      continue;  // all alike
    }
    std::string content = bytes_of(path).substr(0, 20000);
    const auto place = [&](std::size_t size) {
      // Half of the damage goes into the first bytes, where headers are.
      return static_cast<std::size_t>(random() % (random() % 2 == 0 ? std::min<std::size_t>(size, 400) : size));
    };
    for (int i = 0; i < 40 && !content.empty(); ++i) {
      try_reading(path, content.substr(0, place(content.size())));
    }
    for (int i = 0; i < 80 && !content.empty(); ++i) {
      std::string damaged = content;
      const std::string odd("\0\n\r\"#,;-9x\xFF ", 13);
      damaged[place(content.size())] = i % 2 == 0 ? static_cast<char>(random()) : odd[random() % odd.size()];
      try_reading(path, damaged);
    }
  }
  EXPECT_GT(clouds, 100U);
  EXPECT_GT(errors, 100U);
}

}  // namespace
}  // namespace burnish
