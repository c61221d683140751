#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "io/files.hpp"

namespace burnish {
namespace {

using Notes = std::vector<std::string>;

/// A cloud with one of everything.
PointCloud full_cloud() {
  PointCloud cloud;
  cloud.positions = {{1, 2, 3}, {4, std::nan(""), 6}, {7, 8, 9.1}, {0, 0, 0}};
  Column equal = make_column("equal", std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  equal.is_list = true;
  equal.list_ends = {2, 4, 6, 8};
  Column unequal = make_column("unequal", std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  unequal.is_list = true;
  unequal.list_ends = {0, 4, 6, 8};
  cloud.attributes = {make_column("intensity", std::vector<float>{1, 2, 3, 4}),
                      make_column("red", std::vector<std::uint8_t>{1, 2, 3, 4}),
                      make_column("green", std::vector<std::uint8_t>{1, 2, 3, 4}),
                      make_column("blue", std::vector<std::uint8_t>{1, 2, 3, 4}),
                      make_column("nx", std::vector<float>{1, 2, 3, 4}),
                      make_column("text", std::vector<std::string>{"a", "b", "c", "d"}),
                      equal,
                      unequal};
  Column corners = make_column("vertex_indices", std::vector<std::int32_t>{0, 2, 3});
  corners.is_list = true;
  corners.list_ends = {3};
  cloud.tables = {{"face", 1, {corners, make_column("flags", std::vector<int>{1})}}, {"edge", 0, {}}};
  cloud.comments = {"one"};
  cloud.width = 2;
  cloud.height = 2;
  return cloud;
}

TEST(Fitting, ReportsWhatEachFormatCannotHold) {
  const TempFolder folder;
  const std::string unequal = "the list column \"unequal\"";
  const std::string equal = "the list column \"equal\"";
  const std::string text = "the text column \"text\"";
  const std::string face = "the table \"face\"";
  const std::string edge = "the table \"edge\"";
  const std::string rows = "that the points are 2 rows of 2";
  const std::vector<std::pair<std::string, Notes>> cases = {
      {"a.ply", {text, rows}},
      {"a.csv", {equal, unequal, face, edge, rows}},
      {"a.xyz", {equal, unequal, face, edge, rows}},
      {"a.pcd", {text, unequal, face, edge}},
      {"a.npy", {text, unequal, face, edge, "1 comment"}},
      {"a.las", {text, unequal, face, edge, "1 comment", rows, "1 point whose coordinates are not finite"}},
      {"a.pts", {"the column \"nx\"", text, equal, unequal, face, edge, "1 comment", rows}},
      {"a.ptx",
       {"the column \"nx\"", text, equal, unequal, face, edge, "1 comment",
        "the coordinates of 2 points at 0 0 0 or not finite: they count as missing"}},
      {"a.npz", {text, unequal, face, edge, "1 comment"}},
      {"a.stl",
       {"the column \"intensity\"", "the column \"red\"", "the column \"green\"", "the column \"blue\"",
        "the column \"nx\"", text, equal, unequal, "the column \"flags\" of table \"face\"", edge, "1 comment", rows,
        "1 point at no corner of a triangle", "the digits of coordinates beyond those of a float"}},
      {"a.obj",
       {"the column \"intensity\"", "the column \"nx\"", text, equal, unequal, "the column \"flags\" of table \"face\"",
        edge, rows}},
      {"a.off",
       {"the column \"intensity\"", "the column \"nx\"", text, equal, unequal, "the column \"flags\" of table \"face\"",
        edge, rows}},
      {"a.bin",
       {"the column \"red\"", "the column \"green\"", "the column \"blue\"", "the column \"nx\"", text, equal, unequal,
        face, edge, "1 comment", rows, "the digits of coordinates beyond those of a float"}},
  };
  for (const auto& [name, expected] : cases) {
    SCOPED_TRACE(name);
    PointCloud cloud = full_cloud();
    EXPECT_EQ(fit_to_format(folder / name, cloud), expected);
    write(folder / name, cloud);
    PointCloud again = read(folder / name);
    EXPECT_EQ(again.size(), name == "a.las" || name == "a.stl" ? 3U : 4U);
    for (const Column& column : again.attributes) {
      EXPECT_EQ(column.rows(), again.size());
    }
    EXPECT_EQ(fit_to_format(folder / name, cloud), Notes());  // nothing more
  }
}

TEST(Fitting, TakesRowsOutOfEveryColumnTogether) {
  PointCloud cloud = full_cloud();
  EXPECT_FALSE(fit_to_format("a.las", cloud).empty());
  EXPECT_EQ(cloud.size(), 3U);
  expect_same(cloud.attributes[0], make_column("intensity", std::vector<float>{1, 3, 4}));
  EXPECT_EQ(std::get<std::vector<float>>(cloud.attributes[5].values), (std::vector<float>{1, 2, 5, 6, 7, 8}));
  EXPECT_EQ(cloud.attributes[5].list_ends, (std::vector<std::size_t>{2, 4, 6}));
}

TEST(Fitting, WhatFormatsShareSurvivesAChain) {
  const TempFolder folder;
  PointCloud cloud;
  for (int i = 0; i < 50; ++i) {
    cloud.positions.emplace_back(0.001 * i, 500000 + 0.01 * i, -i);
  }
  cloud.attributes = {make_column("classification", std::vector<std::uint8_t>(50, 6)),
                      make_column("gps_time", std::vector<double>(50, 1e9 + 0.1)),
                      make_column("curvature", std::vector<float>(50, 0.1F)),
                      make_column("number", std::vector<std::int64_t>(50, 1LL << 40)),
                      make_column("scan_angle", std::vector<std::int16_t>(50, -300))};
  write(folder / "a.ply", cloud);
  const std::vector<std::string> names = {"a.ply", "b.las", "c.pcd", "d.npy", "e.ply"};
  for (std::size_t i = 1; i < names.size(); ++i) {
    PointCloud step = read(folder / names[i - 1]);
    (void)fit_to_format(folder / names[i], step);
    write(folder / names[i], step);
  }
  const PointCloud result = read(folder / "e.ply");
  ASSERT_EQ(result.size(), cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    EXPECT_LT((result.positions[i] - cloud.positions[i]).norm(), 1e-8);
  }
  for (const Column& column : cloud.attributes) {
    ASSERT_NE(result.find_attribute(column.name), nullptr);
    expect_same(*result.find_attribute(column.name), column);
  }
}

}  // namespace
}  // namespace burnish
