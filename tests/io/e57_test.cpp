#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io/crc32c.hpp"
#include "io/e57_file.hpp"
#include "io/files.hpp"

// That E57 files of other programs are read is tested on the files of shared_files_test.cpp; that those programs read
// ours, in tests/peers.

namespace burnish {
namespace {

using Scan = E57File::Scan;

TEST(Crc32c, IsThatOfTheStandardAndOfASlowOne) {
  EXPECT_EQ(io::crc32c("123456789"), 0xE3069283U);  // RFC 3720, B.4 has more
  EXPECT_EQ(io::crc32c(std::string(32, '\0')), 0x8A9136AAU);
  std::mt19937_64 random(1);
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(io::crc32c(bytes), slow_crc32c(bytes));
    bytes += static_cast<char>(random());
  }
}

const std::string pose =
    "<pose type=\"Structure\"><rotation type=\"Structure\"><w type=\"Float\">0.5</w><x type=\"Float\">0.5</x>"
    "<y type=\"Float\">0.5</y><z type=\"Float\">0.5</z></rotation><translation type=\"Structure\"><x type=\"Float\">100"
    "</x><y type=\"Float\"/><z type=\"Float\">-2.5e+001</z></translation></pose>";

Scan simple_scan() {
  return {2,
          {E57File::float64("cartesianX", {1, 4}), E57File::float64("cartesianY", {2, 5}),
           E57File::float64("cartesianZ", {3, 6})},
          ""};
}

/// Two scans, one of them rotated and moved, with different fields, and an image.
E57File two_scans() {
  E57File file;
  Scan first = simple_scan();
  first.xml = "<name type=\"String\"><![CDATA[first]]></name>" + pose;
  first.fields.push_back(E57File::integer("colorRed", 0, 255, 8, {7, 255}));
  first.fields.push_back(E57File::float32("nor:normalX", {1, 0}));
  first.fields.push_back(E57File::float32("nor:normalY", {0, 1}));
  first.fields.push_back(E57File::float32("nor:normalZ", {0, 0}));
  Scan second = {3,
                 {E57File::float32("cartesianX", {1, 2, 3}), E57File::float32("cartesianY", {1, 2, 3}),
                  E57File::float32("cartesianZ", {1, 2, 3}), E57File::integer("colorRed", 0, 1000, 10, {1000, 1, 2}),
                  E57File::float64("mine:height", {1e100, 2, 3})},
                 ""};
  file.scans = {first, second};
  file.extensions = " xmlns:nor=\"http://www.libe57.org/E57_NOR_surface_normals.txt\" xmlns:mine=\"urn:mine\"";
  file.images = {std::string("an image, \0 or what else", 23) + std::string(3000, 'x')};
  return file;
}

/// The XML with another text for every offset in the file.
std::string with_offsets(std::string xml, const std::string& text) {
  const std::string key = "fileOffset=\"";
  for (std::size_t at = xml.find(key); at != std::string::npos; at = xml.find(key, at + 1)) {
    const std::size_t begin = at + key.size();
    xml.replace(begin, xml.find('"', begin) - begin, text);
  }
  return xml;
}

/// The XML without what has to change, and with empty elements and the ends of lines in one spelling.
std::string same_xml(const std::string& file) {
  std::string xml = with_offsets(e57_xml(file), "");
  // <name …></name> as <name …/>
  for (std::size_t at = xml.find("></"); at != std::string::npos; at = xml.find("></", at + 1)) {
    const std::size_t open = xml.rfind('<', at);
    const std::string name = xml.substr(open + 1, xml.find_first_of(" \n>", open) - open - 1);
    if (xml.compare(at + 3, name.size() + 1, name + ">") == 0) {
      xml.replace(at, name.size() + 4, "/>");
    }
  }
  for (std::size_t at = xml.find(">\n"); at != std::string::npos; at = xml.find(">\n", at)) {
    xml.erase(at + 1, 1);
  }
  return xml;
}

TEST(E57, HasIntegersOfEveryWidth) {
  std::mt19937_64 random(3);
  constexpr std::size_t count = 1000;
  E57File file;
  file.bytes_in_packet = 301;
  Scan scan{count, {}, ""};
  for (const char* name : {"cartesianX", "cartesianY", "cartesianZ"}) {
    scan.fields.push_back(E57File::float32(name, std::vector<float>(count, 1)));
  }
  std::vector<std::vector<std::int64_t>> expected;
  for (unsigned width = 0; width <= 64; ++width) {
    const std::int64_t minimum = width == 64 ? std::numeric_limits<std::int64_t>::min() : -5;
    const std::uint64_t range = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
    const auto maximum = static_cast<std::int64_t>(static_cast<std::uint64_t>(minimum) + range);
    std::vector<std::uint64_t> stored(count);
    expected.emplace_back();
    for (std::uint64_t& number : stored) {
      number = random() & range;
      expected.back().push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(minimum) + number));
    }
    if (width == 63) {
      continue;  // -5 and 2^63 - 1 above would be too large a maximum
    }
    scan.fields.push_back(E57File::integer("w" + std::to_string(width), minimum, maximum, width, stored));
  }
  file.scans = {scan};
  const TempFolder folder;
  const PointCloud cloud = read(folder.file("a.e57", file.bytes()));
  write(folder / "b.e57", cloud);
  const PointCloud again = read(folder / "b.e57");
  expect_same(again.attributes, cloud.attributes);
  for (unsigned width = 0; width <= 64; ++width) {
    const Column* const column = cloud.find_attribute("w" + std::to_string(width));
    if (width == 63) {
      continue;
    }
    ASSERT_NE(column, nullptr) << width;
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          if constexpr (std::is_integral_v<T>) {
            for (std::size_t i = 0; i < count; ++i) {
              ASSERT_EQ(static_cast<std::int64_t>(values[i]), expected[width][i]) << width;
            }
          } else {
            FAIL() << width;
          }
        },
        column->values);
  }
  EXPECT_EQ(cloud.find_attribute("w8")->type(), ScalarType::int16);  // -5 to 250
  EXPECT_EQ(cloud.find_attribute("w6")->type(), ScalarType::int8);
}

