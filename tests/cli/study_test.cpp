#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "burnish/io.hpp"
#include "program.hpp"

using nlohmann::json;

namespace {

const char* const small = R"(
title = "A small study"
metric = [{ key = "mean_distance", title = "MSE", factor = 1000 }, { key = "snr_tabulated", title = "SNR" }]

[noise]
levels = [0.01, 0.02]
unit = "diameter"
model = ["laplace", "outliers:share=0.01"]

[[model]]
name = "Cube"
shape = "cube"
points = 600

[[model]]
name = "Torus"
shape = "torus"
points = 500
diameter = 20
[model.options.APSS]
filter-scale = [4, 5]

[[method]]
name = "APSS"
method = "apss"
search = { spherical = [0, 1] }

[[method]]
name = "GLR"
method = "glr"
options = { iterations = 2 }
vary = { patch-size = [15, 30] }

[pictures]
models = ["Cube"]
levels = [0.02]
)";

std::size_t count_files(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// What follows the beginning of a line; nothing if there is no such line.
std::string rest_of_line(const std::string& text, const std::string& beginning) {
  const std::size_t at = text.find("\n" + beginning);
  if (at == std::string::npos) {
    return "";
  }
  const std::size_t begin = at + 1 + beginning.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(Study, MakesTablesPlotsAndPictures) {
  const Folder folder;
  std::ofstream(folder.file("s.toml")) << small;
  const Outcome outcome = folder.burnish("study s.toml --out out");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // 2 models × 2 levels × (noisy, APSS twice, GLR twice)
  EXPECT_EQ(count_files(folder.file("out/cells")), 20U);
  const std::string page = contents(folder.file("out/results.md"));
  EXPECT_NE(page.find("| Noise level | Method | Cube | Torus | Average |"), std::string::npos) << page;
  EXPECT_NE(page.find("| 0.01 | GLR patch-size=15 |"), std::string::npos);
  EXPECT_NE(page.find("| Noise level | patch-size=15 | patch-size=30 |"), std::string::npos);
  // Every picture and plot the page shows is there, and whole.
  std::size_t images = 0;
  for (std::size_t at = page.find("!["); at != std::string::npos; at = page.find("![", at + 1), ++images) {
    const std::size_t begin = page.find("](", at) + 2;
    const std::string name = page.substr(begin, page.find(')', begin) - begin);
    const std::string bytes = contents(folder.file("out/" + name));
    EXPECT_TRUE(bytes.ends_with("</svg>\n") || bytes.find("IEND") != std::string::npos) << name;
  }
  EXPECT_EQ(images, 2 * 3 + 1 + 1U);

  // A cell of the table is what the commands give.
  ASSERT_EQ(folder.burnish("synth cube clean.ply --points 600").code, 0);
  ASSERT_EQ(folder
                .burnish("noise clean.ply noisy.ply --sigma 0.02 --unit diameter --model laplace --model "
                         "outliers:share=0.01")
                .code,
            0);
  ASSERT_EQ(folder.burnish("denoise noisy.ply glr.ply --method glr --iterations 2 --patch-size 30").code, 0);
  const json by_hand = json::parse(folder.burnish("evaluate glr.ply --truth clean.ply --json").out)["comparisons"][0];
  const std::string csv = contents(folder.file("out/results.csv"));
  const std::string row = rest_of_line(csv, "Cube,0.02,GLR patch-size=30,");
  ASSERT_NE(row.find(','), std::string::npos) << csv;
  EXPECT_NEAR(std::stod(row.substr(row.find(',') + 1)), by_hand["mean_distance"].get<double>(), 1e-12);
  // The report says which of the searched values that was.
  const std::string searched = contents(folder.file("out/table-Best-of-the-searched-values.csv"));
  EXPECT_NE(searched.find("spherical="), std::string::npos) << searched;
  // The search took the better one, and options of a model and level are its own.
  const std::string torus = rest_of_line(csv, "Torus,0.02,APSS,filter-scale=5 spherical=");
  EXPECT_TRUE(torus.starts_with("0,") || torus.starts_with("1,")) << csv;
}

TEST(Study, GoesOnWhereItWasAndRunsAgainWhatChanged) {
  const Folder folder;
  std::ofstream(folder.file("s.toml")) << small;
  ASSERT_EQ(folder.burnish("study s.toml --out out").code, 0);
  const std::string table = contents(folder.file("out/results.csv"));
  const auto cells = [&] {
    std::map<std::string, std::filesystem::file_time_type> times;
    for (const auto& file : std::filesystem::directory_iterator(folder.file("out/cells"))) {
      times[file.path().string()] = file.last_write_time();
    }
    return times;
  };
  const auto before = cells();
  ASSERT_EQ(folder.burnish("study s.toml --out out").code, 0);
  EXPECT_EQ(cells(), before) << "nothing was run again";
  EXPECT_EQ(contents(folder.file("out/results.csv")), table);

  // Two cells lost, one damaged: as after a crash.
  std::filesystem::remove(before.begin()->first);
  std::filesystem::remove(std::next(before.begin())->first);
  std::ofstream(std::next(before.begin(), 2)->first) << "{\"definition\": ";
  ASSERT_EQ(folder.burnish("study s.toml --out out").code, 0);
  const auto again = cells();
  EXPECT_EQ(again.size(), before.size());
  EXPECT_EQ(std::ranges::count_if(again, [&](const auto& cell) { return cell.second != before.at(cell.first); }), 3);

  // One model alone is there already.
  ASSERT_EQ(folder.burnish("study s.toml --models Torus --out out").code, 0);
  EXPECT_EQ(cells(), again);
  EXPECT_EQ(contents(folder.file("out/table-MSE.csv")).find("Cube"), std::string::npos);
  EXPECT_EQ(folder.burnish("study s.toml --models Teapot --out out").code, 2);

  // One method changed: its cells are new, the others are not.
  std::string changed = small;
  changed.replace(changed.find("iterations = 2"), 14, "iterations = 1");
  std::ofstream(folder.file("s.toml")) << changed;
  ASSERT_EQ(folder.burnish("study s.toml --out out").code, 0);
  EXPECT_EQ(cells().size(), before.size() + 8);
}

TEST(Study, UsesFilesOfTheDataAndSeesThatTheyChanged) {
  const Folder folder;
  std::filesystem::create_directory(folder.file("data"));
  ASSERT_EQ(folder.burnish("synth sphere data/clean.ply --points 400").code, 0);
  ASSERT_EQ(folder.burnish("noise data/clean.ply data/noisy.ply --sigma 0.01 --unit diameter").code, 0);
  std::ofstream(folder.file("data/square.off")) << "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
  std::ofstream(folder.file("s.toml")) << R"(
[noise]
levels = [0.01]
[[model]]
name = "files"
cloud = "clean.ply"
noisy = ["noisy.ply"]
[[model]]
name = "mesh"
mesh = "square.off"
points = 300
[[model]]
name = "thinned"
cloud = "clean.ply"
points = 200
[[method]]
name = "mls"
)";
  const Outcome missing = folder.burnish("study s.toml --out out");
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.err.find("clean.ply: cannot be read (--data"), std::string::npos) << missing.err;
  ASSERT_EQ(folder.burnish("study s.toml --data data --out out").code, 0);
  const json expected =
      json::parse(folder.burnish("evaluate data/noisy.ply --truth data/clean.ply --json").out)["comparisons"][0];
  EXPECT_NE(contents(folder.file("out/results.csv"))
                .find(fmt::format("files,0.01,noisy,,{}", expected["mean_distance"].get<double>())),
            std::string::npos)
      << contents(folder.file("out/results.csv"));
  ASSERT_EQ(folder.burnish("noise data/clean.ply data/noisy.ply --sigma 0.02 --unit diameter").code, 0);
  ASSERT_EQ(folder.burnish("study s.toml --data data --out out").code, 0);
  EXPECT_EQ(count_files(folder.file("out/cells")), 6 + 2U);
}

