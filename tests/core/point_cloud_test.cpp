#include "burnish/point_cloud.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <variant>

#include "burnish/mesh.hpp"

namespace burnish {
namespace {

TEST(Column, HasOneRowAValue) {
  EXPECT_EQ(Column{}.rows(), 0U);
  EXPECT_EQ((Column{"a", std::vector<std::uint8_t>{1, 2, 3}, {}}.rows()), 3U);
  EXPECT_EQ((Column{"a", std::vector<std::string>{"x", "y"}, {}}.rows()), 2U);
}

TEST(Column, HasOneRowAListEvenIfListsAreEmpty) {
  Column column{"faces", std::vector<std::int32_t>{0, 1, 2}, {0, 3, 3, 3}};
  column.is_list = true;
  EXPECT_EQ(column.rows(), 4U);
  column.list_ends.clear();
  EXPECT_EQ(column.rows(), 0U) << "a list column without rows";
}

TEST(Column, KnowsItsType) {
  const auto type_of = []<class T>(T) { return Column{"", std::vector<T>{}, {}}.type(); };
  EXPECT_EQ(type_of(std::int8_t{}), ScalarType::int8);
  EXPECT_EQ(type_of(std::uint8_t{}), ScalarType::uint8);
  EXPECT_EQ(type_of(std::int16_t{}), ScalarType::int16);
  EXPECT_EQ(type_of(std::uint16_t{}), ScalarType::uint16);
  EXPECT_EQ(type_of(std::int32_t{}), ScalarType::int32);
  EXPECT_EQ(type_of(std::uint32_t{}), ScalarType::uint32);
  EXPECT_EQ(type_of(std::int64_t{}), ScalarType::int64);
  EXPECT_EQ(type_of(std::uint64_t{}), ScalarType::uint64);
  EXPECT_EQ(type_of(float{}), ScalarType::float32);
  EXPECT_EQ(type_of(double{}), ScalarType::float64);
  EXPECT_EQ(type_of(std::string{}), ScalarType::text);
}

TEST(PointCloud, FindsAttributesByTheirWholeName) {
  PointCloud cloud;
  EXPECT_EQ(cloud.find_attribute("red"), nullptr);
  cloud.attributes.push_back({"nx", std::vector<float>{1.0F}, {}});
  cloud.attributes.push_back({"red", std::vector<std::uint8_t>{9}, {}});
  EXPECT_EQ(cloud.find_attribute("red"), &cloud.attributes[1]);
  EXPECT_EQ(cloud.find_attribute("re"), nullptr);
  EXPECT_EQ(cloud.find_attribute("Red"), nullptr);
  EXPECT_EQ(cloud.find_attribute(""), nullptr);
}

TEST(PointCloud, PointsAreFiniteIfAllThreeCoordinatesAre) {
  EXPECT_TRUE(is_finite({0.0, -1e300, 1e-300}));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(is_finite({bad, 0, 0}));
    EXPECT_FALSE(is_finite({0, bad, 0}));
    EXPECT_FALSE(is_finite({0, 0, bad}));
  }
}

TEST(PointCloud, KnowsItsNormals) {
  PointCloud cloud;
  cloud.positions.assign(2, Vec3::Zero());
  EXPECT_TRUE(normals_of(cloud).empty());
  cloud.attributes = {{"nx", std::vector<float>{0.5F, 1.0F}, {}}, {"ny", std::vector<std::int8_t>{-1, 0}, {}}};
  EXPECT_TRUE(normals_of(cloud).empty()) << "nz is missing";
  cloud.attributes.push_back({"nz", std::vector<std::string>{"a", "b"}, {}});
  EXPECT_TRUE(normals_of(cloud).empty()) << "no numbers";
  cloud.attributes.back() = {"nz", std::vector<double>{2.0, 3.0}, {}};
  EXPECT_EQ(normals_of(cloud), (std::vector<Vec3>{{0.5, -1, 2}, {1, 0, 3}}));
  for (Column& column : cloud.attributes) {
    column.name = "normal_" + column.name.substr(1);
  }
  EXPECT_EQ(normals_of(cloud).size(), 2U);
}

TEST(KeepPoints, TakesOutRowsAndWholeFaces) {
  PointCloud cloud;
  cloud.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)};
  cloud.width = 2;
  cloud.height = 2;
  Column lists{"tags", std::vector<std::uint8_t>{1, 2, 2, 4, 4, 4}, {1, 3, 3, 6}};
  lists.is_list = true;
  cloud.attributes = {Column{"name", std::vector<std::string>{"a", "b", "c", "d"}, {}}, lists};
  Column corners{"vertex_indices", std::vector<std::int32_t>{0, 1, 2, 0, 2, 3, 3, 2}, {3, 6, 8}};
  corners.is_list = true;
  cloud.tables = {{"face", 3, {corners, Column{"quality", std::vector<float>{1, 2, 3}, {}}}}};

  keep_points(cloud, {true, false, true, true});
  EXPECT_EQ(cloud.positions, (std::vector<Vec3>{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)}));
  EXPECT_EQ(cloud.width + cloud.height, 0U);
  EXPECT_EQ(cloud.attributes[0].values, Values(std::vector<std::string>{"a", "c", "d"}));
  EXPECT_EQ(cloud.attributes[1].values, Values(std::vector<std::uint8_t>{1, 4, 4, 4}));
  EXPECT_EQ(cloud.attributes[1].list_ends, (std::vector<std::size_t>{1, 1, 4}));
  EXPECT_EQ(cloud.tables[0].rows, 2U);
  EXPECT_EQ(cloud.tables[0].columns[0].values, Values(std::vector<std::int32_t>{0, 1, 2, 2, 1}));
  EXPECT_EQ(cloud.tables[0].columns[0].list_ends, (std::vector<std::size_t>{3, 5}));
  EXPECT_EQ(cloud.tables[0].columns[1].values, Values(std::vector<float>{2, 3}));
}

TEST(KeepPoints, RecountsCornersWhateverTheirType) {
  PointCloud cloud;
  cloud.positions.assign(4, Vec3::Zero());
  for (const Values& values : {Values(std::vector<float>{1, 2, 3, 2, 3, 9, 0, 2, 3}),
                               Values(std::vector<std::int8_t>{1, 2, 3, 2, 3, -1, 0, 2, 3})}) {
    PointCloud part = cloud;
    Column corners{"vertex_index", values, {3, 6, 9}};
    corners.is_list = true;
    part.tables = {{"face", 3, {corners}}};
    keep_points(part, {false, true, true, true});
    EXPECT_EQ(part.tables[0].rows, 1U);
    EXPECT_EQ(mesh_of(part).triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}}));
  }
}

TEST(KeepPoints, LeavesACloudAsItIsIfAllStay) {
  PointCloud cloud;
  cloud.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
  cloud.width = 2;
  cloud.height = 1;
  keep_points(cloud, {true, true});
  EXPECT_EQ(cloud.size(), 2U);
  EXPECT_EQ(cloud.width, 2U);
}

}  // namespace
}  // namespace burnish