TEST(E57, AppliesThePosesOfItsScans) {
  const PointCloud cloud = read_content("a.e57", two_scans().bytes());
  ASSERT_EQ(cloud.size(), 5U);
  // That quaternion takes x to y, y to z and z to x.
  EXPECT_LT((cloud.positions[0] - Vec3(103, 1, -23)).norm(), 1e-12);
  EXPECT_LT((cloud.positions[1] - Vec3(106, 4, -20)).norm(), 1e-12);
  EXPECT_EQ(cloud.positions[4], Vec3(3, 3, 3));
  EXPECT_EQ(cloud.position_type, ScalarType::float64);
  expect_same(*cloud.find_attribute("scan"), make_column("scan", std::vector<std::int32_t>{0, 0, 1, 1, 1}));
  expect_same(*cloud.find_attribute("red"), make_column("red", std::vector<std::uint16_t>{7, 255, 1000, 1, 2}));
  expect_same(*cloud.find_attribute("mine:height"), make_column("mine:height", std::vector<double>{0, 0, 1e100, 2, 3}));
  EXPECT_NEAR(normals_of(cloud)[0].y(), 1, 1e-7);
  EXPECT_NEAR(normals_of(cloud)[1].z(), 1, 1e-7);
  EXPECT_EQ(cloud.comments.at(0), "E57 scan \"first\" of 2 points, scanner at 100 0 -25, rotation 0.5 0.5 0.5 0.5");
  EXPECT_EQ(cloud.comments.at(1), "E57 scan of 3 points");
}

TEST(E57, GivesScansTheirPosesPointsAndImagesBack) {
  const TempFolder folder;
  const std::string before = two_scans().bytes();
  PointCloud cloud = read(folder.file("a.e57", before));
  EXPECT_EQ(fit_to_format(folder / "b.e57", cloud), std::vector<std::string>());
  write(folder / "b.e57", cloud);
  const std::string after = bytes_of(folder / "b.e57");
  EXPECT_EQ(same_xml(after), same_xml(before));
  EXPECT_NE(e57_content(after).find(two_scans().images[0]), std::string::npos);
  const PointCloud again = read(folder / "b.e57");
  ASSERT_EQ(again.size(), cloud.size());
  expect_same(again.attributes, cloud.attributes);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    EXPECT_LT((again.positions[i] - cloud.positions[i]).norm(), 1e-12);
  }
  // A scan without a pose has the same bytes.
  const std::string floats = e57_floats<float>({1, 2, 3});
  EXPECT_NE(e57_content(after).find(floats + floats + floats), std::string::npos);
  EXPECT_EQ(again.format_data.at("e57 blobs"), two_scans().images[0]);
}

