#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/files.hpp"
#include "io/las_file.hpp"

namespace burnish {
namespace {

template <class T>
T value_of(const PointCloud& cloud, const char* name, std::size_t row) {
  const Column* const column = cloud.find_attribute(name);
  if (column == nullptr) {
    ADD_FAILURE() << "no attribute " << name;
    return T{};
  }
  return std::get<std::vector<T>>(column->values).at(row);
}

/// Random bits in every point, in every format and in every version that has it, with everything a file can have.
LasFile full_file(unsigned minor, unsigned format) {
  LasFile file;
  file.minor = minor;
  file.format = format;
  file.records =
      las_vlr("LASF_Projection", 34735, std::string(17, '\3')) +
      las_vlr("LASF_Spec", 4,
              las_extra("height", 9) + las_extra("pair", 13) + las_extra("intensity", 1) + las_extra("opaque", 0, 5)) +
      las_vlr("mine", 77, "") + "gap";
  file.record_count = 3;
  file.extra = 4 + 4 + 1 + 5 + 3;
  file.add_random_points(200, 10 * format + minor);
  file.trailer = minor == 4 ? std::string(60, '\1') + "content" : "after";
  file.extended = minor == 4 ? 1 : 0;
  return file;
}

TEST(Las, GivesBackEveryByteOfThePointsAndTheirHeader) {
  const TempFolder folder;
  for (unsigned minor = 0; minor <= 4; ++minor) {
    for (unsigned format = 0; format <= (minor < 4 ? (minor < 3 ? 3U : 5U) : 10U); ++format) {
      SCOPED_TRACE(testing::Message() << "version 1." << minor << ", format " << format);
      const std::string before = full_file(minor, format).bytes();
      const PointCloud cloud = read(folder.file("a.las", before));
      ASSERT_EQ(cloud.size(), 200U);
      write(folder / "b.las", cloud);
      const std::string after = bytes_of(folder / "b.las");
      ASSERT_EQ(after.size(), before.size());
      const std::size_t points = get<std::uint32_t>(before, 96);
      EXPECT_EQ(after.substr(points), before.substr(points));
      // In the header, only the counts by return and the bounds are new.
      std::string expected = before;
      expected.replace(111, 20, after.substr(111, 20)).replace(179, 48, after.substr(179, 48));
      if (minor == 4) {
        expected.replace(255, 120, after.substr(255, 120));
      }
      EXPECT_EQ(after.substr(0, points), expected.substr(0, points));
      expect_same(read(folder / "b.las"), cloud);
    }
  }
}

TEST(Las, KeepsTheCountsByReturnOfPointsThatSayNone) {
  const TempFolder folder;
  for (const unsigned minor : {2U, 4U}) {
    LasFile file;
    file.minor = minor;
    file.format = minor == 2 ? 1 : 6;
    file.points.resize(50 * file.point_size());
    for (std::size_t i = 0; i < 50; ++i) {
      put(file.points, i * file.point_size(), static_cast<std::int32_t>(i));
    }
    std::string before = file.bytes();
    if (minor == 2) {
      put<std::uint32_t>(before, 111, 30);
      put<std::uint32_t>(before, 115, 20);
    } else {
      put<std::uint64_t>(before, 255, 30);
      put<std::uint64_t>(before, 263, 20);
    }
    write(folder / "b.las", read(folder.file("a.las", before)));
    const std::string after = bytes_of(folder / "b.las");
    EXPECT_EQ(after.substr(111, 20), before.substr(111, 20));
    if (minor == 4) {
      EXPECT_EQ(after.substr(255, 120), before.substr(255, 120));
    }
    PointCloud fewer = read(folder / "b.las");
    keep_points(fewer, [] {
      std::vector<bool> keep(50, true);
      keep[3] = false;
      return keep;
    }());
    write(folder / "c.las", fewer);
    EXPECT_EQ(get<std::uint32_t>(bytes_of(folder / "c.las"), 111), 0U);
  }
}

TEST(Las, KnowsEveryFieldOfOldAndNewPoints) {
  LasFile file;
  file.format = 3;
  file.points.resize(34);
  put<std::int32_t>(file.points, 0, 250);
  put<std::int32_t>(file.points, 4, -100);
  put<std::int32_t>(file.points, 8, 7);
  put<std::uint16_t>(file.points, 12, 54321);
  put<std::uint8_t>(file.points, 14, 0b10'101'011);
  put<std::uint8_t>(file.points, 15, 0b101'00110);
  put<std::int8_t>(file.points, 16, -15);
  put<std::uint8_t>(file.points, 17, 200);
  put<std::uint16_t>(file.points, 18, 9999);
  put<double>(file.points, 20, 1e9 + 0.5);
  put<std::uint16_t>(file.points, 28, 65535);
  put<std::uint16_t>(file.points, 30, 256);
  put<std::uint16_t>(file.points, 32, 1);
  PointCloud cloud = read_content("a.las", file.bytes());
  EXPECT_EQ(cloud.positions.at(0), Vec3(250 * 0.01 + 1000, -100 * 0.01 + 1000, 7 * 0.01 + 1000));
  EXPECT_EQ(value_of<std::uint16_t>(cloud, "intensity", 0), 54321);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "return_number", 0), 3);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "number_of_returns", 0), 5);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "scan_direction_flag", 0), 0);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "edge_of_flight_line", 0), 1);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "classification", 0), 6);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "synthetic", 0), 1);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "key_point", 0), 0);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "withheld", 0), 1);
  EXPECT_EQ(value_of<std::int8_t>(cloud, "scan_angle_rank", 0), -15);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "user_data", 0), 200);
  EXPECT_EQ(value_of<std::uint16_t>(cloud, "point_source_id", 0), 9999);
  EXPECT_EQ(value_of<double>(cloud, "gps_time", 0), 1e9 + 0.5);
  EXPECT_EQ(value_of<std::uint16_t>(cloud, "red", 0), 65535);
  EXPECT_EQ(value_of<std::uint16_t>(cloud, "blue", 0), 1);

  file.minor = 4;
  file.format = 10;
  file.points.assign(67, '\0');
  put<std::uint8_t>(file.points, 14, 0xC9);
  put<std::uint8_t>(file.points, 15, 0b01'10'1010);
  put<std::uint8_t>(file.points, 16, 64);
  put<std::int16_t>(file.points, 18, -15000);
  put<double>(file.points, 22, -2.5);
  put<std::uint16_t>(file.points, 36, 4321);
  put<std::uint8_t>(file.points, 38, 3);
  put<std::uint64_t>(file.points, 39, 1ULL << 40);
  put<std::uint32_t>(file.points, 47, 77);
  put<float>(file.points, 63, 0.25F);
  cloud = read_content("a.las", file.bytes());
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "return_number", 0), 9);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "number_of_returns", 0), 12);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "key_point", 0), 1);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "overlap", 0), 1);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "scanner_channel", 0), 2);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "scan_direction_flag", 0), 1);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "classification", 0), 64);
  EXPECT_EQ(value_of<std::int16_t>(cloud, "scan_angle", 0), -15000);
  EXPECT_EQ(value_of<double>(cloud, "gps_time", 0), -2.5);
  EXPECT_EQ(value_of<std::uint16_t>(cloud, "nir", 0), 4321);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "wavepacket_index", 0), 3);
  EXPECT_EQ(value_of<std::uint64_t>(cloud, "wavepacket_offset", 0), 1ULL << 40);
  EXPECT_EQ(value_of<std::uint32_t>(cloud, "wavepacket_size", 0), 77U);
  EXPECT_EQ(value_of<float>(cloud, "z_t", 0), 0.25F);
}

