#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>

#include "io/files.hpp"
#include "io/scalar.hpp"

namespace burnish {
namespace {

enum class Encoding { ascii, little, big };

constexpr std::array<std::array<const char*, 2>, 10> type_names = {{{"char", "int8"},
                                                                    {"uchar", "uint8"},
                                                                    {"short", "int16"},
                                                                    {"ushort", "uint16"},
                                                                    {"int", "int32"},
                                                                    {"uint", "uint32"},
                                                                    {"int64", "int64"},
                                                                    {"uint64", "uint64"},
                                                                    {"float", "float32"},
                                                                    {"double", "float64"}}};

/// A writer of PLY files that shares nothing with the one under test.
template <class T>
void put(std::string& out, Encoding encoding, T value) {
  if (encoding == Encoding::ascii) {
    char digits[64];
    if constexpr (std::is_floating_point_v<T>) {
      std::snprintf(digits, sizeof digits, "%.17g ", static_cast<double>(value));
    } else if constexpr (std::is_signed_v<T>) {
      std::snprintf(digits, sizeof digits, "%lld ", static_cast<long long>(value));
    } else {
      std::snprintf(digits, sizeof digits, "%llu ", static_cast<unsigned long long>(value));
    }
    out += digits;
    return;
  }
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (encoding == Encoding::big) {
    std::reverse(bytes.begin(), bytes.end());
  }
  out += bytes;
}

std::string head(Encoding encoding) {
  constexpr std::array<const char*, 3> names = {"ascii", "binary_little_endian", "binary_big_endian"};
  return std::string("ply\nformat ") + names[static_cast<std::size_t>(encoding)] + " 1.0\n";
}

template <class T>
std::vector<T> interesting_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T{0}, T{1}, T{42}, Limits::lowest(), Limits::max()};
  if constexpr (std::is_floating_point_v<T>) {
    values.insert(values.end(), {-T{0}, Limits::denorm_min(), -Limits::min() / 2, Limits::infinity(),
                                 -Limits::infinity(), Limits::quiet_NaN(), T(0.1), T(-1e-30)});
  }
  return values;
}

TEST(Ply, ReadsEveryTypeInEveryEncodingUnderBothNames) {
  for (const Encoding encoding : {Encoding::ascii, Encoding::little, Encoding::big}) {
    for (std::size_t type = 0; type < type_names.size(); ++type) {
      for (const char* name : type_names[type]) {
        SCOPED_TRACE(name);
        io::with_number_type(static_cast<ScalarType>(type), [&]<class T>(std::type_identity<T>) {
          const std::vector<T> values = interesting_values<T>();
          std::string content = head(encoding) + "element vertex " + std::to_string(values.size()) +
                                "\nproperty float x\nproperty float y\nproperty " + name +
                                " value\nproperty float z\nelement row 1\nproperty list " + name + " " + name +
                                " list\nend_header\n";
          if constexpr (std::is_floating_point_v<T>) {
            const std::string list = std::string("list ") + name + " ";
            content.replace(content.find(list), list.size(), "list uchar ");
          }
          for (const T value : values) {
            put(content, encoding, 1.5F);
            put(content, encoding, 2.5F);
            put(content, encoding, value);
            put(content, encoding, -3.5F);
            content += encoding == Encoding::ascii ? "\n" : "";
          }
          using Size = std::conditional_t<std::is_floating_point_v<T>, std::uint8_t, T>;
          put(content, encoding, static_cast<Size>(values.size()));
          for (const T value : values) {
            put(content, encoding, value);
          }
          const PointCloud cloud = read_content("a.ply", content);
          ASSERT_EQ(cloud.size(), values.size());
          EXPECT_EQ(cloud.position_type, ScalarType::float32);
          EXPECT_EQ(cloud.positions.back(), Vec3(1.5, 2.5, -3.5));
          ASSERT_NE(cloud.find_attribute("value"), nullptr);
          expect_same(*cloud.find_attribute("value"), make_column("value", values));
          ASSERT_EQ(cloud.tables.size(), 1U);
          EXPECT_TRUE(same_bits(std::get<std::vector<T>>(cloud.tables[0].columns[0].values), values));
          EXPECT_EQ(cloud.tables[0].columns[0].list_ends, std::vector<std::size_t>{values.size()});
        });
      }
    }
  }
}

