#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace {

/// A folder with two clouds and a page to fill in.
class View : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(folder.burnish("synth torus clean.ply --points 1500").code, 0);
    ASSERT_EQ(folder.burnish("noise clean.ply noisy.ply --sigma 0.01 --unit diameter").code, 0);
    folder.use_page_frame();
  }
  void TearDown() override { unsetenv("BURNISH_VIEWER"); }

  [[nodiscard]] nlohmann::json scene(const std::string& file) const {
    const std::string page = contents(folder.file(file));
    const std::size_t begin = page.find('>', page.find("id=\"scene\"")) + 1;
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  /// The value of a fact about a cloud; empty if there is none.
  [[nodiscard]] static std::string fact(const nlohmann::json& cloud, const std::string& name) {
    for (const auto& entry : cloud["facts"]) {
      if (entry["name"] == name) {
        return entry["value"];
      }
    }
    return "";
  }

  const Folder folder;
};

TEST_F(View, WritesAPageAndAPicture) {
  const auto outcome =
      folder.burnish("view noisy.ply clean.ply --truth torus --unit mm --out page.html --png picture.png");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("page.html"), std::string::npos);
  EXPECT_EQ(contents(folder.file("picture.png")).substr(1, 3), "PNG");
  const nlohmann::json page = scene("page.html");
  EXPECT_EQ(page["title"], "noisy.ply · clean.ply");
  EXPECT_EQ(page["unit"], "mm");
  EXPECT_EQ(page["clouds"][1]["name"], "clean.ply");
  EXPECT_EQ(page["clouds"][1]["followsFirst"], true);
  EXPECT_GT(std::stod(fact(page["clouds"][0], "mean_distance")), 0.001);
  EXPECT_LT(std::stod(fact(page["clouds"][1], "mean_distance")), 1e-6);
  EXPECT_NE(fact(page["clouds"][0], "noise"), "");
  std::vector<std::string> fields;
  for (const auto& field : page["fields"]) {
    fields.push_back(field["id"]);
  }
  EXPECT_EQ(fields, (std::vector<std::string>{"move", "moved", "truth", "noise", "curvature"}));
}

TEST_F(View, TakesTruthAsCloudOrMesh) {
  ASSERT_EQ(folder.burnish("view noisy.ply --truth clean.ply --out page.html").code, 0);
  EXPECT_NE(fact(scene("page.html")["clouds"][0], "surface"), "");
  std::ofstream(folder.file("square.off")) << "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
  ASSERT_EQ(folder.burnish("view noisy.ply --truth square.off --out page.html").code, 0);
  EXPECT_NE(fact(scene("page.html")["clouds"][0], "p2m_e4"), "");
}

TEST_F(View, ShowsWhatTheOtherCommandsPrinted) {
  ASSERT_EQ(folder.burnish("denoise noisy.ply out.ply --method mls --json > denoise.json; true").code, 0);
  ASSERT_EQ(folder.burnish("evaluate out.ply --truth torus --json > evaluate.json; true").code, 0);
  ASSERT_EQ(
      folder.burnish("view noisy.ply out.ply --numbers denoise.json --numbers evaluate.json --out page.html").code, 0);
  const nlohmann::json page = scene("page.html");
  EXPECT_EQ(fact(page["clouds"][1], "method"), "mls");
  EXPECT_NE(fact(page["clouds"][1], "seconds"), "");
  EXPECT_GT(std::stod(fact(page["clouds"][1], "mean_distance")), 0.0);
  EXPECT_EQ(fact(page["clouds"][0], "method"), "");

  std::ofstream(folder.file("other.json")) << R"({"output": "other.ply"})";
  std::ofstream(folder.file("list.json")) << "[1, 2";
  for (const char* wrong : {"other.json", "list.json", "missing.json"}) {
    const auto outcome = folder.burnish(std::string("view noisy.ply --out wrong.html --numbers ") + wrong);
    EXPECT_EQ(outcome.code, 1) << wrong;
    EXPECT_NE(outcome.err.find(wrong), std::string::npos) << outcome.err;
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("wrong.html")));
}

TEST_F(View, ThinsAndSaysSo) {
  const auto outcome = folder.burnish("view noisy.ply clean.ply --max-points 1000 --out page.html");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("500 of 1500 points"), std::string::npos) << outcome.err;
  EXPECT_EQ(scene("page.html")["clouds"][0]["shown"], 500);
}

TEST_F(View, OpensTheBrowserWhereNoFileIsNamed) {
  std::ofstream(folder.file("browser"))
      << "#!/bin/sh\nbasename \"$1\" > opened; grep -c 'id=\"scene\"' \"$1\" >> opened; rm \"$1\"\n";
  std::filesystem::permissions(folder.file("browser"), std::filesystem::perms::owner_all);
  setenv("BROWSER", "./browser", 1);
  const auto outcome = folder.burnish("view noisy.ply clean.ply noisy.ply");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string opened = contents(folder.file("opened"));
  EXPECT_TRUE(opened.starts_with("burnish-view-") && opened.ends_with(".html\n1\n")) << opened;
  setenv("BROWSER", "./no-such-browser", 1);
  const auto without = folder.burnish("view noisy.ply");
  unsetenv("BROWSER");
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_NE(without.err.find("no browser was found"), std::string::npos) << without.err;
}

TEST_F(View, NamesFilesWithoutFoldersUnlessTheyWouldBeTheSame) {
  std::filesystem::create_directories(folder.file("runs/a"));
  std::filesystem::create_directories(folder.file("runs/b"));
  for (const char* copy : {"runs/a/out.ply", "runs/b/out.ply"}) {
    std::filesystem::copy_file(folder.file("noisy.ply"), folder.file(copy));
  }
  ASSERT_EQ(folder.burnish("view runs/a/out.ply ./noisy.ply runs/b/out.ply ./noisy.ply --out page.html").code, 0);
  std::vector<std::string> names;
  const nlohmann::json page = scene("page.html");
  for (const auto& cloud : page["clouds"]) {
    names.push_back(cloud["name"]);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a/out.ply", "noisy.ply", "b/out.ply", "noisy.ply (2)"}));
}

TEST_F(View, SaysWhatIsWrong) {
  EXPECT_EQ(folder.burnish("view --out page.html").code, 2);
  EXPECT_EQ(folder.burnish("view noisy.ply --out page.html --up sideways").code, 2);
  EXPECT_EQ(folder.burnish("view missing.ply --out page.html").code, 1);
  EXPECT_EQ(folder.burnish("view noisy.ply --out no/such/page.html").code, 1);
  EXPECT_EQ(folder.burnish("view noisy.ply --png no/such/picture.png").code, 1);
  setenv("BURNISH_VIEWER", "nowhere.html", 1);
  const auto outcome = folder.burnish("view noisy.ply --out page.html");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("burnish_viewer"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.burnish("view noisy.ply --png picture.png").code, 0);  // needs no page
}

}  // namespace