TEST(Las, NamesExtraBytesThatAreDescribedAndKeepsTheOthers) {
  const PointCloud cloud = read_content("a.las", full_file(4, 6).bytes());
  const std::string points = full_file(4, 6).points;
  float height = 0;
  std::memcpy(&height, points.data() + 30, sizeof height);
  const auto first = value_of<float>(cloud, "height", 0);
  EXPECT_EQ(std::memcmp(&first, &height, sizeof height), 0);
  ASSERT_NE(cloud.find_attribute("pair"), nullptr);
  EXPECT_EQ(cloud.find_attribute("pair")->type(), ScalarType::uint16);
  EXPECT_EQ(cloud.find_attribute("pair")->list_ends.at(1), 4U);
  EXPECT_EQ(value_of<std::uint8_t>(cloud, "intensity_2", 0), static_cast<std::uint8_t>(points[38]));
  EXPECT_EQ(cloud.find_attribute("opaque")->list_ends.at(0), 5U);
  EXPECT_EQ(cloud.find_attribute("extra_bytes")->list_ends.at(0), 3U);
}

TEST(Las, RoundsMovedPointsAndWritesTheirBoundsAndReturns) {
  const TempFolder folder;
  LasFile file;
  file.minor = 4;
  file.format = 6;
  file.points.assign(3 * 30, '\0');
  for (std::size_t i = 0; i < 3; ++i) {
    put(file.points, 30 * i, static_cast<std::int32_t>(100 * i));
    put(file.points, 30 * i + 14, static_cast<std::uint8_t>(0x20 + (i == 0 ? 1 : 2)));
  }
  PointCloud cloud = read(folder.file("a.las", file.bytes()));
  cloud.positions[1].x() += 0.0149;
  cloud.positions[2].y() = 990;
  write(folder / "b.las", cloud);
  const std::string bytes = bytes_of(folder / "b.las");
  EXPECT_EQ(get<std::int32_t>(bytes, 375), 0);
  EXPECT_EQ(get<std::int32_t>(bytes, 375 + 30), 101);
  EXPECT_EQ(get<std::int32_t>(bytes, 375 + 60 + 4), -1000);
  EXPECT_EQ(get<double>(bytes, 179), 1002);  // x
  EXPECT_EQ(get<double>(bytes, 187), 1000);
  EXPECT_EQ(get<double>(bytes, 195), 1000);  // y
  EXPECT_EQ(get<double>(bytes, 203), 990);
  EXPECT_EQ(get<std::uint32_t>(bytes, 107), 0U);
  EXPECT_EQ(get<std::uint64_t>(bytes, 247), 3U);
  EXPECT_EQ(get<std::uint64_t>(bytes, 255), 1U);
  EXPECT_EQ(get<std::uint64_t>(bytes, 263), 2U);
  EXPECT_EQ(get<double>(bytes, 131), 0.01);
}