PointCloud random_cloud(std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto random_column = [&](std::string name, std::size_t rows, bool is_list) {
    Column column;
    column.name = std::move(name);
    column.is_list = is_list;
    column.list_size_type = static_cast<ScalarType>(below(8));
    std::size_t values = rows;
    if (is_list) {
      std::size_t end = 0;
      for (std::size_t row = 0; row < rows; ++row) {
        column.list_ends.push_back(end += below(5));
      }
      values = end;
    }
    column.values = io::with_number_type(static_cast<ScalarType>(below(10)), [&]<class T>(std::type_identity<T>) {
      std::vector<T> result(values);
      for (T& value : result) {
        const std::uint64_t bits = random();
        std::memcpy(&value, &bits, sizeof(T));  // any bits at all
      }
      return Values(std::move(result));
    });
    return column;
  };
  PointCloud cloud;
  cloud.position_type = below(2) == 0 ? ScalarType::float32 : ScalarType::float64;
  cloud.positions.resize(below(3) == 0 ? below(3) : below(20000));
  for (Vec3& p : cloud.positions) {
    p = Vec3(double(float(random() % 1000) / 7), double(float(below(100))), -0.0);
  }
  cloud.comments = {"made by a test", "", "  indented  ", "obj_info range 5"};
  for (std::size_t i = below(6); i > 0; --i) {
    cloud.attributes.push_back(random_column("a" + std::to_string(i), cloud.size(), below(8) == 0));
  }
  for (std::size_t t = below(3); t > 0; --t) {
    Table table{"table" + std::to_string(t), below(500), {}};
    for (std::size_t i = below(4); i > 0; --i) {
      table.columns.push_back(random_column("c" + std::to_string(i), table.rows, below(2) == 0));
    }
    cloud.tables.push_back(std::move(table));
  }
  return cloud;
}

TEST(Ply, GivesBackWhatWasWritten) {
  const TempFolder folder;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const PointCloud cloud = random_cloud(random);
    write(folder / "a.ply", cloud);
    expect_same(read(folder / "a.ply"), cloud);
    write(folder / "b.ply", read(folder / "a.ply"));
    EXPECT_EQ(bytes_of(folder / "a.ply"), bytes_of(folder / "b.ply"));
  }
}

TEST(Ply, WritesTheHeaderOthersExpect) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.position_type = ScalarType::int32;
  cloud.positions = {{0.25, 1, 2}};
  cloud.comments = {"hello", "obj_info num_cols 2", "two\nlines"};
  cloud.attributes.push_back(make_column("Point ID", std::vector<std::uint8_t>{7}));
  write(folder / "a.ply", cloud);
  const std::string content = bytes_of(folder / "a.ply");
  const std::string header =
      "ply\nformat binary_little_endian 1.0\ncomment hello\nobj_info num_cols 2\ncomment two lines\n"
      "element vertex 1\nproperty double x\nproperty double y\nproperty double z\nproperty uchar Point_ID\n"
      "end_header\n";
  EXPECT_EQ(content.substr(0, header.size()), header);
  EXPECT_EQ(content.size(), header.size() + 25);
}

