#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "burnish/mesh.hpp"
#include "io/files.hpp"

namespace burnish {
namespace {

TEST(Off, ReadsPointsAndFaces) {
  for (const char* content :
       {"OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n4 0 1 2 3\n",
        "OFF 4 2 5\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n3 0 1 2 255 0 0\r\n4 0 1 2 3 0.5 0.5 0.5 1",
        "OFF4 2\n\n0 0 0\n\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n4 0 1 2 3\n",
        "  OFF\n4 2 0\n0 0 0 9 9 9\n1 0 0\n1 1 0\n0 1 0\n\n3 0 1 2\n4  0 1 2 3\n"}) {
    SCOPED_TRACE(content);
    const PointCloud cloud = read_content("a.off", content);
    ASSERT_EQ(cloud.size(), 4U);
    EXPECT_EQ(cloud.positions[2], Vec3(1, 1, 0));
    EXPECT_TRUE(cloud.attributes.empty());
    ASSERT_EQ(cloud.tables.size(), 1U);
    EXPECT_EQ(cloud.tables[0].name, "face");
    EXPECT_EQ(cloud.tables[0].rows, 2U);
    Column expected = make_column("vertex_indices", std::vector<std::int32_t>{0, 1, 2, 0, 1, 2, 3});
    expected.is_list = true;
    expected.list_ends = {3, 7};
    expect_same(cloud.tables[0].columns.at(0), expected);
    EXPECT_EQ(mesh_of(cloud).triangles.size(), 3U);
  }
}

TEST(Off, KeepsColoursNormalsAndComments) {
  PointCloud cloud =
      read_content("a.off", "# first\nCOFF # second\n2 0 0\n0 0 0 255 128 0 255\n1 0 0 1 2 3 4 # third\n");
  EXPECT_EQ(cloud.comments, (std::vector<std::string>{"first", "second", "third"}));
  EXPECT_TRUE(cloud.tables.empty());
  expect_same(
      cloud.attributes,
      {make_column("red", std::vector<std::uint8_t>{255, 1}), make_column("green", std::vector<std::uint8_t>{128, 2}),
       make_column("blue", std::vector<std::uint8_t>{0, 3}), make_column("alpha", std::vector<std::uint8_t>{255, 4})});
  // Colours that the first line does not announce.
  cloud = read_content("a.off", "OFF\n2 0 0\n0 0 0 255 128 0\n1 0 0 1 2 3\n");
  expect_same(cloud.attributes, {make_column("red", std::vector<std::uint8_t>{255, 1}),
                                 make_column("green", std::vector<std::uint8_t>{128, 2}),
                                 make_column("blue", std::vector<std::uint8_t>{0, 3})});
  // Not even the first word.
  for (const char* counts : {"2 0 0", "# points\n2 0"}) {
    cloud = read_content("a.off", std::string(counts) + "\n0 0 0 255 128 0 255\n1 0 0 1 2 3 4\n");
    ASSERT_EQ(cloud.size(), 2U) << counts;
    EXPECT_EQ(cloud.positions[1], Vec3(1, 0, 0));
    expect_same(cloud.attributes, {make_column("red", std::vector<std::uint8_t>{255, 1}),
                                   make_column("green", std::vector<std::uint8_t>{128, 2}),
                                   make_column("blue", std::vector<std::uint8_t>{0, 3}),
                                   make_column("alpha", std::vector<std::uint8_t>{255, 4})});
  }
  EXPECT_EQ(read_content("a.xyz", "2 0 0\n0 0 0\n1 0 0\n").size(), 3U);
  cloud = read_content("a.off", "STCNOFF\n1 0 0\n0 0 0 0 0 1 0.5 0 1 0.25 0.75\n");
  expect_same(cloud.attributes,
              {make_column("nx", std::vector<double>{0}), make_column("ny", std::vector<double>{0}),
               make_column("nz", std::vector<double>{1}), make_column("red", std::vector<double>{0.5}),
               make_column("green", std::vector<double>{0}), make_column("blue", std::vector<double>{1}),
               make_column("s", std::vector<double>{0.25}), make_column("t", std::vector<double>{0.75})});
}

TEST(Off, RefusesWhatIsNotSoWithOneClearLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"OFF", "line 1: the file ends before the number of vertices"},
      {"OFF\n-4 0 0\n", "line 2: found \"-4\", expected the number of vertices"},
      {"OFF\n4\n", "line 2: the line ends before the number of faces"},
      {"OFF\n353535235358 6 0\n0 0 0\n", "line 2: 353535235358 vertices and 6 faces are more than"},
      {"OFF\n1 99999999999 0\n0 0 0\n", "more than a file of that size can hold"},
      {"OFF\n2 0 0\n0 0 0.000000\n", "the file ends after 1 of 2 vertices"},
      {"OFF\n1 0 0\n0 0\n  ", "line 3: the line ends before a coordinate"},
      {"OFF\n1 1 0\n0 0 0\n3 0 0\n", "line 4: the line ends before the index of a vertex"},
      {"OFF\n1 1 0\n0 0 0\n-3 0 0\n", "line 4: found \"-3\", expected the number of corners"},
      {"OFF\n1 1 0\n0 0 0\n4000000000 0 0\n", "line 4: the line ends before the index of a vertex"},
      {"OFF\n1 1 0\n0 0 0\n1 5000000000\n", "line 4: found \"5000000000\""},
      {"OFF\n1 2 0\n0 0 0\n1 0\n", "the file ends after 1 of 2 faces"},
      {"OFF BINARY\n", "found OFF BINARY"},
      {"4OFF\n1 0 0\n0 0 0 1\n", "found 4OFF"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.off", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace burnish
