#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io/files.hpp"
#include "io/lzf.hpp"

namespace burnish {
namespace {

using namespace std::string_literals;

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string head(const std::string& fields, const std::string& sizes, const std::string& types,
                 const std::string& counts, std::size_t width, std::size_t height, const std::string& data) {
  return "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS " + fields + "\nSIZE " + sizes + "\nTYPE " +
         types + "\nCOUNT " + counts + "\nWIDTH " + std::to_string(width) + "\nHEIGHT " + std::to_string(height) +
         "\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + std::to_string(width * height) + "\nDATA " + data + "\n";
}

std::string xyz_head(std::size_t points, const std::string& data) {
  return head("x y z", "4 4 4", "F F F", "1 1 1", points, 1, data);
}

/// A simple compressor: repeats of four bytes become copies, the rest stays.
std::string compress_lzf(const std::string& bytes) {
  std::string result;
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t length = 0;
    while (i >= 4 && i + length < bytes.size() && length < 264 && bytes[i + length] == bytes[i + length - 4]) {
      ++length;
    }
    if (length >= 3) {
      if (length < 9) {
        result += static_cast<char>((length - 2) << 5);
      } else {
        result += static_cast<char>(7 << 5);
        result += static_cast<char>(length - 9);
      }
      result += '\3';  // four bytes back
      i += length;
    } else {
      result += '\0';
      result += bytes[i++];
    }
  }
  return result;
}

std::string compressed(const std::string& bytes) {
  const std::string packed = compress_lzf(bytes);
  return raw(static_cast<std::uint32_t>(packed.size())) + raw(static_cast<std::uint32_t>(bytes.size())) + packed;
}

TEST(Pcd, ReadsAllThreeEncodingsAlike) {
  const std::string fields[] = {"x y z rgb normal label _", "4 4 4 4 8 2 1", "F F F F F I U", "1 1 1 1 3 1 2"};
  std::string text;
  std::string records;
  std::string columns[7];
  for (int i = 0; i < 6; ++i) {
    const auto number = static_cast<float>(i);
    const std::string x = raw(i == 2 ? std::nanf("") : number + 0.5F);
    const std::string normal = raw(0.1 * i) + raw(-1.0) + raw(1e300);
    const std::string row[] = {x, raw(number), raw(0 - 2 * number), raw(4.2e6F), normal, raw(std::int16_t(-i)), "pq"};
    for (int field = 0; field < 7; ++field) {
      columns[field] += row[field];
      records += row[field];
    }
    text += (i == 2 ? "nan" : std::to_string(i) + ".5") + " " + std::to_string(i) + " " + std::to_string(-2 * i) +
            " 4.2e6 " + std::to_string(i) + "e-1 -1 1e300 " + std::to_string(-i) + " 112 113\n";
  }
  std::string by_field;
  for (const std::string& column : columns) {
    by_field += column;
  }
  const auto with = [&](const std::string& data) {
    return head(fields[0], fields[1], fields[2], fields[3], 3, 2, data);
  };
  const PointCloud binary = read_content("a.pcd", with("binary") + records);
  ASSERT_EQ(binary.size(), 6U);
  EXPECT_EQ(binary.width, 3U);
  EXPECT_EQ(binary.height, 2U);
  EXPECT_EQ(binary.position_type, ScalarType::float32);
  EXPECT_EQ(binary.positions[5], Vec3(5.5, 5, -10));
  EXPECT_TRUE(std::isnan(binary.positions[2].x()));
  EXPECT_TRUE(binary.comments.empty());
  ASSERT_EQ(binary.attributes.size(), 3U);  // padding is none
  expect_same(binary.attributes[0], make_column("rgb", std::vector<float>(6, 4.2e6F)));
  EXPECT_TRUE(binary.attributes[1].is_list);
  EXPECT_EQ(binary.attributes[1].list_ends, (std::vector<std::size_t>{3, 6, 9, 12, 15, 18}));
  EXPECT_EQ(std::get<std::vector<double>>(binary.attributes[1].values)[17], 1e300);
  expect_same(binary.attributes[2], make_column("label", std::vector<std::int16_t>{0, -1, -2, -3, -4, -5}));
  expect_same(read_content("a.pcd", with("binary_compressed") + compressed(by_field)), binary);
  PointCloud ascii = read_content("a.pcd", with("ascii") + text);
  EXPECT_TRUE(std::isnan(ascii.positions[2].x()));
  ascii.positions[2] = binary.positions[2];
  EXPECT_NEAR(std::get<std::vector<double>>(ascii.attributes[1].values)[9], 0.3, 1e-12);
  ascii.attributes[1] = binary.attributes[1];
  expect_same(ascii, binary);
}

TEST(Pcd, GivesBackWhatWasWritten) {
  const TempFolder folder;
  PointCloud cloud;
  std::vector<float> rgb;
  std::mt19937_64 random(5);
  Column list = make_column("histogram", std::vector<std::uint16_t>());
  list.is_list = true;
  for (std::uint32_t i = 0; i < 30000; ++i) {
    cloud.positions.emplace_back(float(i), std::nanf(""), -0.0F);
    float value = 0;
    const std::uint32_t bits = i == 7 ? 0x7FA00001U : 0xFF000000U + i;  // NaNs, a signalling one among them
    std::memcpy(&value, &bits, sizeof value);
    rgb.push_back(value);
    for (int k = 0; k < 300; ++k) {
      std::get<std::vector<std::uint16_t>>(list.values).push_back(static_cast<std::uint16_t>(random()));
    }
    list.list_ends.push_back(300U * (i + 1));
  }
  list.list_size_type = ScalarType::uint32;
  cloud.attributes = {make_column("rgb", rgb), list, make_column("wide", std::vector<std::int64_t>(30000, -5))};
  cloud.comments = {"VIEWPOINT 1 2 3 0.5 0.5 0.5 0.5", "made by hand"};
  cloud.position_type = ScalarType::float32;
  cloud.width = 300;
  cloud.height = 100;
  write(folder / "a.pcd", cloud);
  EXPECT_CONTAINS(
      bytes_of(folder / "a.pcd").substr(0, 400),
      "FIELDS x y z rgb histogram wide\nSIZE 4 4 4 4 2 8\nTYPE F F F F U I\nCOUNT 1 1 1 1 300 1\nWIDTH 300\n"
      "HEIGHT 100\nVIEWPOINT 1 2 3 0.5 0.5 0.5 0.5\nPOINTS 30000\nDATA binary\n");
  PointCloud again = read(folder / "a.pcd");
  EXPECT_EQ(again.width, 300U);
  EXPECT_EQ(again.height, 100U);
  EXPECT_EQ(again.comments, (std::vector<std::string>{"made by hand", "VIEWPOINT 1 2 3 0.5 0.5 0.5 0.5"}));
  again.comments = cloud.comments;
  expect_same(again, cloud);
}

TEST(Pcd, UnderstandsOldAndOddHeaders) {
  for (const char* content :
       {"# .PCD v.5\nVERSION .5\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n"
        "1 2 3\n4 5 6\n",
        "COLUMNS x y z\nPOINTS 2\nDATA ascii\n1 2 3\n4 5 6",
        "# hello\r\nVERSION 0.7\r\nFIELDS X Y Z\r\nWIDTH 2\r\nDATA ascii\r\n1,2,3\r\n\r\n4,5,6\r\n"}) {
    SCOPED_TRACE(content);
    const PointCloud cloud = read_content("a.xyz", content);
    ASSERT_EQ(cloud.size(), 2U);
    EXPECT_EQ(cloud.positions[1], Vec3(4, 5, 6));
    EXPECT_TRUE(cloud.attributes.empty());
    EXPECT_EQ(cloud.height, 0U);
  }
  EXPECT_EQ(read_content("a.pcd", xyz_head(0, "binary")).size(), 0U);
  EXPECT_EQ(read_content("a.pcd", xyz_head(0, "binary_compressed")).size(), 0U);
  std::string names = "x y z";
  std::string counts = "1 1 1";
  for (int i = 0; i < 20000; ++i) {  // 80 GB a point, if there were any
    names += " a" + std::to_string(i);
    counts += " 1000000";
  }
  EXPECT_EQ(
      read_content("a.pcd", "VERSION 0.7\nFIELDS " + names + "\nCOUNT " + counts + "\nPOINTS 0\nDATA ascii\n").size(),
      0U);
}

TEST(Pcd, TakesTimeByTheNumberOfItsFields) {
  constexpr int fields = 60000;
  std::string names = "x y z";
  std::string row = "1 2 3";
  for (int i = 0; i < fields; ++i) {
    names += " a" + std::to_string(i);
    row += " 4";
  }
  std::string content = "VERSION 0.7\nFIELDS " + names + "\nPOINTS 10\nDATA ascii\n";
  for (int i = 0; i < 10; ++i) {
    content += row + "\n";
  }
  const std::clock_t start = std::clock();
  EXPECT_EQ(read_content("a.pcd", content).attributes.size(), std::size_t{fields});
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5.0);  // looking each up took a minute
}

