#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "burnish/io.hpp"
#include "program.hpp"
#include "shared_data.hpp"

using nlohmann::json;

namespace {

constexpr const char* tetrahedron = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

TEST(ScanCommand, OneImageOfADepthCameraIsOrganisedWhereTheFormatIs) {
  const Folder folder;
  const Outcome outcome = folder.burnish("scan part scan.pcd --width 120 --height 90 --truth --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  const burnish::PointCloud image = burnish::read(folder.file("scan.pcd"));
  EXPECT_EQ(image.width, 120U);
  EXPECT_EQ(image.height, 90U);
  const auto finite = std::ranges::count_if(image.positions, burnish::is_finite);
  EXPECT_EQ(report["points"], finite);
  EXPECT_NEAR(report["noise"].get<double>(), 0.5 * report["spacing"].get<double>(), 1e-12);
  for (const char* name : {"scan", "row", "column", "viewpoint_x", "incidence", "true_x", "true_y", "true_z"}) {
    EXPECT_NE(image.find_attribute(name), nullptr) << name;
  }
  EXPECT_TRUE(std::ranges::any_of(image.comments, [](const auto& c) { return c.starts_with("VIEWPOINT "); }));
  EXPECT_TRUE(std::ranges::any_of(image.comments, [](const auto& c) {
    return c == "burnish scan part --sensor depth --width 120 --height 90 --truth";
  }));

  const Outcome plain = folder.burnish("scan part scan.ply --width 120 --height 90 --truth");
  EXPECT_EQ(plain.code, 0);
  EXPECT_EQ(std::ranges::count(plain.err, '\n'), 1) << "nothing is left out: " << plain.err;
  const burnish::PointCloud points = burnish::read(folder.file("scan.ply"));
  EXPECT_EQ(points.size(), static_cast<std::size_t>(finite));
}

TEST(ScanCommand, ErrorsAreWhatWasAskedFor) {
  const Folder folder;
  const std::string views = "scan part scan.ply --sensor lidar --views 4 --width 200 --height 200 ";
  const auto distance = [&](const std::string& options) {
    const Outcome outcome = folder.burnish(views + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Outcome measured = folder.burnish("evaluate scan.ply --truth part --json");
    return json::parse(measured.out)["comparisons"][0]["rms_distance"].get<double>();
  };
  const std::string noise_only = "--beam 0 --registration 0 --largest-incidence 60 --noise ";
  EXPECT_LT(distance(noise_only + "0"), 1e-14);
  const double some = distance(noise_only + "0.001");
  EXPECT_GT(some, 0.0005);
  EXPECT_LT(some, 0.0011);
  EXPECT_GT(distance("--noise 0 --beam 0 --registration 0.01"), 0.005);
  EXPECT_GT(distance("--noise 0 --registration 0"), 0.003) << "mixed pixels";
}

TEST(ScanCommand, TakesViewpointsAndAMeshFromStandardInput) {
  const Folder folder;
  std::ofstream(folder.file("mesh.off")) << tetrahedron;
  const Outcome outcome = folder.burnish(
      "scan - - --viewpoint=3,2,1 --viewpoint=-2,-3,0.5 --noise 0 --format csv --width 40 --height 30 <mesh.off");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::string line;
  std::set<std::string> scans;
  while (std::getline(lines, line)) {
    if (!line.starts_with('#') && !line.starts_with('x')) {
      std::vector<std::string> words;
      std::istringstream values(line);
      for (std::string word; std::getline(values, word, ',');) {
        words.push_back(word);
      }
      ASSERT_EQ(words.size(), 10U) << line;
      scans.insert(words[3]);
    }
  }
  EXPECT_EQ(scans, (std::set<std::string>{"0", "1"}));
}

TEST(ScanCommand, ThreadsDoNotChangeTheBytes) {
  const Folder folder;
  for (const std::string sensor : {"depth", "lidar", "structured-light"}) {
    const std::string arguments = " --views 2 --width 150 --height 150 --sensor " + sensor;
    ASSERT_EQ(folder.burnish("scan part one.ply --threads 1" + arguments).code, 0);
    ASSERT_EQ(folder.burnish("scan part three.ply --threads 3" + arguments).code, 0);
    EXPECT_EQ(contents(folder.file("one.ply")), contents(folder.file("three.ply")));
    ASSERT_EQ(folder.burnish("scan part other.ply --seed 2" + arguments).code, 0);
    EXPECT_NE(contents(folder.file("one.ply")), contents(folder.file("other.ply")));
  }
}

/// One line that says what is wrong, this among it, and nothing written.
void expect_refused(const Folder& folder, const std::string& arguments, int code, const std::string& what) {
  const std::size_t before = folder.entries();
  const Outcome outcome = folder.burnish("scan " + arguments);
  EXPECT_EQ(outcome.code, code) << arguments << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), code == 2 ? 2 : 1) << outcome.err;  // and where there is help
  EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.entries(), before) << arguments;
}

