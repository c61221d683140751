#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "burnish/io.hpp"
#include "burnish/methods.hpp"
#include "program.hpp"

using nlohmann::json;

namespace {

/// A folder with a clean and a noisy cube.
class Compare : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(folder.burnish("synth cube clean.ply --points 1500").code, 0);
    ASSERT_EQ(folder.burnish("noise clean.ply noisy.ply --sigma 0.005 --unit diameter").code, 0);
    folder.use_page_frame();
  }
  void TearDown() override { unsetenv("BURNISH_VIEWER"); }
  Folder folder;
};

TEST_F(Compare, RunsAllMethodsSideBySide) {
  const Outcome outcome = folder.burnish("compare noisy.ply --truth clean.ply --report report --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report, json::parse(contents(folder.file("report/table.json"))));
  ASSERT_EQ(report["rows"].size(), burnish::methods().size() + 1);
  const std::string csv = contents(folder.file("report/table.csv"));
  const std::string markdown = contents(folder.file("report/table.md"));
  for (const json& row : report["rows"]) {
    const std::string method = row["method"];
    EXPECT_NE(csv.find("\n" + method + ","), std::string::npos);
    EXPECT_NE(markdown.find("\n| " + method + " |"), std::string::npos);
    // The same numbers as by hand.
    const std::string file = method == "noisy" ? "noisy.ply" : "report/" + row["cloud"].get<std::string>();
    json expected = json::parse(folder.burnish("evaluate " + file + " --truth clean.ply --json").out)["comparisons"][0];
    for (const char* key : {"truth", "kind", "points", "left_out"}) {
      expected.erase(key);
    }
    EXPECT_EQ(row["metrics"], expected) << method;
    EXPECT_EQ(expected.size(), 10U);
    if (method != "noisy") {
      EXPECT_GT(row["peak_memory"].get<double>(), 1e6);
      EXPECT_GE(row["seconds"].get<double>(), 0.0);
      EXPECT_GE(row["cpu_seconds"].get<double>(), 0.0);
    }
  }
  const std::string page = contents(folder.file("report/index.html"));
  EXPECT_NE(page.find("noisy.ply, truth clean.ply"), std::string::npos);
  EXPECT_NE(page.find(R"("name":"apss")"), std::string::npos);
  ASSERT_EQ(folder.burnish("denoise noisy.ply apss.ply --method apss").code, 0);
  EXPECT_EQ(contents(folder.file("apss.ply")), contents(folder.file("report/apss.ply")));
}

TEST_F(Compare, ReadsStandardInput) {
  const Outcome piped = folder.burnish("compare - --truth cube --methods mls --report piped --json <noisy.ply");
  ASSERT_EQ(piped.code, 0) << piped.err;
  const Outcome named = folder.burnish("compare noisy.ply --truth cube --methods mls --report named --json");
  EXPECT_EQ(json::parse(piped.out)["rows"][1]["metrics"], json::parse(named.out)["rows"][1]["metrics"]);
  EXPECT_NE(contents(folder.file("piped/table.md")).find("standard input against"), std::string::npos);
}

TEST_F(Compare, AMethodThatFailsDoesNotStopTheRest) {
  const Outcome outcome =
      folder.burnish("compare noisy.ply --truth cube --methods mls,apss:filter-scale=0,apss:filter-scale=4 --report r");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("1 of 3 methods failed"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("apss:filter-scale=4"), std::string::npos);
  EXPECT_NE(outcome.out.find("APSS: the filter scale must be"), std::string::npos) << outcome.out;
  const json rows = json::parse(contents(folder.file("r/table.json")))["rows"];
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[1].contains("metrics"));
  EXPECT_TRUE(rows[2].contains("error"));
  EXPECT_TRUE(rows[3].contains("metrics"));
  EXPECT_TRUE(std::filesystem::exists(folder.file("r/apss-filter-scale=4.ply")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("r/apss-filter-scale=0.ply")));
}

TEST_F(Compare, WrongUsageAndBadInputAreSaidBeforeAnythingRuns) {
  for (const char* wrong : {"--methods splines", "--methods apss:patch-size=3", "--methods apss:filter-scale", ""}) {
    const Outcome outcome = folder.burnish(std::string("compare noisy.ply --truth clean.ply --report r ") +
                                           (*wrong != '\0' ? wrong : "--truth"));
    EXPECT_EQ(outcome.code, 2) << wrong << outcome.err;
  }
  EXPECT_EQ(folder.burnish("compare none.ply --truth clean.ply --report r").code, 1);
  EXPECT_EQ(folder.burnish("compare noisy.ply --truth none.ply --report r").code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.file("r")));
  EXPECT_EQ(folder.burnish("compare noisy.ply --truth clean.ply --methods mls --report noisy.ply").code, 1);
}

TEST_F(Compare, ComparesWithMeshes) {
  std::ofstream(folder.file("square.off")) << "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
  const Outcome outcome = folder.burnish("compare noisy.ply --truth square.off --methods mls --report r --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(json::parse(outcome.out)["rows"][1]["metrics"].contains("p2m_e4"));
}

TEST(Sample, SpreadsPointsOverAMesh) {
  const Folder folder;
  std::ofstream(folder.file("square.off")) << "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
  const Outcome outcome = folder.burnish("sample square.off even.ply --points 2000 --poisson-disk --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_NEAR(report["points"].get<double>(), 2000, 20);
  EXPECT_EQ(report["points"], burnish::read(folder.file("even.ply")).size());
  EXPECT_GT(report["radius"].get<double>(), 0.015);
  ASSERT_EQ(folder.burnish("sample square.off random.ply --points 2000 --seed 3").code, 0);
  EXPECT_EQ(burnish::read(folder.file("random.ply")).size(), 2000U);
  const Outcome cloud = folder.burnish("sample even.ply out.ply");
  EXPECT_EQ(cloud.code, 1);
  EXPECT_NE(cloud.err.find("even.ply: has no faces"), std::string::npos) << cloud.err;
}

TEST_F(Compare, ReportsThatThePageIsMissingAndGoesOn) {
  setenv("BURNISH_VIEWER", "nowhere.html", 1);
  const Outcome outcome = folder.burnish("compare noisy.ply --truth cube --methods mls --report r");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("index.html is left out"), std::string::npos) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder.file("r/table.csv")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("r/index.html")));
}

}  // namespace
