#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io/files.hpp"

namespace burnish {
namespace {

std::vector<std::string> names_of(const PointCloud& cloud) {
  std::vector<std::string> names;
  for (const Column& column : cloud.attributes) {
    names.push_back(column.name);
  }
  return names;
}

using Names = std::vector<std::string>;
using Ints = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

TEST(Text, UnderstandsEverySeparatorAndLineEnding) {
  for (const char* content : {"1 2.5 -3 7\n4 5 6 8\n", "1\t2.5\t-3\t7\r\n4\t5\t6\t8\r\n", "1,2.5,-3,7\n4,5,6,8",
                              "1, 2.5, -3, 7\n\n4, 5, 6, 8\n\n", "1;2.5;-3;7\n4;5;6;8\n", "1;2,5;-3;7\n4;5;6;8\n",
                              " 1  2.5 \t-3   7 \n\t4 5 6 8\n", "1,2.5,-3,7,\n4,5,6,8,\n",
                              "\xEF\xBB\xBF"
                              "1 2.5 -3 7\n4 5 6 8\n",
                              "1 2.5 -3 7\r4 5 6 8\r", "2\n1 2.5 -3 7\n4 5 6 8\n", "1e0 +2.5 -3.0 7\n4. 5 6 8\n",
                              "1\v2.5\f-3 7\n4 5 \r6 8\n", "\"1\",\"2.5\",\"-3\",7\n4,5,6,8"}) {
    SCOPED_TRACE(content);
    const PointCloud cloud = read_content("a.xyz", content);
    ASSERT_EQ(cloud.size(), 2U);
    EXPECT_EQ(cloud.positions[0], Vec3(1, 2.5, -3));
    EXPECT_EQ(cloud.positions[1], Vec3(4, 5, 6));
    EXPECT_EQ(cloud.position_type, ScalarType::float64);
    ASSERT_EQ(names_of(cloud), Names{"column4"});
    expect_same(cloud.attributes[0], make_column("column4", Ints{7, 8}));
    EXPECT_TRUE(cloud.comments.empty());
  }
}

TEST(Text, UsesNamesWhereverTheyStand) {
  for (const char* content : {"id,X,Y,Z\n9,1,2,3\n", "\"id\",\"x\",\"y\",\"z\"\n9,1,2,3\n", "id X Y Z\n9 1 2 3\n",
                              "id X Y Z\n9,1,2,3\n", "id, x, y, z\n9 1 2 3\n", "# id x y z\n9 1 2 3\n",
                              "//id X Y Z\n9 1 2 3\n", "# id,x,y,z\n1\n9 1 2 3\n", "id;x;y;z;\n9;1;2;3;\n"}) {
    SCOPED_TRACE(content);
    const PointCloud cloud = read_content("a.csv", content);
    ASSERT_EQ(cloud.size(), 1U);
    EXPECT_EQ(cloud.positions[0], Vec3(1, 2, 3));
    ASSERT_EQ(names_of(cloud), Names{"id"});
    expect_same(cloud.attributes[0], make_column("id", Ints{9}));
    EXPECT_TRUE(cloud.comments.empty());
  }
  // A comment that does not fit the columns is only a comment.
  const PointCloud cloud = read_content("a.txt", "# x y z red\n#another\n1 2 3\n// last\n");
  EXPECT_EQ(cloud.comments, (Names{"x y z red", "another", "last"}));
  EXPECT_TRUE(cloud.attributes.empty());
}

TEST(Text, FindsTheTypeOfEachColumn) {
  const PointCloud cloud = read_content("a.csv",
                                        "\xEF\xBB\xBFx,y,z,int,big,real,late,text,quoted,empty,commas\n"
                                        "1,2,3,7,5000000000,1,007,a b,\"1\",,\"a,\"\"b\"\"\"\n"
                                        "nan,inf,-inf,-8,1,2.5,0x1,c,\"\",,d\n");
  ASSERT_EQ(cloud.size(), 2U);
  EXPECT_TRUE(std::isnan(cloud.positions[1].x()));
  const std::vector<Column> expected = {
      make_column("int", Ints{7, -8}),
      make_column("big", std::vector<std::int64_t>{5000000000, 1}),
      make_column("real", std::vector<double>{1, 2.5}),
      make_column("late", Texts{"007", "0x1"}),  // spelled as in the file although it looked like a number at first
      make_column("text", Texts{"a b", "c"}),
      make_column("quoted", Texts{"1", ""}),
      make_column("empty", Texts{"", ""}),
      make_column("commas", Texts{"a,\"b\"", "d"}),
  };
  expect_same(cloud.attributes, expected);
}

TEST(Text, RefusesWhatIsNotSoWithOneClearLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1 2 3\n4 5\n", "line 2: found 2 values, expected 3"},
      {"1 2 3\n4 5 6 7\n", "line 2: found 4 values, expected 3"},
      {"1 2\n3 4\n", "line 1: found \"1 2\", expected a point"},
      {"hello world\n", "line 1: found \"hello world\""},
      {"X,Y,X\n1,2,3\n", "line 1: found \"X,Y,X\""},
      {"1 2 3\n4 x 6\n", "line 2: found \"x\", expected the coordinate y"},
      {"1 2 3\n4 5 1e999\n", "line 2: found \"1e999\""},
      {"5\n1 2 3\n", "declares 5 points and ends after 1"},
      {"2\n//\n2\n0 0 0\n", "line 3: found a second line with one number"},
      {"# nothing\n\n", "the file holds no points"},
      {"\n", "the file holds no points"},
      {"12\n", "the file holds no points"},
      {"1 2 3\n" + std::string(300000, ' ') + std::string(100, '\0'), "line 2: found 1 values"},
      {std::string("1 2 3\n\0", 7), "is binary (byte 6 is 0x00)"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.xyz", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_CONTAINS(error, "a.xyz: ");
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

/// Some megabytes of lines: what they hold changes on the way.
std::string many_lines(std::size_t count, std::string_view ending) {
  std::string content;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    content += number + ".25 -" + number + " 1e3 " + number;
    content += i < count / 2 ? " 7" : " 0.5";
    content += i < count - 5 ? " 007" : " \"it's late\"";
    content += ending;
    if (i % (count / 4) == 99) {
      content += "# after " + number;
      content += ending;
      content += ending;
    }
  }
  return content;
}

TEST(Text, OfManyLinesIsReadAsThatOfFew) {
  constexpr std::size_t count = 200000;
  std::vector<double> reals(count, 7.0);
  std::fill(reals.begin() + count / 2, reals.end(), 0.5);
  Ints integers(count);
  std::iota(integers.begin(), integers.end(), 0);
  Texts texts(count, "007");
  std::fill(texts.end() - 5, texts.end(), "it's late");
  for (const char* ending : {"\n", "\r\n", "\r"}) {
    const std::string content = many_lines(count, ending);
    ASSERT_GT(content.size(), 5U << 20);
    const TempFolder folder;
    const auto path = folder.file("a.xyz", content);
    for (const int threads : {1, 3}) {
      ExecutionContext context;
      context.threads = threads;
      const PointCloud cloud = read(path, context);
      ASSERT_EQ(cloud.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<double>(i);
        ASSERT_EQ(cloud.positions[i], Vec3(number + 0.25, -number, 1000.0));
      }
      EXPECT_EQ(cloud.comments, (Texts{"after 99", "after 50099", "after 100099", "after 150099"}));
      expect_same(cloud.attributes,
                  {make_column("column4", integers), make_column("column5", reals), make_column("column6", texts)});
    }
  }
}

TEST(Text, SaysWhichOfManyLinesItCannotRead) {
  const TempFolder folder;
  const std::string good = many_lines(200000, "\n");
  EXPECT_CONTAINS(error_of_reading(folder.file("a.xyz", good + "1 2 3\n" + good)), "line 200009: found 3 values");
  EXPECT_CONTAINS(error_of_reading(folder.file("b.xyz", good + "\xEF\xBB\xBF" + good)),
                  "line 200009: found \"???0.25\", expected the coordinate x");
}

TEST(Text, BoundsTheLengthOfALine) {
  const TempFolder folder;
  const auto path = folder.file("a.xyz", "1 2 3\n");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 30);  // a gigabyte of zeros that takes no disk
  EXPECT_CONTAINS(error_of_reading(path), "is binary");
  std::ofstream(path) << "1 2 3\n" << std::string(300000, ' ');
  std::filesystem::resize_file(path, std::uintmax_t{1} << 30);
  EXPECT_CONTAINS(error_of_reading(path), "line 2: the line is longer than");
}

TEST(Text, TakesTimeAndMemoryByTheBytesOfALine) {
  // Two million quotes, each doubled, in one value.
  const std::size_t count = 2000000;
  const PointCloud cloud = read_content("a.csv", "x,y,z,t\n1,2,3,\"" + std::string(2 * count, '"') + "\"\n");
  EXPECT_EQ(std::get<Texts>(cloud.attributes.at(0).values).at(0), std::string(count, '"'));
  std::string line;
  for (int i = 0; i < 70000; ++i) {
    line += "1 ";
  }
  EXPECT_CONTAINS(error_of_content("a.xyz", line), "line 1: found more than 65536 values");
  EXPECT_CONTAINS(error_of_content("a.xyz", "1 2 3\n" + line), "line 2: found 65537 values, expected 3");
}

PointCloud random_cloud(std::mt19937_64& random) {
  PointCloud cloud;
  const std::size_t rows = 1 + random() % 300;
  const auto real = [&] {
    double value = 0;
    do {
      const std::uint64_t bits = random();
      std::memcpy(&value, &bits, sizeof value);
    } while (!std::isfinite(value));
    return value;
  };
  std::vector<double> reals = {0.5};
  std::vector<std::int64_t> integers = {std::numeric_limits<std::int64_t>::min()};
  Texts texts = {""};
  for (std::size_t row = 0; row < rows; ++row) {
    cloud.positions.emplace_back(real(), real(), row == 0 ? -0.0 : real());
    reals.push_back(row == 1 ? std::numeric_limits<double>::denorm_min() : real());
    integers.push_back(static_cast<std::int64_t>(random()));
    texts.push_back(std::string(random() % 5, ",; \t\"#a1"[random() % 8]));
  }
  reals.pop_back();
  integers.pop_back();
  texts.pop_back();
  cloud.attributes = {make_column("real", reals), make_column("an integer", integers), make_column("te\"xt", texts)};
  cloud.comments = {"one", "", "  two"};
  return cloud;
}

TEST(Text, GivesBackWhatWasWritten) {
  const TempFolder folder;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const PointCloud cloud = random_cloud(random);
    for (const char* name : {"a.xyz", "a.csv", "a.txt", "a.asc", "A.CSV"}) {
      write(folder / name, cloud);
      expect_same(read(folder / name), cloud);
    }
  }
}

TEST(Text, WritesWhatOthersRead) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.positions = {{0.1F, 1e10F, -2.5}, {1, 2, std::numeric_limits<double>::quiet_NaN()}};
  cloud.position_type = ScalarType::float32;
  cloud.tables.push_back(Table{"face", 7, {}});
  write(folder / "a.xyz", cloud);
  EXPECT_EQ(bytes_of(folder / "a.xyz"), "0.1 1e+10 -2.5\n1 2 nan\n");
  cloud.attributes = {make_column("column4", std::vector<std::uint8_t>{255, 0})};
  write(folder / "a.xyz", cloud);
  EXPECT_EQ(bytes_of(folder / "a.xyz"), "0.1 1e+10 -2.5 255\n1 2 nan 0\n");
  cloud.attributes.push_back(make_column("label", Texts{"a tree", "b"}));
  cloud.comments = {"hello"};
  write(folder / "a.xyz", cloud);
  EXPECT_EQ(bytes_of(folder / "a.xyz"),
            "# hello\n# x y z column4 label\n0.1 1e+10 -2.5 255 \"a tree\"\n1 2 nan 0 \"b\"\n");
  write(folder / "a.csv", cloud);
  EXPECT_EQ(bytes_of(folder / "a.csv"),
            "# hello\nx,y,z,column4,label\n0.1,1e+10,-2.5,255,\"a tree\"\n1,2,nan,0,\"b\"\n");
}

TEST(Text, KeepsAnEmptyCloud) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.attributes = {make_column("red", std::vector<std::uint8_t>())};
  for (const char* name : {"a.xyz", "a.csv"}) {
    write(folder / name, cloud);
    const PointCloud again = read(folder / name);
    EXPECT_EQ(again.size(), 0U);
    EXPECT_EQ(names_of(again), Names{"red"});
  }
}

TEST(Text, SaysWhichColumnItCannotHold) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.positions.resize(1, Vec3::Zero());
  cloud.attributes = {make_column("list", std::vector<int>{1})};
  cloud.attributes[0].is_list = true;
  cloud.attributes[0].list_ends = {1};
  EXPECT_THROW(write(folder / "a.csv", cloud), Error);
  cloud.attributes = {make_column("text", Texts{"two\nlines"})};
  EXPECT_THROW(write(folder / "a.csv", cloud), Error);
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace
}  // namespace burnish
