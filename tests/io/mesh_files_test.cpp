#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "burnish/mesh.hpp"
#include "io/files.hpp"

// OBJ and STL.

namespace burnish {
namespace {

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

Column faces(std::vector<std::int32_t> corners, std::vector<std::size_t> ends) {
  Column column = make_column("vertex_indices", std::move(corners));
  column.is_list = true;
  column.list_ends = std::move(ends);
  return column;
}

TEST(Obj, ReadsPointsFacesColoursAndNormals) {
  const PointCloud cloud = read_content("a.obj",
                                        "# hello\nmtllib a.mtl\no thing\nvn 0 0 1\nv 0 0 0 255 0 0\nv 1 0 0 0 255 7\n"
                                        "vn 0 1 0\nv 1 1 0 1 2 3\nvn 1 0 0\nvt 0 1\ng a f b\nusemtl x\ns off\n"
                                        "f 1//1 2//2 3//3\nf -3/1/-3 -2/1/-2 \\\n -1/1/-1\nl 1 2\n");
  ASSERT_EQ(cloud.size(), 3U);
  EXPECT_EQ(cloud.positions[2], Vec3(1, 1, 0));
  EXPECT_EQ(cloud.comments, std::vector<std::string>{"hello"});
  expect_same(
      cloud.attributes,
      {make_column("nx", std::vector<double>{0, 0, 1}), make_column("ny", std::vector<double>{0, 1, 0}),
       make_column("nz", std::vector<double>{1, 0, 0}), make_column("red", std::vector<std::uint8_t>{255, 0, 1}),
       make_column("green", std::vector<std::uint8_t>{0, 255, 2}),
       make_column("blue", std::vector<std::uint8_t>{0, 7, 3})});
  ASSERT_EQ(cloud.tables.size(), 1U);
  expect_same(cloud.tables[0].columns.at(0), faces({0, 1, 2, 0, 1, 2}, {3, 6}));
  EXPECT_EQ(mesh_of(cloud).triangles.size(), 2U);
}

TEST(Obj, TakesNormalsOnlyWhereEachPointHasItsOwn) {
  EXPECT_TRUE(read_content("a.obj", "v 0 0 0\nv 1 0 0\nvn 0 0 1\n").attributes.empty());
  EXPECT_TRUE(read_content("a.obj", "v 0 0 0\nv 1 0 0\nvn 0 0 1\nvn 0 1 0\nf 1//2 2//1\n").attributes.empty());
  EXPECT_EQ(read_content("a.obj", "v 0 0 0\nvn 0 0 1\n").attributes.size(), 3U);
  // A fourth number is a weight; normals that are not there are not asked for.
  EXPECT_TRUE(read_content("a.obj", "v 0 0 0 1\nv 1 0 0 1\nv 1 1 0 1\nf 1//1 2//2 3//3\n").attributes.empty());
}

TEST(Obj, GivesBackWhatWasWritten) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.positions = {{0.1, 1e-20, -3}, {1, 2, 3}, {4, 5, 6}};
  cloud.attributes = {make_column("nx", std::vector<double>{0, 0.25, 1}),
                      make_column("ny", std::vector<double>{0, 0.5, 0}),
                      make_column("nz", std::vector<double>{1, 0, 0.1})};
  cloud.tables.push_back({"face", 2, {faces({0, 1, 2, 2, 1, 0}, {3, 6})}});
  cloud.comments = {"two", "lines"};
  for (const char* name : {"a.obj", "a.off"}) {
    write(folder / name, cloud);
    expect_same(read(folder / name), cloud);
  }
  // Colours are parts of one in OBJ, bytes in OFF.
  const std::vector<Column> colours = {make_column("red", std::vector<std::uint8_t>{255, 0, 51}),
                                       make_column("green", std::vector<std::uint8_t>{255, 0, 51}),
                                       make_column("blue", std::vector<std::uint8_t>{255, 0, 51})};
  cloud.attributes.insert(cloud.attributes.end(), colours.begin(), colours.end());
  write(folder / "a.off", cloud);
  expect_same(read(folder / "a.off"), cloud);
  write(folder / "a.obj", cloud);
  EXPECT_CONTAINS(bytes_of(folder / "a.obj"), "v 4 5 6 0.2 0.2 0.2\n");
}

TEST(Obj, RefusesWhatIsNotSoWithOneClearLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"v 1 2\n", "line 1: the line ends before a coordinate"},
      {"v 1 2 3.1+e2\n", "line 1: found \"3.1+e2\", expected a coordinate"},
      {"v 1 2 3\nf 1 2 3\n", "a face refers to vertex 2, but there are only 1"},
      {"v 1 2 3\nf 0\n", "line 2: found \"0\", expected the number of a vertex"},
      {"v 1 2 3\nf -2\n", "line 2: found \"-2\", but the number of vertices before it is 1"},
      {"v 1 2 3\nf 99999999999\n", "line 2: found \"99999999999\""},
      {"v 1 2 3\nf a/b\n", "line 2: found \"a\""},
      {"# nothing here\n", "the file holds no points"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.obj", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

std::string stl_triangle(const std::vector<float>& numbers, std::uint16_t attribute) {
  std::string bytes;
  for (const float number : numbers) {
    bytes += raw(number);
  }
  return bytes + raw(attribute);
}

TEST(MeshFiles, LeaveOutFacesWhoseCornersAreNoPoints) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  cloud.tables = {{"face", 3, {faces({0, 1, 3, 0, 1, 2, -1, 1, 2}, {3, 6, 9})}}};
  for (const char* name : {"a.off", "a.obj"}) {
    PointCloud fitted = cloud;
    EXPECT_EQ(fit_to_format(folder / name, fitted),
              std::vector<std::string>{"2 faces with corners that are not points"});
    write(folder / name, fitted);
    const TriangleMesh mesh = mesh_of(read(folder / name));
    ASSERT_EQ(mesh.triangles.size(), 1U);
    EXPECT_EQ(mesh.triangles[0], (std::array<std::uint32_t, 3>{0, 1, 2}));
  }
}

TEST(Stl, MergesCornersExactlyInTextAndBinary) {
  const std::string binary = stl_triangle({0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0}, 0) +
                             stl_triangle({0, 0, 1, -0.0F, 0, 0, 1, 1, 0, 0, 1.0000001F, 0}, 0);
  const std::string start = std::string("solid but binary").append(64, ' ');  // the trap
  const std::string text =
      "solid name\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 1 1 0\n  endloop\n"
      " endfacet\n FACET NORMAL 0 0 1\n  OUTER LOOP\n   VERTEX -0 0 0\n   VERTEX 1.0 1e0 0\n   VERTEX 0 1.0000001 0\n"
      "  ENDLOOP\n ENDFACET\nendsolid name\n";
  for (const std::string& content : {start + raw(2U) + binary, std::string(80, '\0') + raw(2U) + binary, text}) {
    const PointCloud cloud = read_content("a.stl", content);
    ASSERT_EQ(cloud.size(), 4U);
    EXPECT_EQ(cloud.positions[3], Vec3(0, 1.0000001F, 0));
    EXPECT_EQ(cloud.position_type, ScalarType::float32);
    ASSERT_EQ(cloud.tables.size(), 1U);
    ASSERT_EQ(cloud.tables[0].columns.size(), 4U);
    expect_same(cloud.tables[0].columns[0], faces({0, 1, 2, 0, 2, 3}, {3, 6}));
    expect_same(cloud.tables[0].columns[3], make_column("nz", std::vector<float>{1, 1}));
  }
  EXPECT_EQ(read_content("any", start + raw(2U) + binary).size(), 4U);  // the size decides, whatever the name
  const PointCloud coloured =
      read_content("a.stl", start + raw(1U) + stl_triangle({0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0}, 31));
  expect_same(coloured.tables.at(0).columns.at(4), make_column("attribute", std::vector<std::uint16_t>{31}));
  EXPECT_EQ(read_content("a.stl", std::string(84, '\0')).size(), 0U);
  EXPECT_EQ(read_content("a.stl", "solid\nendsolid\n").size(), 0U);
}

TEST(Stl, WritesTriangles) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.position_type = ScalarType::float32;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0.1F}};
  cloud.tables = {{"face", 2, {faces({0, 1, 2, 3, 0, 4, 1}, {4, 7})}}};
  write(folder / "a.stl", cloud);
  PointCloud again = read(folder / "a.stl");
  EXPECT_EQ(again.positions, cloud.positions);
  ASSERT_EQ(again.tables.at(0).columns.size(), 4U);
  expect_same(again.tables[0].columns[0], faces({0, 1, 2, 0, 2, 3, 0, 4, 1}, {3, 6, 9}));  // the square cut in two
  expect_same(again.tables[0].columns[2], make_column("ny", std::vector<float>{0, 0, 1}));
  expect_same(again.tables[0].columns[3], make_column("nz", std::vector<float>{1, 1, 0}));
  EXPECT_EQ(fit_to_format("b.stl", again), std::vector<std::string>());  // normals are recomputed
  write(folder / "b.stl", again);
  EXPECT_EQ(bytes_of(folder / "a.stl"), bytes_of(folder / "b.stl"));

  cloud.tables.clear();
  EXPECT_THROW(write(folder / "c.stl", cloud), Error);
  cloud.tables = {{"face", 1, {faces({0, 1, 5}, {3})}}};
  EXPECT_THROW(write(folder / "c.stl", cloud), Error) << "there is no such corner";
  EXPECT_EQ(folder.files(), 2U);
}

TEST(Stl, RefusesWhatIsNotSoWithOneClearLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {std::string(50, '\1'), "the file ends at byte 50 inside its STL header"},
      {std::string(80, '\1') + raw(3U) + std::string(149, '\0'), "the file ends at byte 233 inside triangle 3"},
      {std::string(80, '\1') + raw(~0U) + std::string(50, '\0'), "but its header declares 4294967295"},
      {"solid a\nvertex 0 0 0\n", "line 2: found a vertex that belongs to no triangle"},
      {"solid a\nfacet\nvertex 0 0\n", "line 3: found \"\", expected a coordinate"},
      {"solid a\nfacet\nvertex 0 0 x\n", "line 3: found \"x\", expected a coordinate"},
      {"solid a\nfacet\nvertex 0 0 0\nendfacet\n", "line 4: a facet ends with 1 vertices"},
      {"solid a\nfacet\nfacet\n", "line 3: found a facet inside a facet"},
      {"solid a\nfacet\n", "the file ends inside a facet"},
      {"solid a\nhello\n", "line 2: found \"hello\", expected facet"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.stl", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace burnish
