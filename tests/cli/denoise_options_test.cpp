#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "burnish/io.hpp"
#include "burnish/normals.hpp"
#include "program.hpp"

namespace {

using burnish::PointCloud;
using burnish::Vec3;
using nlohmann::json;

class DenoiseOptions : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(folder.burnish("synth cube clean.ply --points 2000").code, 0);
    ASSERT_EQ(folder.burnish("noise clean.ply noisy.ply --sigma 0.01 --unit diameter").code, 0);
    noisy = burnish::read(folder.file("noisy.ply"));
  }

  [[nodiscard]] PointCloud denoised(const std::string& options, const std::string& in = "noisy.ply",
                                    const std::string& out = "out.ply") const {
    const Outcome outcome = folder.burnish("denoise " + in + " " + out + " --method mls " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return burnish::read(folder.file(out));
  }

  const Folder folder;
  PointCloud noisy;
};

TEST_F(DenoiseOptions, PointsThatAreNotSelectedStayAndAreNeighbours) {
  std::vector<std::uint8_t> classes(2000);
  for (std::size_t i = 0; i < 2000; ++i) {
    classes[i] = static_cast<std::uint8_t>(i % 4);
  }
  noisy.attributes = {{"classification", classes, {}}};
  burnish::write(folder.file("noisy.ply"), noisy);
  const PointCloud whole = denoised("");
  const auto expect_only = [&](const PointCloud& result, const auto& is_selected) {
    std::size_t moved = 0;
    for (std::size_t i = 0; i < 2000; ++i) {
      EXPECT_EQ(result.positions[i], (is_selected(i) ? whole : noisy).positions[i]) << i;
      moved += result.positions[i] != noisy.positions[i] ? 1 : 0;
    }
    EXPECT_GT(moved, 100U);
  };
  expect_only(denoised("--only classification=1,3"), [&](std::size_t i) { return i % 2 == 1; });
  expect_only(denoised("--mask classification"), [&](std::size_t i) { return i % 4 != 0; });
  const auto in_box = [&](std::size_t i) { return noisy.positions[i].x() >= 0 && noisy.positions[i].y() <= 0.1; };
  expect_only(denoised("--box=0,0.1,-9,9,-9,9"), in_box);
  expect_only(denoised("--box=0,0.1,-9,9,-9,9 --only classification=2"),
              [&](std::size_t i) { return i % 4 == 2 && in_box(i); });

  const Outcome outcome = folder.burnish("denoise noisy.ply out.ply --mask clasification");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("did you mean classification?"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.burnish("denoise noisy.ply out.ply --only classification").code, 2);
}

TEST_F(DenoiseOptions, NormalsFitTheNewPositionsUnlessTheyAreToBeKept) {
  ASSERT_EQ(burnish::normals_of(denoised("")).size(), 0U);
  PointCloud with_normals = denoised("--normals add", "noisy.ply", "with.ply");
  const std::vector<Vec3> added = burnish::normals_of(with_normals);
  ASSERT_EQ(added.size(), 2000U);
  std::size_t outwards = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    EXPECT_NEAR(added[i].norm(), 1.0, 1e-6);
    outwards += added[i].dot(with_normals.positions[i]) > 0.0 ? 1 : 0;
  }
  EXPECT_GT(outwards, 1900U);
  // Inwards in the file, so inwards in the result; those of a sphere do not fit a cube.
  std::vector<Vec3> inwards;
  for (const Vec3& p : noisy.positions) {
    inwards.push_back(-p.normalized());
  }
  noisy.attributes.clear();
  burnish::set_normals(noisy, inwards);
  burnish::write(folder.file("inwards.ply"), noisy);
  const std::vector<Vec3> updated = burnish::normals_of(denoised("", "inwards.ply"));
  ASSERT_EQ(updated.size(), 2000U);
  std::size_t along_an_axis = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    EXPECT_GE(updated[i].dot(inwards[i]), -1e-6);
    along_an_axis += updated[i].cwiseAbs().maxCoeff() > 0.95 ? 1 : 0;
  }
  EXPECT_GT(along_an_axis, 1200U);
  EXPECT_EQ(burnish::normals_of(denoised("--normals keep", "inwards.ply")), burnish::normals_of(noisy));
  EXPECT_EQ(burnish::normals_of(denoised("--normals remove", "inwards.ply")).size(), 0U);
}

