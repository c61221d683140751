#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "burnish/io.hpp"
#include "io/e57_file.hpp"
#include "io/las_file.hpp"
#include "program.hpp"

namespace {

using nlohmann::json;

TEST(Info, ShowsWhatALasFileSays) {
  const Folder folder;
  burnish::LasFile las;
  las.minor = 2;
  las.format = 1;
  las.scale = 0.01;
  std::string keys(16, '\0');
  burnish::put<std::uint16_t>(keys, 0, 1);
  burnish::put<std::uint16_t>(keys, 6, 1);
  burnish::put<std::uint16_t>(keys, 8, 3072);
  burnish::put<std::uint16_t>(keys, 12, 1);
  burnish::put<std::uint16_t>(keys, 14, 25832);
  las.records = burnish::las_vlr("LASF_Projection", 34735, keys);
  las.record_count = 1;
  las.add_random_points(200, 3);
  std::ofstream(folder.file("a.las"), std::ios::binary) << las.bytes();
  const json all = json::parse(folder.burnish("info a.las --json").out);
  const json& facts = all["las"];
  EXPECT_EQ(facts["version"], "1.2");
  EXPECT_EQ(facts["point_format"], 1);
  EXPECT_EQ(facts["scale"][0], 0.01);
  EXPECT_EQ(all["crs"], "EPSG:25832");
  const std::string text = folder.burnish("info a.las").out;
  EXPECT_NE(text.find("EPSG:25832"), std::string::npos) << text;

  las.records = burnish::las_vlr("LASF_Projection", 2112, "PROJCS[\"ETRS89 / UTM zone 32N\",GEOGCS[\"ETRS89\"]]");
  std::ofstream(folder.file("b.las"), std::ios::binary) << las.bytes();
  EXPECT_EQ(json::parse(folder.burnish("info b.las --json").out)["crs"], "ETRS89 / UTM zone 32N");
}

TEST(Info, FindsTheReferenceBehindThePointsAndInE57) {
  const Folder folder;
  burnish::LasFile las;
  las.minor = 4;
  las.format = 6;
  las.add_random_points(200, 3);
  const std::string wkt = "COMPD_CS[\"NAD83 / Oregon + NAVD88\",PROJCS[\"NAD83 / Oregon\"]]";
  las.trailer = std::string(60, '\0') + wkt;
  las.trailer.replace(2, 15, "LASF_Projection");
  burnish::put<std::uint16_t>(las.trailer, 18, 2112);
  burnish::put<std::uint64_t>(las.trailer, 20, wkt.size());
  las.extended = 1;
  std::ofstream(folder.file("a.las"), std::ios::binary) << las.bytes();
  EXPECT_EQ(json::parse(folder.burnish("info a.las --json").out)["crs"], "NAD83 / Oregon + NAVD88");

  burnish::E57File file;
  burnish::E57File::Scan scan;
  scan.points = 30;
  for (const char* name : {"cartesianX", "cartesianY", "cartesianZ"}) {
    scan.fields.push_back(burnish::E57File::float64(name, std::vector<double>(30, name[9])));
  }
  file.scans = {scan};
  file.elements =
      "<coordinateMetadata type=\"String\"><![CDATA[PROJCS[\"ETRS89 / UTM zone 32N\"]]]></coordinateMetadata>";
  std::ofstream(folder.file("a.e57"), std::ios::binary) << file.bytes();
  EXPECT_EQ(json::parse(folder.burnish("info a.e57 --json").out)["crs"], "ETRS89 / UTM zone 32N");
  EXPECT_NE(folder.burnish("info a.e57").out.find("reference   ETRS89"), std::string::npos);
  ASSERT_EQ(folder.burnish("convert a.e57 a.ply").code, 0);
  EXPECT_TRUE(json::parse(folder.burnish("info a.ply --json").out)["crs"].is_null());
}

TEST(Info, ShowsTheScansAndPosesOfAnE57File) {
  using burnish::E57File;
  const Folder folder;
  E57File::Scan scan;
  scan.points = 30;
  for (const char* name : {"cartesianX", "cartesianY", "cartesianZ"}) {
    std::vector<double> values;
    for (int i = 0; i < 30; ++i) {
      values.push_back(std::sin(i * (1.5 + name[9] - 'X')));
    }
    scan.fields.push_back(E57File::float64(name, values));
  }
  E57File file;
  file.scans = {scan, scan};
  file.scans[0].xml =
      "<name type=\"String\">the \"first\", of 3 points</name><pose type=\"Structure\"><rotation type=\"Structure\">"
      "<w type=\"Float\">0.6</w><x type=\"Float\"/><y type=\"Float\"/><z type=\"Float\">-0.8</z></rotation>"
      "<translation type=\"Structure\"><x type=\"Float\">100</x><y type=\"Float\"/><z type=\"Float\">-2.5</z>"
      "</translation></pose>";
  std::ofstream(folder.file("a.e57"), std::ios::binary) << file.bytes();
  const json expected = json::parse(
      R"([{"name": "the \"first\", of 3 points", "points": 30, "scanner": [100, 0, -2.5], "rotation": [0.6, 0, 0, -0.8]},
          {"points": 30}])");
  EXPECT_EQ(json::parse(folder.burnish("info a.e57 --json").out)["scans"], expected);
  const std::string text = folder.burnish("info a.e57").out;
  EXPECT_NE(text.find("scan        E57 scan \"the \"first\", of 3 points\" of 30 points, scanner at 100 0 -2.5, "
                      "rotation 0.6 0 0 -0.8\n"),
            std::string::npos)
      << text;

  // Where the comments are kept, they are reported of another format too.
  ASSERT_EQ(folder.burnish("convert a.e57 a.ply").code, 0);
  EXPECT_EQ(json::parse(folder.burnish("info a.ply --json").out)["scans"], expected);
}

