#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io/files.hpp"
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
  for (const char* folder : {"formats", "models", "punet", "scans", "lowpoly", "anchor"}) {
    const auto found = files_below(shared_data() / folder);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// What a PLY or OFF header says, found by nothing but looking for the words.
std::size_t promised_points(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string word;
  std::size_t count = 0;
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

TEST(SharedFiles, AreReadOrRefusedAsTheyShould) {
  BURNISH_NEEDS_DATA();
  const std::set<std::string> broken = {
      "ant-half.ply",         "invalid_nv.ply", "binary_cut.ply", "issue623.ply",  "sized_dims.ply", "unsized_dims.ply",
      "ply_empty_header.ply", "bug_2.xyz",      "ok_2.xyz",       "badheader.txt", "text.txt",       "empty.off",
      "OutOfMemory.off"};
  const std::set<std::string> readable = {".ply", ".off", ".xyz", ".pwn", ".pts", ".txt"};
  for (const auto& path : all_files()) {
    SCOPED_TRACE(path);
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (broken.contains(path.filename().string()) || !readable.contains(ending)) {
      const std::string error = error_of_reading(path);
      EXPECT_TRUE(error.starts_with(path.string() + ": ")) << error;
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
      continue;
    }
    PointCloud cloud;
    ASSERT_NO_THROW(cloud = read(path));
    if (ending == ".ply" ||
        (ending == ".off" && path.filename() != "superq_toy.off" && path.filename() != "whitespace.off")) {
      EXPECT_EQ(cloud.size(), promised_points(path));
    } else {
      EXPECT_GT(cloud.size(), 0U);
    }
    for (const Column& column : cloud.attributes) {
      EXPECT_EQ(column.rows(), cloud.size());
    }
  }
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