TEST(E57, CarriesImagesAndAllElseInTheXmlAlong) {
  E57File file = two_scans();
  // Of lengths that are no multiples of four, one of them empty, one longer than a page.
  file.images = {"first", "", std::string(5001, 'p'), "last"};
  file.elements =
      "<?program keeps this?>\n<!-- and <this> -->\n<mine:weather type=\"Structure\" unit=\"&quot;°C&quot;\">\n\t"
      "<mine:air type=\"ScaledInteger\" minimum=\"0\" maximum=\"9\" scale=\"0.1\">7</mine:air>\n"
      "<mine:words type=\"String\"><![CDATA[<b> & \"ü\" ]]]]><![CDATA[>]]></mine:words>☺</mine:weather>\n"
      "<coordinateMetadata type=\"String\"><![CDATA[EPSG:25832]]></coordinateMetadata>\n";
  file.scans[1].xml =
      "<temperature type=\"Float\">2.150e+001</temperature><indexBounds type=\"Structure\"><rowMinimum "
      "type=\"Integer\">0</rowMinimum></indexBounds>";
  const TempFolder folder;
  const std::string before = file.bytes();
  PointCloud cloud = read(folder.file("a.e57", before));
  for (Vec3& p : cloud.positions) {
    p += Vec3(0.01, -0.02, 0.03);  // as denoising does
  }
  write(folder / "b.e57", cloud);
  const std::string after = bytes_of(folder / "b.e57");
  EXPECT_EQ(same_xml(after), same_xml(before));
  // Each where the XML says.
  const std::string xml = e57_xml(after);
  const std::string blob = "type=\"Blob\" fileOffset=\"";
  std::vector<std::string> images;
  for (std::size_t at = xml.find(blob); at != std::string::npos; at = xml.find(blob, at + 1)) {
    const std::uint64_t place = std::stoull(xml.substr(at + blob.size()));
    const std::string key = "length=\"";
    const std::uint64_t length = std::stoull(xml.substr(xml.find(key, at) + key.size()));
    images.push_back(e57_content(after).substr(place / 1024 * 1020 + place % 1024 + 16, length));
  }
  EXPECT_EQ(images, file.images);
}

TEST(E57, ReportsWhereTheScannerWas) {
  E57File file = two_scans();
  EXPECT_TRUE(scanner_positions_of(read_content("a.e57", file.bytes())).empty());  // of the second it is not known
  file.scans[1].xml = pose;
  const std::vector<Vec3> places = scanner_positions_of(read_content("a.e57", file.bytes()));
  EXPECT_EQ(places, std::vector<Vec3>(5, Vec3(100, 0, -25)));
}

TEST(E57, HasSphericalCoordinates) {
  E57File file;
  const double quarter = std::numbers::pi / 2;
  file.scans = {{4,
                 {E57File::float64("sphericalRange", {2, 2, 2, 3}),
                  E57File::integer("sphericalAzimuth", 0, 3, 2, {0, 1, 3, 0},
                                   " scale=\"" + std::to_string(quarter) + "\"", "ScaledInteger"),
                  E57File::float64("sphericalElevation", {0, 0, 0, quarter}),
                  E57File::integer("sphericalInvalidState", 0, 2, 2, {0, 0, 0, 1})},
                 ""}};
  const TempFolder folder;
  const PointCloud cloud = read(folder.file("a.e57", file.bytes()));
  ASSERT_EQ(cloud.size(), 4U);
  EXPECT_LT((cloud.positions[0] - Vec3(2, 0, 0)).norm(), 1e-6);
  EXPECT_LT((cloud.positions[1] - Vec3(0, 2, 0)).norm(), 1e-5);
  EXPECT_LT((cloud.positions[2] - Vec3(0, -2, 0)).norm(), 1e-5);
  EXPECT_TRUE(cloud.positions[3].array().isNaN().all());
  write(folder / "b.e57", cloud);
  EXPECT_EQ(same_xml(bytes_of(folder / "b.e57")), same_xml(file.bytes()));
  const PointCloud again = read(folder / "b.e57");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT((again.positions[i] - cloud.positions[i]).norm(), 1e-12);
  }
  // The direction of a point without a range is there again too, as far as a NaN can hold it.
  const std::string content = e57_content(bytes_of(folder / "b.e57"));
  const std::string streams = content.substr(48 + 32 + 6 + 8);
  EXPECT_EQ(get<double>(streams, 24), 3);
  EXPECT_NEAR(get<double>(streams, 32 + 1 + 24), quarter, 1e-11);
}