TEST(Study, AKilledStudyContinues) {
  const Folder folder;
  std::ofstream(folder.file("s.toml")) << small;
  const std::string file = folder.file("s.toml");
  const std::string out = folder.file("out");
  const char* arguments[] = {BURNISH_PROGRAM, "study", file.c_str(), "--out", out.c_str(), nullptr};
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, BURNISH_PROGRAM, nullptr, nullptr, const_cast<char**>(arguments), environ), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_FALSE(std::filesystem::exists(out + "/results.md")) << "it was too fast to be killed";
  ASSERT_EQ(folder.burnish("study s.toml --out out").code, 0);
  ASSERT_EQ(folder.burnish("study s.toml --out whole").code, 0);
  EXPECT_EQ(contents(out + "/table-MSE.csv"), contents(folder.file("whole/table-MSE.csv")));
}

TEST(Study, ACellThatFailsDoesNotStopTheRest) {
  const Folder folder;
  std::ofstream(folder.file("s.toml")) << "[noise]\nlevels = [0.01]\n[[model]]\nname = \"c\"\nshape = \"cube\"\n"
                                          "points = 300\n[[method]]\nname = \"apss\"\n[[method]]\nname = \"bad\"\n"
                                          "method = \"apss\"\noptions = { filter-scale = 0 }\n";
  const Outcome outcome = folder.burnish("study s.toml --out out");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("1 of 3 cells failed"), std::string::npos) << outcome.err;
  EXPECT_NE(rest_of_line(contents(folder.file("out/results.csv")), "c,0.01,bad,").find("APSS: "), std::string::npos);
  EXPECT_EQ(count_files(folder.file("out/cells")), 2U) << "what failed is tried again";
}