TEST_F(DenoiseOptions, AddedNormalsPointTowardsTheScannerOfEachPoint) {
  // Two pieces of one plane, the second scanned from below.
  PointCloud cloud;
  std::vector<std::int32_t> scans;
  for (int i = 0; i < 800; ++i) {
    const double height = 0.01 * std::sin(7.0 * i);
    cloud.positions.emplace_back(i / 20, i % 20, height);
    scans.push_back(i / 400);
  }
  cloud.comments = {"E57 scan of 400 points, scanner at 10 10 30", "E57 scan of 400 points, scanner at 30 10 -30"};
  cloud.attributes = {{"scan", scans, {}}};
  burnish::write(folder.file("scans.ply"), cloud);
  const std::vector<Vec3> normals = burnish::normals_of(denoised("--normals add", "scans.ply", "facing.ply"));
  ASSERT_EQ(normals.size(), 800U);
  for (std::size_t i = 0; i < 800; ++i) {
    EXPECT_GT(normals[i].z() * (i < 400 ? 1 : -1), 0.5) << i;
  }
}

TEST_F(DenoiseOptions, SelectingNothingIsReported) {
  for (const char* options : {"", "--dry-run"}) {
    const Outcome outcome =
        folder.burnish(std::string("denoise noisy.ply out.ply --method mls --box 7,7,7,9,9,9 ") + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("no point is selected"), std::string::npos) << outcome.err;
  }
  const Outcome outcome = folder.burnish("denoise noisy.ply out.ply --box 0,0,0,1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("found \"0,0,0,1\", expected X,Y,Z,X,Y,Z"), std::string::npos) << outcome.err;
}

TEST_F(DenoiseOptions, OutliersAreMarkedWhereAsked) {
  noisy.positions[7] += Vec3(0.4, 0.5, 0.6);
  burnish::write(folder.file("far.ply"), noisy);
  Outcome outcome = folder.burnish("denoise far.ply out.ply --mark-outliers --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const PointCloud marked = burnish::read(folder.file("out.ply"));
  ASSERT_EQ(marked.size(), 2000U);
  const auto marks = burnish::numbers_of(marked, "outlier");
  ASSERT_TRUE(marks);
  EXPECT_EQ((*marks)[7], 1.0);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(*marks, 1.0)), json::parse(outcome.out)["outliers"].size());
  ASSERT_EQ(folder.burnish("convert far.ply far.las").code, 0);
  outcome = folder.burnish("denoise far.las out.las --mark-outliers");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(burnish::numbers_of(burnish::read(folder.file("out.las")), "classification")->at(7), 7.0);
  // To LAS, too, from a file that has no classes.
  ASSERT_EQ(folder.burnish("denoise far.ply other.laz --mark-outliers").code, 0);
  std::ofstream(folder.file("piped.las"), std::ios::binary)
      << folder.burnish("denoise far.ply - --format las --mark-outliers").out;
  for (const char* name : {"other.laz", "piped.las"}) {
    const auto classes = burnish::numbers_of(burnish::read(folder.file(name)), "classification");
    ASSERT_TRUE(classes) << name;
    EXPECT_EQ(classes->at(7), 7.0) << name;
    EXPECT_EQ(classes->at(8), 0.0) << name;
  }
  // Classes of any type: those of a text file are read as doubles.
  PointCloud typed = burnish::read(folder.file("far.ply"));
  typed.attributes = {{"classification", std::vector<std::int32_t>(2000, 2), {}}};
  burnish::write(folder.file("typed.ply"), typed);
  ASSERT_EQ(folder.burnish("convert typed.ply typed.csv").code, 0);
  for (const char* from : {"typed.ply", "typed.csv"}) {
    ASSERT_EQ(folder.burnish(std::string("denoise ") + from + " typed.las --mark-outliers").code, 0);
    const PointCloud result = burnish::read(folder.file("typed.las"));
    EXPECT_EQ(burnish::numbers_of(result, "classification")->at(7), 7.0) << from;
    EXPECT_EQ(burnish::numbers_of(result, "classification")->at(8), 2.0) << from;
    EXPECT_EQ(result.find_attribute("outlier"), nullptr) << from;
  }
  EXPECT_EQ(folder.burnish("denoise far.ply out.ply --mark-outliers --method mls").code, 2);
  EXPECT_EQ(folder.burnish("denoise far.ply out.ply --mark-outliers --remove-outliers").code, 2);
}

