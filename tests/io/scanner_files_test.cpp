#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/files.hpp"

// Formats of scanners: PTS, PTX, KITTI.

namespace burnish {
namespace {

TEST(Pts, NamesItsColumns) {
  PointCloud cloud = read_content("a.pts", "2\n1 2 3 -1613 52 70 64\n4 5 6 10 0 255 1\n");
  ASSERT_EQ(cloud.size(), 2U);
  expect_same(cloud.attributes, {make_column("intensity", std::vector<std::int32_t>{-1613, 10}),
                                 make_column("red", std::vector<std::uint8_t>{52, 0}),
                                 make_column("green", std::vector<std::uint8_t>{70, 255}),
                                 make_column("blue", std::vector<std::uint8_t>{64, 1})});
  const TempFolder folder;
  write(folder / "a.pts", cloud);
  EXPECT_EQ(bytes_of(folder / "a.pts"), "2\n1 2 3 -1613 52 70 64\n4 5 6 10 0 255 1\n");
  expect_same(read(folder / "a.pts"), cloud);
  EXPECT_EQ(read_content("a.pts", "1\n1 2 3 0.5\n").attributes.at(0).name, "intensity");
  EXPECT_EQ(read_content("a.pts", "1\n1 2 3 4 5 6\n").attributes.at(0).name, "red");
  EXPECT_EQ(read_content("a.pts", "1\n1 2 3 4 5\n").attributes.at(0).name, "column4");
  EXPECT_EQ(read_content("a.xyz", "1\n1 2 3 4\n").attributes.at(0).name, "column4");
  EXPECT_CONTAINS(error_of_content("a.pts", "3\n1 2 3\n"), "declares 3 points and ends after 1");
}

const std::string pose = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";

TEST(Ptx, AppliesTheTransformationAndKeepsThePlaceOfWhatIsMissing) {
  const std::string scan = "2\n3\n" + pose +
                           "0 1 0 0\n-1 0 0 0\n0 0 2 0\n10 20 30 1\n1 0 0 0.5\n0 0 0 0.5\n0 1 0 0.25\n0 0 1 1\n"
                           "1 1 1 0\n2 2 2 0\n";
  const PointCloud cloud = read_content("a.ptx", scan);
  ASSERT_EQ(cloud.size(), 6U);
  EXPECT_EQ(cloud.width, 3U);
  EXPECT_EQ(cloud.height, 2U);
  EXPECT_EQ(cloud.positions[0], Vec3(10, 21, 30));
  EXPECT_TRUE(std::isnan(cloud.positions[1].x()));
  EXPECT_EQ(cloud.positions[2], Vec3(9, 20, 30));
  EXPECT_EQ(cloud.positions[3], Vec3(10, 20, 32));
  ASSERT_EQ(cloud.attributes.size(), 1U);
  expect_same(cloud.attributes[0], make_column("intensity", std::vector<double>{0.5, 0.5, 0.25, 1, 0, 0}));
  EXPECT_EQ(cloud.comments, std::vector<std::string>{"PTX scan of 2 columns and 3 rows, scanner at 0 0 0"});

  const std::string identity = "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n";
  const PointCloud two =
      read_content("a.xyz", "1\n2\n" + pose + identity + "1 2 3 0.5 1 2 255\n4 5 6 0.5 7 8 9\n" + scan);
  ASSERT_EQ(two.size(), 8U);
  EXPECT_EQ(two.height, 0U);
  ASSERT_EQ(two.attributes.size(), 5U);
  expect_same(two.attributes[1], make_column("red", std::vector<std::uint8_t>{1, 7, 0, 0, 0, 0, 0, 0}));
  expect_same(two.attributes[4], make_column("scan", std::vector<std::int32_t>{0, 0, 1, 1, 1, 1, 1, 1}));
}

TEST(Ptx, WritesOneScan) {
  const TempFolder folder;
  PointCloud cloud;
  const Vec3 missing = Vec3::Constant(std::nan(""));
  cloud.positions = {{0.1, 2, 3}, missing, {-4e9, 5, 1e-20}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  cloud.attributes = {make_column("intensity", std::vector<double>{0, 0.5, 0.1, 1, 0, 0}),
                      make_column("red", std::vector<std::uint8_t>{1, 2, 3, 4, 5, 255}),
                      make_column("green", std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}),
                      make_column("blue", std::vector<std::uint8_t>{0, 2, 3, 4, 5, 6})};
  cloud.comments = {"PTX scan of 2 columns and 3 rows, scanner at 0 0 0"};
  cloud.width = 3;
  cloud.height = 2;
  write(folder / "a.ptx", cloud);
  const PointCloud again = read(folder / "a.ptx");
  expect_same(again, cloud);
  EXPECT_EQ(again.width, 3U);
  EXPECT_EQ(again.height, 2U);

  // Colour alone: the strength of the echo, which comes before it, is 0.
  cloud.attributes.erase(cloud.attributes.begin());
  write(folder / "a.ptx", cloud);
  EXPECT_EQ(read(folder / "a.ptx").find_attribute("intensity")->values, Values(std::vector<double>(6, 0.0)));
  expect_same(*read(folder / "a.ptx").find_attribute("red"), cloud.attributes[0]);

  cloud.positions[3] = Vec3::Zero();
  EXPECT_EQ(fit_to_format("a.ptx", cloud),
            (std::vector<std::string>{"1 comment",
                                      "the coordinates of 1 point at 0 0 0 or not finite: they count as missing"}));
  EXPECT_TRUE(std::isnan(cloud.positions[3].x()));
  EXPECT_THROW(write(folder / "b.ptx", PointCloud()), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "b.ptx"));
}

TEST(Ptx, RefusesWhatIsNotSoWithOneClearLine) {
  const std::string identity = "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"2\n2\n", "the file ends before the place of the scanner"},
      {"2\n2\n0 0 0\n", "the file ends before an axis of the scanner"},
      {"2\n2\n" + pose + "1 0 0 x\n", "line 7: found \"x\", expected a row of the transformation"},
      {"99999999\n99999999\n" + pose + identity + "1 2 3 4\n", "more than a file of that size can hold"},
      {"0\n2\n" + pose + identity, "line 1: found \"0\", expected the number of columns"},
      {"1\n2\n" + pose + identity + "1 2 3 0.50000\n", "the file ends after 1 of 2 points of a scan"},
      {"1\n1\n" + pose + identity + "1 2      \n", "line 11: the line ends before a coordinate"},
      {"1\n1\n" + pose + identity + "1 2 3 0\n1 2 3 0\n", "line 12: found \"1 2 3 0\", expected the number of columns"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.ptx", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

TEST(Kitti, IsFourFloatsAPoint) {
  const std::vector<float> numbers = {1, 2, 3, 0.25F, -4.5F, 5e-3F, 60, 0.99F};
  const std::string bytes(reinterpret_cast<const char*>(numbers.data()), 32);
  const PointCloud cloud = read_content("000000.bin", bytes);
  ASSERT_EQ(cloud.size(), 2U);
  EXPECT_EQ(cloud.positions[1], Vec3(-4.5, 5e-3F, 60));
  EXPECT_EQ(cloud.position_type, ScalarType::float32);
  expect_same(cloud.attributes.at(0), make_column("intensity", std::vector<float>{0.25F, 0.99F}));
  const TempFolder folder;
  write(folder / "a.bin", cloud);
  EXPECT_EQ(bytes_of(folder / "a.bin"), bytes);
  EXPECT_CONTAINS(error_of_content("a.bin", bytes.substr(0, 31)), "has 31 bytes, no multiple of 16");
  EXPECT_CONTAINS(error_of_content("a.bin", bytes + std::string(16, '\x7A')), "of no known kind");
  EXPECT_CONTAINS(error_of_content("a.xyz", bytes), "of no known kind");
  EXPECT_EQ(read_content("a.bin", "1 2 3\n4 5 6 \n\n\n\n").size(), 2U);  // text is text
}

}  // namespace
}  // namespace burnish
