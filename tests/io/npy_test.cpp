#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/files.hpp"

namespace burnish {
namespace {

using namespace std::string_literals;

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
std::string raw_all(const std::vector<T>& values, bool big = false) {
  std::string bytes;
  for (const T value : values) {
    std::string one = raw(value);
    if (big) {
      std::ranges::reverse(one);
    }
    bytes += one;
  }
  return bytes;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& values,
                const std::string& fortran = "False") {
  const std::string text = "{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
  return "\x93NUMPY\1\0"s + raw(static_cast<std::uint16_t>(text.size())) + text + values;
}

TEST(Npy, ReadsEveryTypeOrderAndByteOrder) {
  const auto check = [](const std::string& content, ScalarType type) {
    SCOPED_TRACE(content.substr(10, 60));
    const PointCloud cloud = read_content("a.npy", content);
    ASSERT_EQ(cloud.size(), 2U);
    EXPECT_EQ(cloud.positions[0], Vec3(1, 2, 3));
    EXPECT_EQ(cloud.positions[1], Vec3(5, 6, 7));
    EXPECT_EQ(cloud.position_type, type);
    ASSERT_EQ(cloud.attributes.size(), 1U);
    EXPECT_EQ(cloud.attributes[0].name, "column4");
    EXPECT_EQ(cloud.attributes[0].type(), type);
    std::visit(
        []<class T>(const std::vector<T>& values) {
          if constexpr (std::is_arithmetic_v<T>) {
            EXPECT_EQ(values, (std::vector<T>{4, 8}));
          }
        },
        cloud.attributes[0].values);
  };
  const auto all = [&]<class T>(T, const std::string& name, ScalarType type) {
    const std::vector<T> rows = {1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<T> columns = {1, 5, 2, 6, 3, 7, 4, 8};
    const std::string little = sizeof(T) == 1 ? "'|" : "'<";
    check(npy(little + name + "'", "(2, 4)", raw_all(rows)), type);
    check(npy(little + name + "'", "(2, 4)", raw_all(columns), "True"), type);
    check(npy("'>" + name + "'", "(2, 4)", raw_all(rows, true)), type);
    check(npy("'>" + name + "'", "(2L, 4L)", raw_all(columns, true), "True"), type);
  };
  all(float{}, "f4", ScalarType::float32);
  all(double{}, "f8", ScalarType::float64);
  all(std::int8_t{}, "i1", ScalarType::int8);
  all(std::uint8_t{}, "u1", ScalarType::uint8);
  all(std::int16_t{}, "i2", ScalarType::int16);
  all(std::uint16_t{}, "u2", ScalarType::uint16);
  all(std::int32_t{}, "i4", ScalarType::int32);
  all(std::uint32_t{}, "u4", ScalarType::uint32);
  all(std::int64_t{}, "i8", ScalarType::int64);
  all(std::uint64_t{}, "u8", ScalarType::uint64);
  // 1 to 8 in floats of 16 bits.
  const std::vector<std::uint16_t> half = {0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800};
  check(npy("'<f2'", "(2, 4)", raw_all(half)), ScalarType::float32);
  check(npy("'>f2'", "(2, 4)", raw_all(half, true)), ScalarType::float32);
  const PointCloud odd = read_content(
      "a.npy", npy("'<f2'", "(2, 3)", raw_all(std::vector<std::uint16_t>{0x7C00, 0xFC00, 0x7E00, 1, 0x8000, 0x7BFF})));
  EXPECT_EQ(odd.positions[0].x(), INFINITY);
  EXPECT_EQ(odd.positions[0].y(), -INFINITY);
  EXPECT_TRUE(std::isnan(odd.positions[0].z()));
  EXPECT_EQ(odd.positions[1], Vec3(std::ldexp(1.0, -24), 0, 65504));
}

TEST(Npy, ReadsRecordsWithNamesListsAndPadding) {
  std::string records;
  for (int i = 0; i < 3; ++i) {
    records += raw(std::uint8_t(i)) + "pad" + raw(1.0 * i) + raw(2.0) + raw(3.0) + raw(0.5F) + raw(1.5F);
  }
  const std::string descr =
      "[('label', '|u1'), ('', '|V3'), ('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('uv', '<f4', (2,))]";
  const PointCloud cloud = read_content("a.npy", npy(descr, "(3,)", records));
  ASSERT_EQ(cloud.size(), 3U);
  EXPECT_EQ(cloud.positions[2], Vec3(2, 2, 3));
  ASSERT_EQ(cloud.attributes.size(), 2U);
  expect_same(cloud.attributes[0], make_column("label", std::vector<std::uint8_t>{0, 1, 2}));
  EXPECT_EQ(cloud.attributes[1].list_ends, (std::vector<std::size_t>{2, 4, 6}));
  EXPECT_EQ(std::get<std::vector<float>>(cloud.attributes[1].values)[5], 1.5F);
}

TEST(Npy, TakesTheFirstOfTwoFieldsThatCouldBeACoordinate) {
  PointCloud cloud;
  cloud.positions = {{1, 2, 3}};
  cloud.attributes.push_back(make_column("X", std::vector<double>{4}));
  const TempFolder folder;
  write(folder / "a.npy", cloud);
  expect_same(read(folder / "a.npy"), cloud);
}

TEST(Npy, GivesBackWhatWasWritten) {
  const TempFolder folder;
  PointCloud cloud;
  for (int i = 0; i < 12; ++i) {
    cloud.positions.emplace_back(0.1 * i, i == 3 ? std::nan("") : -1.0 * i, 1e-300);
  }
  write(folder / "a.npy", cloud);
  EXPECT_EQ(bytes_of(folder / "a.npy").size(), 128 + 12 * 24U);
  EXPECT_CONTAINS(bytes_of(folder / "a.npy"), "{'descr': '<f8', 'fortran_order': False, 'shape': (12, 3), }");
  expect_same(read(folder / "a.npy"), cloud);
  cloud.attributes = {make_column("column4", std::vector<double>(12, 4))};
  cloud.width = 4;
  cloud.height = 3;
  write(folder / "a.npy", cloud);
  EXPECT_CONTAINS(bytes_of(folder / "a.npy"), "'shape': (3, 4, 4)");
  expect_same(read(folder / "a.npy"), cloud);
  EXPECT_EQ(read(folder / "a.npy").width, 4U);
  cloud.attributes = {make_column("red", std::vector<std::uint8_t>(12, 200)),
                      make_column("id", std::vector<std::int64_t>(12, -1))};
  cloud.attributes.push_back(make_column("normal", std::vector<float>(36, 0.5F)));
  cloud.attributes[2].is_list = true;
  for (std::size_t i = 1; i <= 12; ++i) {
    cloud.attributes[2].list_ends.push_back(3 * i);
  }
  write(folder / "a.npy", cloud);
  expect_same(read(folder / "a.npy"), cloud);
  EXPECT_EQ(read(folder / "a.npy").height, 3U);
  write(folder / "a.npy", PointCloud());
  EXPECT_EQ(read(folder / "a.npy").size(), 0U);
}

TEST(Npy, RefusesWhatIsNotSoWithOneClearLine) {
  std::string nested = "(";
  for (int i = 0; i < 5000; ++i) {
    nested += '(';
  }
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"\x93NUMPY\1"s, "before the header of a NumPy array"},
      {"\x93NUMPY\7\0abcdefgh"s, "of an unknown version"},
      {"\x93NUMPY\2\0\xFF\xFF\xFF\xFF"s, "declares 4294967295 bytes of text"},
      {npy("'<f8'", nested, ""), "expected a dictionary"},
      {npy("'<f8'", "(2, 3", ""), "expected a dictionary"},
      {npy("'<f8'", "(2, 3)", std::string(47, '\0')), "declares 2 × 3 values of 8 bytes, more than the 47 bytes"},
      {npy("'<f8'", "(9999999999999, 9999999999999)", "abc"), "declares 9999999999999 × 9999999999999 values"},
      {npy("'<f8'", "(99999999999999999999, 3)", "abc"), "expected a dictionary"},
      {npy("'<f8'", "(6,)", std::string(48, '\0')), "is no array of N × 3 or more"},
      {npy("'<f8'", "(3, 2)", std::string(48, '\0')), "is no array of N × 3 or more"},
      {npy("'<f8'", "(3, 400)", std::string(9600, '\0')), "is no array of N × 3 or more"},
      {npy("'<c16'", "(1, 3)", std::string(48, '\0')), "has the type \"<c16\", which burnish does not read"},
      {npy("'|O'", "(1, 3)", std::string(48, '\0')), "has the type \"|O\""},
      {npy("[('x', '<f8'), ('y', '<f8')]", "(1,)", std::string(16, '\0')), "has not one field z"},
      {npy("[('x', '<f8'), ('s', '|S4')]", "(1,)", std::string(16, '\0')), "field \"s\" of the NumPy array has"},
      {npy("[('x', '<f8'), ('s', [('a', '<f8')])]", "(1,)", std::string(16, '\0')), "fields within fields"},
      {npy("[('x', '<f8'), ('y', '>f8')]", "(1,)", std::string(16, '\0')), "differ in byte order"},
      {npy("[('x', '<f8', (99999999999,))]", "(1,)", std::string(16, '\0')), "has a shape burnish does not read"},
      {npy("[]", "(5,)", ""), "declares 5 values of 0 bytes"},
      {npy("[('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('', '|V1073741824')]", "()", "abc"),
       "declares 1 values of 1073741848 bytes, more than the 3 bytes"},
      {npy("'<f8'", "(9999999999999, 0)", ""), "a dimension that is implausibly large"},
      {npy("[('x', '<f8'), ('y', '<f8'), ('z', '<f8')]", "(1, 1, 1)", std::string(24, '\0')),
       "1 × 1 × 1 records is not a row of points"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.npy", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string result(bytes.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

/// A ZIP archive as its description says.
std::string zip(const std::vector<std::pair<std::string, std::string>>& members, bool compress) {
  std::string archive;
  std::string directory;
  for (const auto& [name, content] : members) {
    const std::string packed = compress ? deflated(content) : content;
    const std::string common = raw(std::uint16_t{20}) + raw(std::uint16_t{0}) +
                               raw(static_cast<std::uint16_t>(compress ? 8 : 0)) + raw(std::uint32_t{0}) +
                               raw(std::uint32_t{0}) + raw(static_cast<std::uint32_t>(packed.size())) +
                               raw(static_cast<std::uint32_t>(content.size())) +
                               raw(static_cast<std::uint16_t>(name.size())) + raw(std::uint16_t{0});
    directory += "PK\1\2" + raw(std::uint16_t{20}) + common + raw(std::uint16_t{0}) + raw(std::uint16_t{0}) +
                 raw(std::uint16_t{0}) + raw(std::uint32_t{0}) + raw(static_cast<std::uint32_t>(archive.size())) + name;
    archive += "PK\3\4" + common + name + packed;
  }
  const auto count = static_cast<std::uint16_t>(members.size());
  return archive + directory + "PK\5\6" + raw(std::uint32_t{0}) + raw(count) + raw(count) +
         raw(static_cast<std::uint32_t>(directory.size())) + raw(static_cast<std::uint32_t>(archive.size())) +
         raw(std::uint16_t{0});
}

TEST(Npz, ReadsPointsAndWhatBelongsToThem) {
  const std::vector<std::pair<std::string, std::string>> members = {
      {"readme.txt", "hello"},
      {"names.npy", npy("'<U3'", "(2,)", std::string(24, 'a'))},
      {"label.npy", npy("'<i4'", "(2,)", raw_all(std::vector<std::int32_t>{7, 8}))},
      {"normals.npy", npy("'<f4'", "(2, 3)", raw_all(std::vector<float>{0, 1, 0, 1, 0, 2}), "True")},
      {"points.npy", npy("'<f4'", "(2, 3)", raw_all(std::vector<float>{1, 2, 3, 4, 5, 6}))},
      {"other.npy", npy("'<f4'", "(1,)", raw(1.0F))},
  };
  for (const bool compress : {false, true}) {
    const PointCloud cloud = read_content("a.npz", zip(members, compress));
    ASSERT_EQ(cloud.size(), 2U);
    EXPECT_EQ(cloud.positions[1], Vec3(4, 5, 6));
    EXPECT_EQ(cloud.position_type, ScalarType::float32);
    ASSERT_EQ(cloud.attributes.size(), 2U);
    expect_same(cloud.attributes[0], make_column("label", std::vector<std::int32_t>{7, 8}));
    EXPECT_EQ(cloud.attributes[1].name, "normals");
    EXPECT_EQ(std::get<std::vector<float>>(cloud.attributes[1].values), (std::vector<float>{0, 0, 0, 1, 1, 2}));
  }
}

TEST(Npz, WritesWhatItReads) {
  const TempFolder folder;
  PointCloud cloud;
  for (int i = 0; i < 12; ++i) {
    cloud.positions.emplace_back(0.1 * i, -1e9 - i, i == 3 ? std::nan("") : 1e-300 * i);
  }
  Column lists = make_column("normals", std::vector<float>(24, 0.5F));
  lists.is_list = true;
  for (std::size_t i = 1; i <= 12; ++i) {
    lists.list_ends.push_back(2 * i);
  }
  cloud.attributes = {make_column("label", std::vector<std::int64_t>(12, 1LL << 40)),
                      make_column("red", std::vector<std::uint8_t>(12, 255)), lists};
  for (const ScalarType type : {ScalarType::float64, ScalarType::float32}) {
    cloud.position_type = type;
    if (type == ScalarType::float32) {
      std::ranges::for_each(cloud.positions, [](Vec3& p) { p = p.cast<float>().cast<double>(); });
    }
    write(folder / "a.npz", cloud);
    expect_same(read(folder / "a.npz"), cloud);
  }
  cloud.width = 4;
  cloud.height = 3;
  write(folder / "a.npz", cloud);
  const PointCloud again = read(folder / "a.npz");
  expect_same(again, cloud);
  EXPECT_EQ(again.width, 4U);
  EXPECT_EQ(again.height, 3U);
  write(folder / "a.npz", PointCloud());
  EXPECT_EQ(read(folder / "a.npz").size(), 0U);

  cloud.attributes = {make_column("../up", std::vector<float>(12, 1)), make_column("", std::vector<float>(12, 1))};
  write(folder / "a.npz", cloud);
  EXPECT_EQ(read(folder / "a.npz").attributes.at(0).name, ".._up") << "no path out of the archive";
  cloud.attributes = {make_column("points", std::vector<float>(12, 1))};
  EXPECT_THROW(write(folder / "b.npz", cloud), Error);
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Npz, RefusesMembersThatShareTheirBytes) {
  // A small archive would otherwise become as many large arrays as it has names for one.
  const std::string points = npy("'<f4'", "(200, 3)", std::string(2400, '\0'));
  std::string archive = zip({{"a.npy", points}, {"b.npy", points}}, false);
  const std::size_t second = archive.rfind("PK\1\2");
  archive.replace(second + 42, 4, raw(std::uint32_t{0}));
  EXPECT_EQ(read_content("a.npz", archive).size(), 200U);  // twice as large as it need be, but not larger than it is
  const std::size_t first = archive.find("PK\3\4", 4);
  archive.erase(first, archive.find("PK\1\2") - first);
  archive.replace(archive.size() - 6, 4, raw(static_cast<std::uint32_t>(first)));
  EXPECT_CONTAINS(error_of_content("a.npz", archive), "the members of the archive declare");
}

TEST(Npz, RefusesOtherArchivesAndDamagedOnes) {
  const std::string points = npy("'<f4'", "(2, 3)", raw_all(std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_CONTAINS(error_of_content("a.npz", zip({{"a.txt", "hello"}}, false)), "is a ZIP archive without NumPy arrays");
  EXPECT_CONTAINS(error_of_content("a.npz", zip({{"a.npy", npy("'<f4'", "(1,)", "abcd")}}, true)),
                  "no array of the NumPy archive holds points");
  std::string boasting = zip({{"points.npy", points}}, true);
  boasting.replace(boasting.rfind("PK\1\2") + 24, 4, raw(std::uint32_t{0x7FFFFFFF}));
  EXPECT_CONTAINS(error_of_content("a.npz", boasting), "declares 2147483647 bytes in");
  for (const bool compress : {false, true}) {
    const std::string good = zip({{"points.npy", points}}, compress);
    for (std::size_t size = 4; size < good.size(); ++size) {
      EXPECT_THROW((void)read_content("a.npz", good.substr(0, size)), Error);
    }
    for (std::size_t place = 0; place < good.size(); ++place) {
      for (const char value : {'\0', '\xFF', 'a'}) {
        std::string damaged = good;
        damaged[place] = value;
        try {
          EXPECT_LE(read_content("a.npz", damaged).size(), 100U);
        } catch (const Error& error) {
          EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
      }
    }
  }
}

}  // namespace
}  // namespace burnish