TEST_F(DenoiseOptions, AttributesDescribeEachPoint) {
  noisy.positions[7] += Vec3(0.4, 0.5, 0.6);
  noisy.attributes = {{"moved", std::vector<std::int32_t>(2000, 9), {}}};  // to be replaced
  burnish::write(folder.file("far.ply"), noisy);
  for (const char* out : {"out.ply", "out.pcd", "out.las", "out.csv", "out.npz"}) {
    const Outcome outcome = folder.burnish(std::string("denoise far.ply ") + out +
                                           " --attributes noise,moved,Outlier --box=0,0,0,1,1,2 --json");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const json report = json::parse(outcome.out);
    const PointCloud result = burnish::read(folder.file(out));
    const auto noise = burnish::numbers_of(result, "noise");
    const auto moved = burnish::numbers_of(result, "moved");
    const auto outlier = burnish::numbers_of(result, "outlier");
    ASSERT_TRUE(noise && moved && outlier) << out;
    std::size_t far = 0;
    for (std::size_t i = 0; i < 2000; ++i) {
      EXPECT_NEAR((*moved)[i], (result.positions[i] - noisy.positions[i]).norm(), 1e-6) << out << i;
      EXPECT_NEAR((*noise)[i], report["noise"].get<double>(), 0.5 * report["noise"].get<double>());
      far += (*moved)[i] > 0.0 ? 1 : 0;
    }
    EXPECT_GT(far, 100U);
    EXPECT_LT(far, 1000U);  // the others are not in the box
    EXPECT_EQ((*outlier)[7], 1.0);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(*outlier, 1.0)), report["outliers"].size());
  }
  // Again over a file that has them, without outliers.
  ASSERT_EQ(folder.burnish("denoise out.las twice.las --attributes noise --remove-outliers").code, 0);
  EXPECT_LT(burnish::numbers_of(burnish::read(folder.file("twice.las")), "noise")->size(), 2000U);

  EXPECT_TRUE(burnish::numbers_of(denoised("--attributes moved"), "moved"));  // by mls
  const auto error_of = [&](const std::string& options) {
    const Outcome outcome = folder.burnish("denoise far.ply out.ply " + options);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_NE(error_of("--method mls --attributes moved,noise").find("--attributes noise is for --method auto"),
            std::string::npos);
  EXPECT_NE(error_of("--attributes nois").find("did you mean noise?"), std::string::npos);
  const Outcome outcome = folder.burnish("denoise far.ply out.bin --attributes noise");
  EXPECT_NE(outcome.err.find("noise"), std::string::npos) << outcome.err;  // left out
}

TEST_F(DenoiseOptions, SeveralInputsGoToAFolder) {
  Outcome outcome = folder.burnish("denoise noisy.ply clean.ply --out results/all --method mls --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["results"].size(), 2U);
  EXPECT_EQ(burnish::read(folder.file("results/all/noisy.ply")).positions, denoised("").positions);
  EXPECT_TRUE(std::filesystem::exists(folder.file("results/all/clean.ply")));
  outcome = folder.burnish("denoise noisy.ply clean.ply --out new/er --dry-run --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("new")));
  EXPECT_EQ(json::parse(outcome.out)["results"].size(), 2U);
  outcome = folder.burnish("denoise noisy.ply nosuch.ply --out none --method mls");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("nosuch.ply: there is no such file"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("none")));
  outcome = folder.burnish("denoise noisy.ply clean.ply other.ply --method mls");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--out DIR"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.burnish("denoise noisy.ply ./noisy.ply --out results --method mls").code, 1);
  EXPECT_EQ(folder.burnish("denoise noisy.ply --out . --method mls").code, 1);

  std::ofstream(folder.file("huge.xyz")) << "1e300 0 0\n0 1 0\n0 0 1\n";
  for (const char* options : {"--method mls", "", "--dry-run"}) {
    outcome = folder.burnish(std::string("denoise clean.ply huge.xyz --out some ") + options);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("huge.xyz: point 1 is at 1e+300"), std::string::npos) << outcome.err;
  }
  outcome = folder.burnish("denoise noisy.ply clean.ply --out results --remove-outliers --index-map rows.txt");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--index-map is for one input"), std::string::npos) << outcome.err;
}