TEST(Study, AModelThatCannotBeMadeDoesNotStopTheRest) {
  const Folder folder;
  std::ofstream(folder.file("bad.off")) << "OFF\n3 1 0\n0 0 0\n1 0 0\n";
  std::ofstream(folder.file("s.toml")) << "[noise]\nlevels = [0.01]\n[[model]]\nname = \"bad\"\nmesh = \"bad.off\"\n"
                                          "points = 300\n[[model]]\nname = \"c\"\nshape = \"cube\"\npoints = 300\n"
                                          "[[method]]\nname = \"mls\"\n"
                                          "[pictures]\nmodels = [\"bad\", \"c\"]\nlevels = [0.01]\n";
  const Outcome outcome = folder.burnish("study s.toml --out out");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("bad 0.01: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("2 of 4 cells failed"), std::string::npos) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder.file("out/picture-c-0.01.png")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("out/picture-bad-0.01.png")));
  EXPECT_EQ(folder.burnish("study s.toml --out out --quiet").err.find("bad 0.01: "), std::string::npos);
}

TEST(Study, ThoseOfThePaperAreUnderstood) {
  const Folder folder;
  std::size_t studies = 0;
  for (const auto& file : std::filesystem::directory_iterator(BURNISH_SOURCE_DIR "/studies")) {
    const Outcome outcome = folder.burnish("study '" + file.path().string() + "' --models none --out out");
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("there is no model \"none\""), std::string::npos) << outcome.err;
    ++studies;
  }
  EXPECT_GE(studies, 8U);
}

TEST(Study, MistakesAreNamedWithTheirLine) {
  const Folder folder;
  const std::string head = "[noise]\nlevels = [0.01]\n[[model]]\nname = \"c\"\nshape = \"cube\"\npoints = 300\n";
  const auto refused = [&](const std::string& text, const std::string& message) {
    std::ofstream(folder.file("s.toml")) << text;
    const Outcome outcome = folder.burnish("study s.toml --out out");
    EXPECT_EQ(outcome.code, 1) << text;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << message << "\nbut: " << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
  };
  refused("[noise\n", "s.toml: line 1: ");
  refused("", "s.toml: the file is empty");
  refused("# nothing\n", "[noise] is missing");
  refused(head, "there are no methods");
  refused(head + "[[method]]\nname = \"splines\"\n", "s.toml: line 7: splines: there is no method \"splines\"");
  refused(head + "[[method]]\nname = \"apss\"\noptions = { repulsion = 1 }\n",
          "--repulsion is not an option of method apss");
  refused(head + "[[method]]\nname = \"apss\"\noptions = { filter-scale = [1, 2] }\n", "there are 1 noise levels");
  refused(head + "[[method]]\nname = \"apss\"\nfilter-scale = 4\n", "line 9: \"filter-scale\" is unknown here");
  refused(head + "[[method]]\nname = \"mls\"\n[[method]]\nname = \"mls\"\n", "two methods have the name");
  refused(head + "mesh = \"a.off\"\n[[method]]\nname = \"mls\"\n", "one of cloud, mesh, shape");
  refused("[noise]\nlevels = [\"much\"]\n", "levels must be numbers");
  refused("[noise]\nlevels = [1]\nunit = \"room\"\n", "line 3: unit must be one of absolute, spacing, diameter");
  refused("[noise]\nlevels = [1]\nmodel = [\"gaussian\", \"pink\"]\n", "line 3: there is no noise of the kind");
  refused(head + "[[method]]\nname = \"mls\"\n[[metric]]\nkey = \"beauty\"\n", "there is no metric \"beauty\"");
  EXPECT_EQ(folder.burnish("study none.toml --out out").code, 1);
  EXPECT_EQ(folder.burnish("study s.toml").code, 2);
}

}  // namespace