TEST(Pcd, RefusesWhatIsNotSoWithOneClearLine) {
  const std::string point(12, '\1');
  const std::string packed = compressed(point + point);
  std::string far = packed;
  far[8] = '\x20';  // a copy from before the start
  far[9] = '\xFF';
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"# .PCD\n", "the file ends inside its header, expected DATA"},
      {"# .PCD\nVERSION 0.7\nHELLO\n", "line 3: found \"HELLO\", expected a keyword"},
      {"# .PCD\nDATA ascii\n", "the header has no line FIELDS"},
      {"VERSION 0.7\nFIELDS x y z\nDATA ascii\n", "neither a line POINTS nor a line WIDTH"},
      {"VERSION 0.7\nFIELDS x y z\nSIZE 4 4\nPOINTS 1\nDATA ascii\n", "the header has 2 values of SIZE, expected 3"},
      {"VERSION 0.7\nFIELDS x y z\nSIZE 4 4 3\nPOINTS 1\nDATA ascii\n", "a field has TYPE \"F\" and SIZE \"3\""},
      {"VERSION 0.7\nFIELDS x y x\nPOINTS 1\nDATA ascii\n", "there are two fields \"x\""},
      {"VERSION 0.7\nFIELDS x y w\nPOINTS 1\nDATA ascii\n1 2 3\n", "the PCD header has no field z"},
      {"VERSION 0.7\nFIELDS x y z\nPOINTS many\nDATA ascii\n", "found \"many\", expected the number of points"},
      {"VERSION 0.7\nFIELDS x y z\nPOINTS 5\nWIDTH 2\nHEIGHT 2\nDATA ascii\n", "declares 5 points and 2 times 2"},
      {"VERSION 0.7\nFIELDS x y z\nWIDTH 9999999999999\nHEIGHT 9999999999999\nDATA ascii\n", "times 9999999999999"},
      {"VERSION 0.7\nFIELDS x y z\nPOINTS 1\nVIEWPOINT 0 0 here 1 0 0 0\nDATA ascii\n1 2 3\n",
       "found \"here\", expected a number of the viewpoint"},
      {"VERSION 0.7\nFIELDS x y z\nPOINTS 1\nDATA gzip\n", "found \"gzip\", expected ascii, binary"},
      {head("x y z w", "4 4 4 4", "F F F F", "1 1 1 0", 1, 1, "ascii"), "field \"w\" has the COUNT 0"},
      {head("x y z w", "4 4 4 4", "F F F F", "1 1 1 99999999", 1, 1, "ascii"), "has the COUNT 99999999"},
      {xyz_head(99999999999, "ascii") + "1 2 3\n", "declares 99999999999 points, more than the 6 bytes after byte"},
      {xyz_head(99999999999, "binary") + point, "declares 99999999999 points, more than the 12 bytes"},
      {xyz_head(2, "binary") + point + point.substr(1), "declares 2 points, more than the 23 bytes"},
      {xyz_head(2, "ascii") + "1 2 3\n4 5 \n6 7", "the line ends before the value of field \"z\""},
      {xyz_head(1, "ascii") + "1 2 3 4\n", "found \"4\" after the last value"},
      {xyz_head(1, "ascii") + "1 2 three\n", "found \"three\", expected a value of field \"z\""},
      {xyz_head(2, "ascii") + "1 2 3.0000000000\n", "the file ends after 1 of 2 points"},
      {xyz_head(2, "binary_compressed") + packed.substr(0, 6), "before the size of its compressed points"},
      {xyz_head(2, "binary_compressed") + packed.substr(0, packed.size() - 1), "but its points take"},
      {xyz_head(3, "binary_compressed") + packed, "expected the 36 of 3 points"},
      {xyz_head(300000000, "binary_compressed") + packed, "expected the"},
      {xyz_head(99999999999, "binary_compressed") + packed, "more than compressed data can hold"},
      {xyz_head(2, "binary_compressed") + far, "are damaged"},
      {xyz_head(100000000, "binary_compressed") + raw(4U) + raw(1200000000U) + "abcd", "expand to 1200000000"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.pcd", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

TEST(Lzf, SurvivesAnyBytes) {
  std::mt19937_64 random(3);
  std::size_t sound = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(random() % 3 == 0 ? random() : random() % 8);
    }
    std::vector<char> target(random() % 60);
    sound += io::decompress_lzf(bytes, target) ? 1 : 0;
  }
  EXPECT_GT(sound, 10U);
  std::string longest = "\0a"s;
  for (int i = 0; i < 1000; ++i) {
    longest += "\xE0\xFF\0"s;
  }
  std::vector<char> target(1 + 264 * 1000);
  EXPECT_TRUE(io::decompress_lzf(longest, target));
  EXPECT_LE(target.size(), io::largest_lzf_content(longest.size()));
}

}  // namespace
}  // namespace burnish