TEST(ScanCommand, RefusesWhatMakesNoSense) {
  const Folder folder;
  std::ofstream(folder.file("mesh.off")) << tetrahedron;
  std::ofstream(folder.file("points.xyz")) << "0 0 0\n1 0 0\n0 1 0\n";
  std::ofstream(folder.file("sliver.off")) << "OFF\n3 1 0\n0 0 0\n1 1 1\n2 2 2\n3 0 1 2\n";
  std::ofstream(folder.file("broken.off")) << "OFF\n3 1 0\n0 0 0\n1 0 0\n0 nan 0\n3 0 1 2\n";
  expect_refused(folder, "points.xyz out.ply", 1, "points.xyz: has no faces");
  expect_refused(folder, "- out.ply <points.xyz", 1, "standard input: has no faces; give a mesh");
  expect_refused(folder, "missing.off out.ply", 1, "missing.off");
  expect_refused(folder, "sliver.off out.ply", 1, "no triangle of the mesh has an area");
  expect_refused(folder, "broken.off out.ply", 1, "not finite");
  expect_refused(folder, "part out.unknown", 1, "the ending .unknown is unknown");
  expect_refused(folder, "part nowhere/out.ply", 1, "there is no folder nowhere");
  expect_refused(folder, "mesh.off out.ply --viewpoint=0.1,0.1,0.1", 1, "is inside");
  expect_refused(folder, "part out.ply --viewpoint=-0.45,0.2,0", 1, "is inside");
  expect_refused(folder, "sphere out.ply --distance 0.1diameter --views 30", 1, "is inside");
  expect_refused(folder, "part out.ply --field-of-view 0.0001 --viewpoint=0,3,0.3", 1, "no point is seen");
  expect_refused(folder, "part out.ply --viewpoint=1e9,0,0", 1, "the distance of a viewpoint from the centre is 1e+09");
  expect_refused(folder, "part out.ply --distance 1e300", 1, "the distance of a viewpoint from the centre is 1e+300");
  expect_refused(folder, "part out.ply --width 0", 1, "the width of the image is 0");
  expect_refused(folder, "part out.ply --height 0", 1, "the height of the image is 0, expected 1 to 65535");
  expect_refused(folder, "part out.ply --width=-1", 2, "--width: found \"-1\", expected a whole number");
  expect_refused(folder, "part out.ply --width 100000", 1, "the width of the image is 100000, expected 1 to 65535");
  expect_refused(folder, "part out.ply --width 60000 --height 60000", 1, "more than the 268435456");
  expect_refused(folder, "part out.ply --views 0", 1, "0 views");
  expect_refused(folder, "part out.ply --noise=-1", 1, "the noise is -1");
  expect_refused(folder, "part out.ply --noise nan", 2, "--noise: found \"nan\", expected a length");
  expect_refused(folder, "part out.ply --noise 1parsec", 2, "expected a length");
  expect_refused(folder, "part out.ply --beam inf", 2, "--beam");
  expect_refused(folder, "part out.ply --range-power two", 2, "--range-power");
  expect_refused(folder, "part out.ply --height 1e99", 2, "--height");
  expect_refused(folder, "part out.ply --viewpoint=1,2", 2, "expected X,Y,Z");
  expect_refused(folder, "part out.ply --viewpoint=1,2,nan", 2, "expected X,Y,Z, three finite numbers");
  expect_refused(folder, "part out.ply --viewpoint=1,-inf,3", 2, "expected X,Y,Z, three finite numbers");
  expect_refused(folder, "part out.ply --viewpoint=1,2,3 --views 2", 2, "--views");
  expect_refused(folder, "part out.ply --sensor sonar", 2, "sonar");
  expect_refused(folder, "part", 2, "OUT");
}

TEST(ScanCommand, ScansEveryModel) {
  BURNISH_NEEDS_DATA();
  const Folder folder;
  std::size_t scanned = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shared_data() / "models")) {
    const Outcome outcome =
        folder.burnish("scan '" + entry.path().string() + "' scan.ply --views 3 --width 160 --height 120 --json");
    if (entry.path().filename() == "bimba.ply") {
      EXPECT_EQ(outcome.code, 1) << "it has no faces";
      continue;
    }
    ASSERT_EQ(outcome.code, 0) << entry.path() << outcome.err;
    EXPECT_GT(json::parse(outcome.out)["points"].get<int>(), 5000);
    ++scanned;
  }
  EXPECT_GE(scanned, 7U);
}

}  // namespace