TEST_F(DenoiseOptions, ADryRunAnalysesAndDoesNothing) {
  Outcome outcome = folder.burnish("denoise noisy.ply dry.ply --dry-run --box=0,0,0,1,1,1 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("dry.ply")));
  const json report = json::parse(outcome.out);
  const json real = json::parse(folder.burnish("denoise noisy.ply out.ply --json").out);
  for (const char* name : {"noise", "spacing", "iterations", "consensus_passes", "expected_error_after"}) {
    EXPECT_EQ(report[name], real[name]) << name;
  }
  EXPECT_GT(report["expected_error_after"].get<double>(), 0.0);
  EXPECT_LT(report["selected"].get<int>(), 2000);
  // Which points are outliers shows when the plan is carried out.
  EXPECT_TRUE(real.contains("outliers"));
  EXPECT_FALSE(report.contains("outliers"));
  EXPECT_NE(folder.burnish("denoise noisy.ply dry.ply --dry-run").err.find("would hold 2000 points, denoised by auto;"),
            std::string::npos);
  outcome = folder.burnish("denoise noisy.ply dry.ply --dry-run --method mls --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(json::parse(outcome.out).contains("spacing"));
  EXPECT_EQ(folder.burnish("denoise noisy.ply dry.ply --dry-run --method mls --degree 7x").code, 2);
}

TEST_F(DenoiseOptions, ReportsPointsThatAreNotFinite) {
  std::ofstream(folder.file("nan.xyz")) << "0 0 nan\n1 1 1\n1 2 3\n3 4 5\n1 1 9\n";
  Outcome outcome = folder.burnish("denoise nan.xyz out.xyz");
  EXPECT_NE(outcome.err.find("1 point is not finite"), std::string::npos) << outcome.err;
  std::ofstream(folder.file("far.xyz")) << "0 0 1e300\n1 1 1\n1 2 3\n3 4 5\n1 1 9\n";
  outcome = folder.burnish("denoise far.xyz out.xyz");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("point 1 is at 0 0 1e+300"), std::string::npos) << outcome.err;
  outcome = folder.burnish("denoise noisy.ply out.ply --method mls --threads 1000");
  EXPECT_EQ(outcome.err.find("arning"), std::string::npos) << outcome.err;
  EXPECT_NE(folder.burnish("synth cube one.ply --points 1").err.find("1 point on"), std::string::npos);
}

TEST_F(DenoiseOptions, SaysWhatWasMeasuredAndWhatToTry) {
  const auto warnings_of = [&](const std::string& options) {
    const Outcome outcome = folder.burnish("denoise noisy.ply out.ply --json " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out)["warnings"].get<std::vector<std::string>>();
  };
  const double noise = json::parse(folder.burnish("denoise noisy.ply out.ply --json").out)["noise"];
  EXPECT_TRUE(warnings_of("--noise " + std::to_string(2.0 * noise)).empty());
  for (const double factor : {0.2, 5.0}) {
    const std::vector<std::string> warnings = warnings_of("--noise " + std::to_string(factor * noise));
    ASSERT_FALSE(warnings.empty()) << factor;
    EXPECT_NE(warnings[0].find("but the estimate is"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("Without --noise it is estimated"), std::string::npos) << warnings[0];
  }
  const Outcome clean = folder.burnish("denoise clean.ply out.ply");
  EXPECT_NE(clean.err.find("% of the spacing"), std::string::npos) << clean.err;
  EXPECT_NE(clean.err.find("Set --noise if you know"), std::string::npos) << clean.err;
  ASSERT_EQ(folder.burnish("synth cube few.ply --points 50").code, 0);
  const Outcome few = folder.burnish("denoise few.ply out.ply");
  EXPECT_NE(few.err.find("fewer than 100 points"), std::string::npos) << few.err;
}

}  // namespace