TEST(Ply, ReadsOddButValidFiles) {
  // CR LF, comments between properties, blank lines, tabs, an element before the vertices, exponents, signs.
  PointCloud cloud = read_content("a.ply",
                                  "ply\r\nformat ascii 1.0\r\nelement camera 1\r\nproperty float f\r\n"
                                  "element vertex 2\r\ncomment inside\r\nproperty double z\r\nproperty float x\r\n"
                                  "property list uchar int tags\r\nproperty float y\r\nend_header\r\n"
                                  "9.5\r\n\r\n1e3\t+2 2 7 8 nan \r\n-inf 5 0 6");
  EXPECT_EQ(cloud.position_type, ScalarType::float64);
  ASSERT_EQ(cloud.size(), 2U);
  EXPECT_EQ(cloud.positions[0].z(), 1000);
  EXPECT_TRUE(std::isnan(cloud.positions[0].y()));
  EXPECT_EQ(cloud.positions[1].z(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(cloud.comments, std::vector<std::string>{"inside"});
  EXPECT_EQ(cloud.tables.at(0).name, "camera");
  EXPECT_EQ(cloud.attributes.at(0).list_ends, (std::vector<std::size_t>{2, 2}));

  // Lines that end in CR alone; a byte order mark; no points at all; bytes after the last row; integral values with a
  // point.
  cloud = read_content("a.ply",
                       "\xEF\xBB\xBFply\rformat ascii 1.0\relement vertex 1\rproperty int x\rproperty int y\r"
                       "property int z\rend_header\r1 2.0 3\r4 5 6\r");
  EXPECT_EQ(cloud.size(), 1U);
  EXPECT_EQ(cloud.position_type, ScalarType::int32);
  const std::string xyz = "property float x\nproperty float y\nproperty float z\nend_header\n";
  EXPECT_EQ(read_content("a.ply", "ply\nformat ascii 1.0\nelement vertex 0\n" + xyz).size(), 0U);
  const std::string twelve = "ply\nformat binary_little_endian 1.0\nelement vertex 1\n" + xyz;
  EXPECT_EQ(read_content("a.ply", twelve + std::string(20, '\n')).size(), 1U);
  // Rows without properties.
  EXPECT_EQ(
      read_content("a.ply", "ply\nformat ascii 1.0\nelement nothing 99999999999\nelement vertex 1\n" + xyz + "1 2 3")
          .tables.at(0)
          .rows,
      99999999999U);
  // Too small for a float is zero; too large is an error.
  EXPECT_EQ(read_content("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "1e-60 -1e-400 3").positions[0],
            Vec3(0, 0, 3));
}

TEST(Ply, RefusesWhatIsNotSoWithOneClearLine) {
  const std::string start = "ply\nformat ascii 1.0\n";
  const std::string binary = "ply\nformat binary_big_endian 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  const std::string end = "end_header\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"ply", "line 1: the file ends inside its header"},
      {start, "line 2: the file ends inside its header"},
      {"ply\nformat ascii 2.0\n", "line 2: found format version \"2.0\", expected 1.0"},
      {"ply\nformat binary 1.0\n", "line 2: found format \"binary\""},
      {"ply\nelement vertex 1\n" + xyz + end, "line 6: the header ends without a format line"},
      {start + end, "no element \"vertex\""},
      {start + "element face 0\n" + end, "no element \"vertex\""},
      {start + "property float x\n", "line 3: found a property before the first element"},
      {start + "element vertex -1\n" + xyz + end, "line 3: found \"-1\", expected the number of rows"},
      {start + "element vertex\n" + xyz + end, "line 3: found \"\", expected the number of rows"},
      {start + "element vertex 1e99\n" + xyz + end, "expected the number of rows"},
      {start + "element vertex 1\nproperty float x\nproperty float y\n" + end + "1 2\n", "has no property z"},
      {start + "element vertex 1\nproperty list uchar float x\nproperty float y\nproperty float z\n" + end,
       "has a list as property x"},
      {start + "element vertex 1\n" + xyz + "property float x\n" + end,
       "line 7: element \"vertex\" has two properties"},
      {start + "element vertex 1\n" + xyz + "element vertex 1\n" + end, "line 7: there are two elements"},
      {start + "element vertex 1\nproperty half x\n", "line 4: found \"half\", expected the type"},
      {start + "element vertex 1\nproperty float\n", "line 4: the name of the property is missing"},
      {start + "element vertex 1\nproperty list float int x\n", "line 4: the length of a list has a float type"},
      {start + "nonsense\n", "line 3: found \"nonsense\""},
      {start + "element vertex 99999999999\n" + xyz + end + "1 2 3\n", "declares 99999999999 rows, more than"},
      {binary + "element vertex 18446744073709551615\n" + xyz + end + "abc", "at byte 134 inside row 1 of element"},
      {start + "element vertex 2\n" + xyz + end + "1 2 3.000000000\n",
       "ends at byte 116 inside row 2 of element \"vertex\""},
      {start + "element vertex 1\n" + xyz + end + "1 2\n    ",
       "line 8: the line ends before the value of property \"z\""},
      {start + "element vertex 1\n" + xyz + end + "1 2 3 4\n", "line 8: found \"4\" after the last value"},
      {start + "element vertex 1\n" + xyz + end + "1 2 1e99\n", "line 8: found \"1e99\""},
      {start + "element vertex 1\n" + xyz + "property uchar red\n" + end + "1 2 3 256\n",
       "line 9: found \"256\", expected a value of property \"red\" that is a uchar"},
      {start + "element vertex 1\n" + xyz + "property list char int l\n" + end + "1 2 3 -1\n",
       "line 9: found \"-1\", expected the length of list \"l\""},
      {start + "element vertex 1\n" + xyz + "property list uint int l\n" + end + "1 2 3 4000000000\n",
       "line 9: the line ends before"},
      {binary + "element vertex 1\n" + xyz + "element f 1\nproperty list uint int l\n" + end + std::string(12, 'a') +
           "\xFF\xFF\xFF\xFF",
       "has 4294967295 values, more than the file can hold"},
      {binary + "element vertex 1\n" + xyz + "element f 1\nproperty list char int l\n" + end + std::string(12, 'a') +
           "\xFF",
       "row 1 of element \"f\" has the length -1"},
      {start + "comment " + std::string(2 << 20, 'x') + "\n", "line 3: the line is longer than"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.ply", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_CONTAINS(error, "a.ply: ");
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

TEST(Ply, EveryTruncationIsAnError) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.positions.assign(20, Vec3(1, 2, 3));
  Table faces{"face", 3, {make_column("vertex_indices", std::vector<std::int32_t>{1, 2, 3, 4, 5, 6})}};
  faces.columns[0].is_list = true;
  faces.columns[0].list_ends = {3, 3, 6};
  cloud.tables.push_back(faces);
  write(folder / "a.ply", cloud);
  const std::string content = bytes_of(folder / "a.ply");
  for (std::size_t size = 0; size < content.size(); ++size) {
    EXPECT_THROW((void)read(folder.file("b.ply", content.substr(0, size))), Error) << size;
  }
}

TEST(Ply, SaysWhichColumnItCannotHold) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.positions.resize(1, Vec3::Zero());
  cloud.attributes.push_back(make_column("label", std::vector<std::string>{"tree"}));
  const auto error_of_writing = [&] {
    try {
      write(folder / "a.ply", cloud);
      return std::string("no error");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_CONTAINS(error_of_writing(), "PLY cannot hold the text column \"label\"; write .csv instead");
  cloud.attributes[0] = make_column("x", std::vector<float>{1});
  EXPECT_CONTAINS(error_of_writing(), "two columns \"x\"");
  cloud.attributes[0] = make_column("a", std::vector<float>{1, 2});
  EXPECT_CONTAINS(error_of_writing(), "column \"a\" has 2 rows, expected 1");
  cloud.attributes[0] = make_column("a", std::vector<std::int8_t>(300));
  cloud.attributes[0].is_list = true;
  cloud.attributes[0].list_ends = {300};
  EXPECT_CONTAINS(error_of_writing(), "row 1 of list \"a\" has 300 values, too many for its length to be a uchar");
  cloud.attributes[0].list_ends = {301};
  EXPECT_CONTAINS(error_of_writing(), "do not fit");
  cloud.attributes.clear();
  cloud.tables = {Table{"vertex", 0, {}}};
  EXPECT_CONTAINS(error_of_writing(), "two tables \"vertex\"");
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Ply, OfManyLinesOfTextIsReadAsThatOfFew) {
  constexpr int count = 120000;
  const std::string header = "ply\nformat ascii 1.0\nelement vertex " + std::to_string(count) +
                             "\nproperty double x\nproperty float y\nproperty int z\nproperty uchar red\n"
                             "element face 2\nproperty list uchar int vertex_indices\nend_header\n";
  std::string rows;
  for (int i = 0; i < count; ++i) {
    rows += std::to_string(i) + ".125 -0.5 " + std::to_string(-i) + ' ' + std::to_string(i % 256);
    rows += i % 1000 == 0 ? "\n\n \n" : "\n";
  }
  ASSERT_GT(rows.size(), 2U << 20);
  const TempFolder folder;
  const auto path = folder.file("a.ply", header + rows + "3 0 1 2\n3 2 1 0\n");
  for (const int threads : {1, 3}) {
    ExecutionContext context;
    context.threads = threads;
    const PointCloud cloud = read(path, context);
    ASSERT_EQ(cloud.size(), static_cast<std::size_t>(count));
    const auto& red = std::get<std::vector<std::uint8_t>>(cloud.attributes.at(0).values);
    for (int i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(i);
      ASSERT_EQ(cloud.positions[row], Vec3(i + 0.125, -0.5, -i));
      ASSERT_EQ(red[row], i % 256);
    }
    ASSERT_EQ(cloud.tables.size(), 1U);
    EXPECT_EQ(cloud.tables[0].columns.at(0).list_ends, (std::vector<std::uint64_t>{3, 6}));
  }
  // Header and blank lines are counted too: 10 and 2 for every thousand rows.
  rows.replace(rows.rfind("255\n"), 3, "256");
  const int last_255 = count - 1 - (count - 1 - 255) % 256;
  EXPECT_CONTAINS(error_of_reading(folder.file("b.ply", header + rows + "3 0 1 2\n3 2 1 0\n")),
                  "line " + std::to_string(10 + last_255 + 1 + 2 * (last_255 / 1000 + 1)) + ": found \"256\"");
}

}  // namespace
}  // namespace burnish
