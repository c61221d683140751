#include "burnish/mesh.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "burnish/error.hpp"

namespace burnish {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// Six points and a table "face" with these lists.
template <class T>
PointCloud cloud_with_faces(std::vector<T> indices, std::vector<std::size_t> ends,
                            const std::string& column_name = "vertex_indices") {
  PointCloud cloud;
  for (int i = 0; i < 6; ++i) {
    cloud.positions.emplace_back(i, i * i, 1);
  }
  Column column{column_name, std::move(indices), std::move(ends)};
  column.is_list = true;
  Table table{"face", column.rows(), {std::move(column)}};
  cloud.tables.push_back(std::move(table));
  return cloud;
}

TEST(MeshOf, CutsPolygonsIntoFans) {
  const PointCloud cloud = cloud_with_faces<std::int32_t>({0, 1, 2, 5, 4, 3, 2, 1}, {3, 8});
  const TriangleMesh mesh = mesh_of(cloud);
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {5, 4, 3}, {5, 3, 2}, {5, 2, 1}}));
  EXPECT_EQ(mesh.vertices, cloud.positions);
}

TEST(MeshOf, LeavesOutFacesThatAreNone) {
  const TriangleMesh mesh = mesh_of(cloud_with_faces<std::int32_t>({0, 1, 3, 4, 5, 2}, {0, 1, 3, 6}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{4, 5, 2}}));
}

template <class T>
class MeshOfIndexType : public testing::Test {};
using IndexTypes = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                  std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(MeshOfIndexType, IndexTypes);

TYPED_TEST(MeshOfIndexType, IsRead) {
  const TriangleMesh mesh = mesh_of(cloud_with_faces<TypeParam>({5, 0, 2}, {3}, "vertex_index"));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{5, 0, 2}}));
}

TYPED_TEST(MeshOfIndexType, IsCheckedAgainstTheVertices) {
  EXPECT_THROW((void)mesh_of(cloud_with_faces<TypeParam>({5, 0, 6}, {3})), Error);
  EXPECT_THROW((void)mesh_of(cloud_with_faces<TypeParam>({5, std::numeric_limits<TypeParam>::max(), 1}, {3})), Error);
  if (std::is_signed_v<TypeParam>) {
    EXPECT_THROW((void)mesh_of(cloud_with_faces<TypeParam>({static_cast<TypeParam>(-1), 0, 1}, {3})), Error);
  }
}

TEST(MeshOf, NamesTheFaceAndTheVertex) {
  try {
    (void)mesh_of(cloud_with_faces<std::int32_t>({0, 1, 2, 3, 4, 77}, {3, 6}));
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("face 1"), std::string::npos) << message;
    EXPECT_NE(message.find("77"), std::string::npos) << message;
    EXPECT_NE(message.find("6 vertices"), std::string::npos) << message;
  }
}

TEST(MeshOf, RefusesIndicesThatAreNotNumbers) {
  EXPECT_THROW((void)mesh_of(cloud_with_faces<double>({0, 1, std::numeric_limits<double>::quiet_NaN()}, {3})), Error);
}

TEST(MeshOf, HasNoTrianglesWithoutFaces) {
  PointCloud cloud = cloud_with_faces<std::int32_t>({}, {});
  EXPECT_TRUE(mesh_of(cloud).triangles.empty());
  cloud = cloud_with_faces<std::int32_t>({0, 1, 2}, {3}, "colours");
  EXPECT_TRUE(mesh_of(cloud).triangles.empty());
  cloud = cloud_with_faces<std::int32_t>({0, 1, 2}, {3});
  cloud.tables[0].name = "edge";
  EXPECT_TRUE(mesh_of(cloud).triangles.empty());
  EXPECT_TRUE(mesh_of(PointCloud{}).triangles.empty());
}

}  // namespace
}  // namespace burnish