TEST(Las, TakesACoarserScaleWherePointsLeaveItsRange) {
  const TempFolder folder;
  LasFile file;
  file.scale = 1e-9;
  file.points.assign(40, '\0');
  put(file.points, 0, std::int32_t{2147483647});
  put(file.points, 20, std::int32_t{-2147483647});
  PointCloud cloud = read(folder.file("a.las", file.bytes()));
  cloud.positions[0].x() += 0.5;
  write(folder / "b.las", cloud);
  const PointCloud again = read(folder / "b.las");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(again.positions[i].x(), cloud.positions[i].x(), 1e-8);
    EXPECT_EQ(again.positions[i].y(), cloud.positions[i].y());
  }
  EXPECT_EQ(get<double>(bytes_of(folder / "b.las"), 139), 1e-9);  // y has its own still
}

TEST(Las, HoldsACloudOfAnotherFormat) {
  const TempFolder folder;
  PointCloud cloud;
  cloud.positions = {{-1.25, 3e5, 0}, {2.5, 3e5 + 0.001, 0}, {0, 3e5, 0}};
  Column list = make_column("normal", std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  list.is_list = true;
  list.list_ends = {3, 6, 9};
  cloud.attributes = {make_column("red", std::vector<std::uint8_t>{0, 128, 255}),
                      make_column("green", std::vector<std::uint8_t>{1, 2, 3}),
                      make_column("blue", std::vector<std::uint8_t>{0, 0, 0}),
                      make_column("classification", std::vector<std::int32_t>{0, 6, 255}),
                      make_column("intensity", std::vector<float>{0.5F, 1, 2}),
                      make_column("big", std::vector<std::int64_t>{-1, 1LL << 60, 0}),
                      list};
  write(folder / "a.las", cloud);
  const std::string bytes = bytes_of(folder / "a.las");
  EXPECT_EQ(get<std::uint8_t>(bytes, 25), 4);
  EXPECT_EQ(get<std::uint8_t>(bytes, 104), 7);
  PointCloud again = read(folder / "a.las");
  ASSERT_EQ(again.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT((again.positions[i] - cloud.positions[i]).norm(), 1e-9);
  }
  expect_same(*again.find_attribute("red"), make_column("red", std::vector<std::uint16_t>{0, 128 * 257, 65535}));
  expect_same(*again.find_attribute("classification"),
              make_column("classification", std::vector<std::uint8_t>{0, 6, 255}));
  expect_same(*again.find_attribute("intensity_2"), make_column("intensity_2", std::vector<float>{0.5F, 1, 2}));
  expect_same(*again.find_attribute("big"), cloud.attributes[5]);
  expect_same(*again.find_attribute("normal"), list);
  // A further attribute finds its place behind those that are there.
  again.attributes.push_back(make_column("noise", std::vector<double>{0.25, 0.5, 0.75}));
  write(folder / "b.las", again);
  expect_same(read(folder / "b.las"), again);

  cloud.positions[1].z() = std::nan("");
  EXPECT_THROW(write(folder / "c.las", cloud), Error);
  EXPECT_EQ(folder.files(), 2U);
}

TEST(Las, AddsAttributesToAFileWithUndescribedBytesAndATrailer) {
  const TempFolder folder;
  LasFile file = full_file(4, 3);
  PointCloud cloud = read(folder.file("a.las", file.bytes()));
  cloud.attributes.push_back(make_column("noise", std::vector<double>(200, 0.5)));
  write(folder / "b.las", cloud);
  PointCloud again = read(folder / "b.las");
  expect_same(again, cloud);
  EXPECT_EQ(again.format_data.at("las trailer"), file.trailer);
  const std::string bytes = bytes_of(folder / "b.las");
  EXPECT_EQ(bytes.substr(get<std::uint64_t>(bytes, 235)), file.trailer);
}

TEST(Las, KeepsAnEmptyCloud) {
  const TempFolder folder;
  write(folder / "a.las", PointCloud());
  EXPECT_EQ(read(folder / "a.las").size(), 0U);
  LasFile file;
  file.format = 2;
  EXPECT_EQ(read_content("a.las", file.bytes()).size(), 0U);
}

TEST(Las, RefusesWhatIsNotSoWithOneClearLine) {
  LasFile file;
  file.points.assign(100, '\0');
  const std::string good = file.bytes();
  const auto with = [&](std::size_t place, auto value) {
    std::string bytes = good;
    put(bytes, place, value);
    return bytes;
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {good.substr(0, 200), "the file ends at byte 200 inside its LAS header"},
      {good.substr(0, 300), "the file ends at byte 300 inside point 4, but its header declares 5 points of 20 bytes"},
      {with(24, std::uint8_t{2}), "byte 24: found LAS version 2.2"},
      {with(25, std::uint8_t{4}), "declares points at byte 227 after a header of 227 bytes"},
      {with(96, std::uint32_t{999999}), "declares points at byte 999999"},
      {with(100, std::uint32_t{1069128089}), "declares 1069128089 variable length records, but only 0"},
      {with(104, std::uint8_t{11}), "byte 104: found point format 11"},
      {with(104, std::uint8_t{1}), "byte 105: found 20 bytes per point, but format 1 takes 28"},
      {with(105, std::uint16_t{0}), "byte 105: found 0 bytes per point"},
      {with(107, ~std::uint32_t{0}), "declares 4294967295 points"},
      {with(131, 0.0), "byte 131: found scale 0"},
      {with(155, std::nan("")), "offset nan of coordinate x"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.las", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace burnish