TEST(Info, ShowsThePosesOfAPtxFile) {
  const Folder folder;
  // Rotated by a quarter turn about z: rows are where x, y and z go.
  std::string scan = "2\n10\n7 8 9\n0 1 0\n-1 0 0\n0 0 1\n0 1 0 0\n-1 0 0 0\n0 0 1 0\n7 8 9 1\n";
  for (int i = 1; i <= 20; ++i) {
    scan += std::to_string(i % 5) + " " + std::to_string(i) + " 1 0.5\n";
  }
  std::ofstream(folder.file("a.ptx")) << scan;
  const json found = json::parse(folder.burnish("info a.ptx --json").out)["scans"];
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]["columns"], 2);
  EXPECT_EQ(found[0]["rows"], 10);
  EXPECT_EQ(found[0]["scanner"], json::parse("[7, 8, 9]"));
  EXPECT_NEAR(found[0]["rotation"][0].get<double>(), std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(found[0]["rotation"][3].get<double>(), std::sqrt(0.5), 1e-9);

  // In E57, too, also by way of a format that keeps comments.
  ASSERT_EQ(folder.burnish("convert a.ptx a.ply").code, 0);
  for (const char* from : {"a.ptx", "a.ply"}) {
    const Outcome outcome = folder.burnish(std::string("convert ") + from + " a.e57");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("comment"), std::string::npos) << outcome.err;
    EXPECT_EQ(json::parse(folder.burnish("info a.e57 --json").out)["scans"][0]["scanner"], json::parse("[7, 8, 9]"));
  }
}

TEST(Info, CountsOneRowAsOne) {
  const Folder folder;
  std::ofstream(folder.file("a.off")) << "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  EXPECT_NE(folder.burnish("info a.off").out.find("face, 1 row:"), std::string::npos);
}

TEST(Info, FindsTheStepOfCoordinates) {
  const Folder folder;
  std::ofstream grid(folder.file("grid.xyz"));
  std::ofstream free(folder.file("free.xyz"));
  grid.precision(12);
  for (int i = 0; i < 400; ++i) {
    const double x = 0.37 * ((i * 131) % 997);
    grid << 500000 + 0.05 * static_cast<int>(20 * x) << ' ' << 1000.0 + 0.001 * (i * i % 4001) << ' ' << std::sin(i)
         << '\n';
    free << std::sin(i) << ' ' << std::cos(3 * i) << ' ' << std::sin(5.1 * i) << '\n';
  }
  grid.close();
  free.close();
  const json found = json::parse(folder.burnish("info grid.xyz --json").out);
  EXPECT_NEAR(found["coordinate_step"][1].get<double>(), 0.001, 1e-5);
  EXPECT_EQ(found["coordinate_step"][2], 0.0);
  EXPECT_TRUE(json::parse(folder.burnish("info free.xyz --json").out)["coordinate_step"].is_null());
}

TEST(Info, FindsTheStepOfCoordinatesInFloatsAndOfFewPoints) {
  const Folder folder;
  // Millimetres at 70 m, as a float holds them.
  burnish::PointCloud cloud;
  cloud.position_type = burnish::ScalarType::float32;
  for (int i = 0; i < 5000; ++i) {
    const double x = 0.001 * ((i * 7919) % 68000);
    cloud.positions.emplace_back(static_cast<float>(x + 5.0), static_cast<float>(1000.0 + std::sin(i)),
                                 static_cast<float>(std::cos(3.3 * i)));
  }
  burnish::write(folder.file("floats.ply"), cloud);
  const json of_floats = json::parse(folder.burnish("info floats.ply --json").out);
  EXPECT_NEAR(of_floats["coordinate_step"][0].get<double>(), 0.001, 1e-9);
  EXPECT_EQ(of_floats["coordinate_step"][1], 0.0);  // that of float32 is no step of the data: "float_step"
  EXPECT_EQ(of_floats["coordinate_step"][2], 0.0);

  // So few that no two are neighbours: all differences are two or three steps, or more.
  std::ofstream few(folder.file("few.xyz"));
  few.precision(12);
  for (int i = 0; i < 200; ++i) {
    few << 635000 + 0.01 * (5 * i + 2 * (i % 2)) << ' ' << std::sin(i) << ' ' << std::cos(3.3 * i) << '\n';
  }
  few.close();
  EXPECT_NEAR(json::parse(folder.burnish("info few.xyz --json").out)["coordinate_step"][0].get<double>(), 0.01, 1e-9);
}

TEST(Info, FindsTheSpacingAndNoiseThatDenoiseFinds) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth part clean.ply --points 5000").code, 0);
  // Stronger to one side, so that single estimates for the whole cloud differ from the level of a field.
  ASSERT_EQ(
      folder.burnish("noise clean.ply noisy.ply --model gaussian:sigma=0.01:growth=quadratic:viewpoint=1,1,1").code, 0);
  const json found = json::parse(folder.burnish("info noisy.ply --json").out);
  const json denoised = json::parse(folder.burnish("denoise noisy.ply out.ply --json").out);
  for (const char* name : {"spacing", "noise", "noise_uncertainty"}) {
    EXPECT_EQ(found[name], denoised[name]) << name;
  }
  EXPECT_LE(found["local_noise"]["10%"], found["local_noise"]["90%"]);

  std::ofstream(folder.file("far.xyz")) << "0 0 1e300\n1 1 1\n1 2 3\n3 4 5\n1 1 9\n";
  EXPECT_NE(folder.burnish("info far.xyz").out.find("too large to be denoised"), std::string::npos);
  EXPECT_TRUE(json::parse(folder.burnish("info far.xyz --json").out)["noise"].is_null());
}

}  // namespace