TEST(E57, HasScaledIntegersAndPointsThatAreInvalid) {
  E57File file;
  const std::string scale = " scale=\"0.001\" offset=\"10\"";
  file.scans = {{3,
                 {E57File::integer("cartesianX", -500, 500, 10, {0, 500, 1000}, scale, "ScaledInteger"),
                  E57File::integer("cartesianY", -500, 500, 10, {1, 501, 999}, scale, "ScaledInteger"),
                  E57File::integer("cartesianZ", -500, 500, 10, {2, 502, 998}, scale, "ScaledInteger"),
                  E57File::integer("cartesianInvalidState", 0, 2, 2, {0, 1, 2}),
                  E57File::integer("intensity", 0, 100, 7, {100, 50, 0}, " scale=\"0.5\"", "ScaledInteger")},
                 ""}};
  const TempFolder folder;
  const std::string before = file.bytes();
  PointCloud cloud = read(folder.file("a.e57", before));
  EXPECT_NEAR(cloud.positions[0].x(), 9.5, 1e-12);
  EXPECT_TRUE(std::isnan(cloud.positions[1].x()));
  EXPECT_TRUE(std::isnan(cloud.positions[2].x()));
  expect_same(*cloud.find_attribute("intensity"), make_column("intensity", std::vector<double>{50, 25, 0}));
  write(folder / "b.e57", cloud);
  const auto section = [](const std::string& bytes) { return e57_content(bytes).substr(48 + 32 + 6 + 10, 16); };
  EXPECT_EQ(section(bytes_of(folder / "b.e57")), section(before));  // every bit, of invalid points too
  EXPECT_EQ(same_xml(bytes_of(folder / "b.e57")), same_xml(before));

  // A point that leaves the range of the integers makes them wider.
  cloud.positions[0].x() = 20;
  write(folder / "b.e57", cloud);
  EXPECT_NEAR(read(folder / "b.e57").positions[0].x(), 20, 1e-12);
  EXPECT_CONTAINS(e57_xml(bytes_of(folder / "b.e57")), "minimum=\"-500\" maximum=\"10000\"");
}

TEST(E57, CorrectsBoundsAndCounts) {
  E57File file;
  file.scans = {simple_scan()};
  file.scans[0].xml =
      "<cartesianBounds type=\"Structure\"><xMinimum type=\"Float\">1</xMinimum><xMaximum type=\"Float\">4</xMaximum>"
      "</cartesianBounds>";
  const TempFolder folder;
  PointCloud cloud = read(folder.file("a.e57", file.bytes()));
  cloud.positions[1].x() = 4.5;
  cloud.positions.emplace_back(2, 2, 2);
  write(folder / "b.e57", cloud);
  const std::string xml = e57_xml(bytes_of(folder / "b.e57"));
  EXPECT_CONTAINS(xml, "<xMinimum type=\"Float\">1</xMinimum><xMaximum type=\"Float\">4.5</xMaximum>");
  EXPECT_CONTAINS(xml, "recordCount=\"3\"");
}

TEST(E57, CorrectsBoundsOfSphericalCoordinates) {
  E57File file;
  file.scans = {{2,
                 {E57File::float64("sphericalRange", {2, 3}), E57File::float64("sphericalAzimuth", {0, 1}),
                  E57File::float64("sphericalElevation", {0, 0.5})},
                 "<sphericalBounds type=\"Structure\"><rangeMinimum type=\"Float\">2</rangeMinimum>"
                 "<rangeMaximum type=\"Float\">3</rangeMaximum><elevationMinimum type=\"Float\">0</elevationMinimum>"
                 "<azimuthStart type=\"Float\">-0.5</azimuthStart></sphericalBounds>"}};
  const TempFolder folder;
  PointCloud cloud = read(folder.file("a.e57", file.bytes()));
  write(folder / "b.e57", cloud);
  EXPECT_EQ(same_xml(bytes_of(folder / "b.e57")), same_xml(file.bytes()));
  cloud.positions[0].x() = 1.5;
  write(folder / "b.e57", cloud);
  const std::string xml = e57_xml(bytes_of(folder / "b.e57"));
  EXPECT_CONTAINS(xml, "<rangeMinimum type=\"Float\">1.5</rangeMinimum><rangeMaximum type=\"Float\">3</rangeMaximum>");
  EXPECT_CONTAINS(xml, "<elevationMinimum type=\"Float\">0</elevationMinimum>");
  EXPECT_CONTAINS(xml, "<azimuthStart type=\"Float\">-0.5</azimuthStart>");
}

TEST(E57, HoldsCloudsOfOtherFormats) {
  const TempFolder folder;
  PointCloud cloud;
  for (int i = 0; i < 5000; ++i) {
    cloud.positions.emplace_back(0.1 * i, -i, 1e6 + i);
  }
  cloud.positions[7].setConstant(std::nan(""));
  const auto fill = [&]<class T>(const char* name, T low, T high) {
    std::vector<T> values(cloud.size(), low);
    values[1] = high;
    cloud.attributes.push_back(make_column(name, values));
  };
  fill("intensity", std::uint16_t{1}, std::uint16_t{9});
  fill("red", std::uint8_t{0}, std::uint8_t{255});
  fill("green", std::uint8_t{0}, std::uint8_t{255});
  fill("blue", std::uint8_t{0}, std::uint8_t{255});
  fill("nx", -1.0F, 1.0F);
  fill("a-1", std::int8_t{-128}, std::int8_t{127});
  fill("b", std::int16_t{-1}, std::int16_t{1});
  fill("c", std::int32_t{-1}, std::int32_t{1});
  fill("d", std::uint32_t{0}, ~std::uint32_t{0});
  fill("e", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  fill("f", std::uint64_t{0}, std::uint64_t{1} << 62U);
  fill("g", -1e300, 0.1);
  fill("two words", 1.5F, 2.5F);
  fill("two_words", 1.5F, 2.5F);
  write(folder / "a.e57", cloud);
  const PointCloud again = read(folder / "a.e57");
  ASSERT_EQ(again.size(), cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    EXPECT_TRUE(again.positions[i] == cloud.positions[i] || i == 7);
  }
  EXPECT_TRUE(std::isnan(again.positions[7].x()));
  for (const Column& column : cloud.attributes) {
    const Column* const found = again.find_attribute(column.name);
    if (column.name == "two words") {
      EXPECT_EQ(found, nullptr);
      continue;
    }
    ASSERT_NE(found, nullptr) << column.name;
    expect_same(*found, column);
  }
  EXPECT_NE(again.find_attribute("two_words_2"), nullptr);
  // The same bytes every time, and from what was read of them, but for what an invalid point hides.
  write(folder / "b.e57", again);
  EXPECT_EQ(e57_content(bytes_of(folder / "b.e57")).substr(0, 1000).substr(48),
            e57_content(bytes_of(folder / "a.e57")).substr(0, 1000).substr(48));
  EXPECT_EQ(e57_xml(bytes_of(folder / "b.e57")), e57_xml(bytes_of(folder / "a.e57")));

  cloud.attributes = {make_column("big", std::vector<std::uint64_t>(cloud.size(), ~std::uint64_t{0}))};
  EXPECT_EQ(fit_to_format("a.e57", cloud), std::vector<std::string>{"the column \"big\""});
  write(folder / "empty.e57", PointCloud());
  EXPECT_EQ(read(folder / "empty.e57").size(), 0U);
}

TEST(E57, KeepsFieldsOfText) {
  // Among them texts that a packet of ours cannot hold.
  const std::vector<std::string> labels = {"",
                                           "wall",
                                           "\"Türe\"\n",
                                           std::string(127, 'a'),
                                           std::string(128, 'b'),
                                           std::string(200'000, 'c'),
                                           std::string("\0", 1),
                                           "end"};
  const std::size_t count = labels.size();
  const auto scan_with = [&](const E57File::Field& field) {
    Scan scan{count, {}, ""};
    for (const char* name : {"cartesianX", "cartesianY", "cartesianZ"}) {
      scan.fields.push_back(E57File::float64(name, std::vector<double>(count, 2)));
    }
    scan.fields.push_back(field);
    return scan;
  };
  E57File file;
  file.extensions = " xmlns:mine=\"urn:mine\"";
  file.scans = {scan_with(E57File::text("mine:label", labels)),
                scan_with(E57File::integer("mine:label", 0, 255, 8, {1, 2, 3, 4, 5, 6, 7, 8})),
                scan_with(E57File::text("mine:other", std::vector<std::string>(count, "x")))};
  const TempFolder folder;
  const PointCloud cloud = read(folder.file("a.e57", file.bytes()));
  const auto texts = [](const PointCloud& of, const char* name) {
    return std::get<std::vector<std::string>>(of.find_attribute(name)->values);
  };
  std::vector<std::string> expected = labels;
  expected.resize(3 * count);  // empty in scans that have no such field
  EXPECT_EQ(texts(cloud, "mine:label"), expected);
  EXPECT_EQ(texts(cloud, "mine:other").back(), "x");
  expect_same(*cloud.find_attribute("mine:label_2"),
              make_column("mine:label_2", std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4,
                                                                    5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0}));

  PointCloud copy = cloud;
  EXPECT_EQ(fit_to_format("b.e57", copy), std::vector<std::string>());
  write(folder / "b.e57", cloud);
  EXPECT_EQ(same_xml(bytes_of(folder / "b.e57")), same_xml(file.bytes()));
  expect_same(read(folder / "b.e57").attributes, cloud.attributes);

  // As lines of text, which end where a text would go on.
  EXPECT_EQ(fit_to_format("b.csv", copy).at(1), "the line breaks and control characters in column \"mine:label\"");
  write(folder / "b.csv", copy);
  const PointCloud from_text = read(folder / "b.csv");
  EXPECT_EQ(texts(from_text, "mine:label").at(2), "\"Türe\" ");

  // A cloud of another format gets a field for its text, and so does a field that was of numbers.
  write(folder / "c.e57", from_text);
  EXPECT_EQ(texts(read(folder / "c.e57"), "mine_label"), texts(from_text, "mine:label"));
  copy = cloud;
  for (Column& column : copy.attributes) {
    if (column.name == "mine:label_2") {
      column.values = std::vector<std::string>(3 * count, "now text");
    }
  }
  write(folder / "d.e57", copy);
  EXPECT_CONTAINS(e57_xml(bytes_of(folder / "d.e57")), "<mine:label type=\"String\"/>");
  EXPECT_EQ(texts(read(folder / "d.e57"), "mine:label").at(count), "now text");

  // Normals have to be numbers.
  copy.attributes = {make_column("nx", std::vector<std::string>(3 * count, "1"))};
  EXPECT_EQ(fit_to_format("a.e57", copy).at(0), "the text column \"nx\"");
}

TEST(E57, BelievesNoLengthOfAText) {
  E57File file;
  file.scans = {simple_scan()};
  file.scans[0].fields.push_back(E57File::text("label", {"wall", "floor"}));
  std::string& stream = file.scans[0].fields.back().stream;
  stream.replace(5, 1, std::string(8, '\xFF'));
  EXPECT_CONTAINS(error_of_content("a.e57", file.bytes()),
                  "\"label\" of point 2 declares a text of 9223372036854775807 bytes, but the section has ");
  stream = std::string(1, '\x7E') + std::string(63, 'a') + std::string(1, '\x7E') + std::string(62, 'b');
  EXPECT_CONTAINS(error_of_content("a.e57", file.bytes()), "ends after 0 of 2 points, at byte ");
}

TEST(E57, HasNoPointsThatAreOfSeveralScans) {
  // A text for many scans would be there as many times.
  E57File file;
  file.scans.assign(3, simple_scan());
  for (Scan& scan : file.scans) {
    scan.fields.push_back(E57File::text("label", {std::string(3000, 'a'), std::string(3000, 'b')}));
  }
  const std::string good = file.bytes();
  EXPECT_EQ(read_content("a.e57", good).size(), 6U);
  const std::size_t section = file.section(file.scans[0], 48).size();
  const std::string xml = with_offsets(e57_xml(good), "48");
  EXPECT_CONTAINS(error_of_content("a.e57", E57File::with_xml(e57_content(good).substr(0, 48 + section), xml)),
                  "the section of points at byte 48 is that of several scans");
}

TEST(E57, MakesScansOfAPtxFile) {
  const TempFolder folder;
  const std::string scan = "1\n1\n7 8 9\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n7 8 9 1\n1 2 3 0.5\n";
  const PointCloud cloud = read(folder.file("a.ptx", scan + scan));
  write(folder / "a.e57", cloud);
  const PointCloud again = read(folder / "a.e57");
  EXPECT_EQ(again.positions, cloud.positions);
  expect_same(*again.find_attribute("scan"), *cloud.find_attribute("scan"));
  EXPECT_EQ(scanner_positions_of(again), scanner_positions_of(cloud));
  EXPECT_EQ(scanner_positions_of(again).at(1), Vec3(7, 8, 9));
}

TEST(E57, KeepsNoPosesForPointsThatAreNotInTheOrderOfScans) {
  PointCloud cloud = read_content("a.e57", two_scans().bytes());
  std::get<std::vector<std::int32_t>>(cloud.attributes.back().values)[0] = 1;
  const TempFolder folder;
  EXPECT_THROW(write(folder / "b.e57", cloud), Error);
  EXPECT_EQ(fit_to_format(folder / "b.e57", cloud).at(0),
            "the poses of E57 scans and images: the points are not in the order of those scans");
  write(folder / "b.e57", cloud);
  const PointCloud again = read(folder / "b.e57");
  EXPECT_EQ(again.positions, cloud.positions);
  expect_same(*again.find_attribute("scan"), *cloud.find_attribute("scan"));
}

TEST(E57, RefusesWhatIsNotSoWithOneClearLine) {
  E57File file;
  file.scans = {simple_scan()};
  file.images = {"picture"};
  const std::string good = file.bytes();
  const std::string content = e57_content(good);
  const std::size_t xml_place = content.find("<?xml");
  const auto with = [&](std::size_t place, auto value) {
    std::string bytes = content;
    put(bytes, place, value);
    return e57_pages(bytes);
  };
  const auto with_xml = [&](const std::string& from, const std::string& to) {
    std::string xml = e57_xml(good);
    EXPECT_NE(xml.find(from), std::string::npos) << from;
    xml.replace(xml.find(from), from.size(), to);
    return E57File::with_xml(content.substr(0, xml_place), xml);
  };
  std::string damaged = good;
  damaged[100] = static_cast<char>(damaged[100] ^ 1);
  std::string deep;
  for (int i = 0; i < 100; ++i) {
    deep += "<a>";
  }
  for (int i = 0; i < 100; ++i) {
    deep += "</a>";
  }
  const std::size_t packet = 48 + 32;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {good.substr(0, 30), "the file ends at byte 30 inside its E57 header"},
      {with(8, std::uint32_t{2}), "byte 8: found E57 version 2.0, expected 1.0"},
      {with(40, std::uint64_t{512}), "byte 40: found pages of 512 bytes, expected 1024"},
      {good.substr(0, 1024), "byte 16: the E57 header declares 2048 bytes, but the file has 1024"},
      {with(24, std::uint64_t{1022}), "the XML section is declared to be at byte 1022, expected a position"},
      {with(32, ~std::uint64_t{0}), "byte 32: the E57 header declares 18446744073709551615 bytes of XML"},
      {damaged, "byte 1020: the checksum of the page at byte 0 is wrong"},
      {with(content.find("</e57Root>"), '!'), "the XML is damaged: "},
      {with_xml("e57Root", "e57Tree"), "the XML is damaged: "},
      {with_xml("<note", deep + "<note"), "the XML is nested more than 64 levels deep"},
      {with_xml("\"CompressedVector\"", "\"Vector\""), "found a scan without points of type CompressedVector"},
      {with_xml("recordCount=\"2\"", "recordCount=\"two\""), "found \"two\" as the recordCount of \"points\""},
      {with_xml("recordCount=\"2\"", "recordCount=\"99999999999\""),
       "declares 99999999999 points of 192 bits, more than a file of that size can hold"},
      {with_xml("recordCount=\"2\"", "recordCount=\"3\""), "ends after 0 of 3 points, at byte "},
      {with_xml("<cartesianX type=\"Float\"/>", "<cartesianX type=\"String\"/>"),
       "the field \"cartesianX\" of the points is of type \"String\", expected Float, Integer or ScaledInteger"},
      {with_xml("<cartesianX type=\"Float\"/>", "<other type=\"Float\"/>"), "a scan has neither cartesianX"},
      {with_xml("<cartesianX type=\"Float\"/>", "<cartesianX type=\"Integer\" minimum=\"2\" maximum=\"1\"/>"),
       "has minimum 2, maximum 1 and scale 1"},
      {with_xml("<cartesianX type=\"Float\"/>", "<cartesianX type=\"Integer\" minimum=\"x\"/>"),
       "found \"x\" as the minimum of \"cartesianX\", expected a number"},
      {with_xml("<cartesianX type=\"Float\"/>", "<cartesianY type=\"Float\"/>"),
       "the points have two fields \"cartesianY\""},
      {with_xml("<points ", "<pose><rotation><w>nan</w></rotation></pose><points "),
       "found \"nan\" in \"w\", expected a number"},
      {with_xml("<points ", "<pose><rotation/></pose><points "), "expected a quaternion"},
      {with_xml("fileOffset=\"48\"", "fileOffset=\"0\""), "a section of points is declared to be at byte 0"},
      {with_xml("fileOffset=\"48\"", "fileOffset=\"80\""), "byte 88: the section declares "},
      {with(48, std::uint8_t{7}), "byte 48: found a section of kind 7, expected the points of a scan, kind 1"},
      {with(56, std::uint64_t{1} << 60U), "byte 56: the section declares 1152921504606846976 bytes"},
      {with(packet, std::uint8_t{9}), "byte 80: found a packet of kind 9, expected 0, 1 or 2"},
      {with(packet + 2, std::uint16_t{2}), "byte 82: found a packet of 3 bytes, expected a multiple of 4"},
      {with(packet + 4, std::uint16_t{2}), "byte 84: found a packet of 2 bytestreams, expected one for each of 3"},
      {with(packet + 6, std::uint16_t{999}), "byte 80: the bytestreams of the packet are longer than its 60 bytes"},
      {with_xml("length=\"7\"", "length=\"700000\""), "the XML declares a blob of 700000 bytes"},
  };
  for (const auto& [bytes, message] : cases) {
    const std::string error = error_of_content("a.e57", bytes);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  E57File above;
  above.scans = {simple_scan()};
  above.scans[0].fields.push_back(E57File::integer("rowIndex", 0, 4, 3, {4, 5}));
  EXPECT_CONTAINS(error_of_content("a.e57", above.bytes()),
                  "a value of \"rowIndex\" among points 1 to 2 is above its maximum, 4");
}

TEST(E57, BelievesNoPromiseThatItsSizeDoesNotBearOut) {
  // Points without bits, and many columns without bits.
  E57File file;
  Scan scan{500, {}, ""};
  for (const char* name : {"cartesianX", "cartesianY", "cartesianZ"}) {
    scan.fields.push_back(E57File::integer(name, 1, 1, 0, {}));
  }
  file.scans = {scan};
  EXPECT_EQ(read_content("a.e57", file.bytes()).size(), 500U);
  file.scans[0].points = 1'000'000;
  EXPECT_CONTAINS(error_of_content("a.e57", file.bytes()), "more than a file of that size can hold");
  for (int i = 0; i < 2000; ++i) {
    scan.fields.push_back(E57File::integer("a" + std::to_string(i), 0, 5'000'000'000, 33, {}));
    scan.fields.back().element = "<a" + std::to_string(i) +
                                 " type=\"Integer\" minimum=\"5000000000\" "
                                 "maximum=\"5000000000\"/>";
  }
  scan.points = 100'000;
  file.scans = {scan};
  EXPECT_CONTAINS(error_of_content("a.e57", file.bytes()), "bytes for each byte of the file");
}

}  // namespace
}  // namespace burnish
