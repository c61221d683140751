#include "cli/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

// The program, one of whose calls fails (shim.cpp): whichever it is, what was there before stays or what is new is
// complete, nothing else is left behind, and a line says why.

namespace {

using Files = std::map<std::string, std::string>;

Files files_in(const Folder& folder) {
  Files files;
  const std::filesystem::path top = folder.file("");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(top)) {
    if (entry.is_regular_file()) {
      files[std::filesystem::relative(entry.path(), top).string()] = contents(entry.path());
    }
  }
  return files;
}

struct Command {
  std::string arguments;
  std::vector<std::string> outputs;  ///< what it writes, over what is there
  std::string folder = "";           ///< where it writes further files, which are not there before
  std::string excuse = "";           ///< what it says when it does without one of the outputs
};

/// Whether a file is all there. Where measured times are in it, or it names what failed, it is another one every
/// time: then by its beginning, its end and its lines.
bool is_whole(const std::string& name, const std::string& content, const std::string& complete) {
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  if (name.ends_with(".json")) {
    return nlohmann::json::accept(content);
  }
  if (name.ends_with(".csv") || name.ends_with(".md")) {
    return content.ends_with('\n') && lines(content) == lines(complete);
  }
  if (name.ends_with(".html") || name.ends_with(".svg")) {
    return content.starts_with(complete.substr(0, 4)) && content.ends_with(complete.substr(complete.size() - 7));
  }
  return content == complete;
}

class Faults : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizers have their own way with these calls";
#endif
    folder_.use_page_frame();
    ASSERT_EQ(folder_.burnish("synth sphere clean.ply --points 300").code, 0);
    ASSERT_EQ(folder_.burnish("noise clean.ply in.ply --sigma 0.02 --unit diameter").code, 0);
  }

  /// Runs a command whose n-th call of a kind fails; false if there was no n-th call.
  bool fails_as_it_should(const Command& command, const std::string& call, long n) {
    if (!command.folder.empty()) {
      std::filesystem::remove_all(folder_.file(command.folder));
    }
    for (const std::string& output : command.outputs) {
      std::filesystem::create_directories(std::filesystem::path(folder_.file(output)).parent_path());
      std::ofstream(folder_.file(output)) << "what was there before";
    }
    const Files before = files_in(folder_);
    const std::string mark = folder_.file("mark");
    const Outcome outcome =
        folder_.burnish(command.arguments, "LD_PRELOAD='" BURNISH_FAULT_SHIM "' BURNISH_FAULT=" + call + ":" +
                                               std::to_string(n) + " BURNISH_FAULT_MARK='" + mark + "' ");
    const bool was_hit = std::filesystem::remove(mark);
    SCOPED_TRACE(command.arguments + ", " + call + " " + std::to_string(n) + ": " + outcome.err);
    Files after = files_in(folder_);
    if (!was_hit || call == "half") {
      EXPECT_EQ(outcome.code, 0);
      for (const std::string& output : command.outputs) {
        EXPECT_NE(after[output], before.at(output));
      }
    }
    if (call == "none") {
      complete_ = after;
    } else {
      check_files(command, outcome, before, after);
    }
    return was_hit;
  }

  void check_files(const Command& command, const Outcome& outcome, const Files& before, Files& after) {
    // Some calls the program can do without, such as asking how much memory it took.
    EXPECT_TRUE(outcome.code == 1 || outcome.code == 0) << outcome.code;
    EXPECT_TRUE(outcome.code == 0 || outcome.err.find("burnish: ") != std::string::npos);
    const bool is_excused = !command.excuse.empty() && outcome.err.find(command.excuse) != std::string::npos;
    for (const std::string& output : command.outputs) {
      const bool is_old = after[output] == before.at(output);
      EXPECT_TRUE(is_whole(output, after[output], complete_.at(output)) ||
                  (is_old && (outcome.code == 1 || is_excused)))
          << output << ": " << after[output];
      after.erase(output);
    }
    for (const auto& [name, content] : after) {
      if (!before.contains(name)) {
        ASSERT_TRUE(complete_.contains(name)) << name << " is left behind";
        EXPECT_TRUE(is_whole(name, content, complete_.at(name))) << name << ": " << content;
      }
    }
  }

  void try_all(const Command& command, const std::vector<std::string>& calls) {
    ASSERT_FALSE(fails_as_it_should(command, "none", 1));
    for (const std::string& call : calls) {
      const bool is_slow = call == "memory" && std::getenv("BURNISH_SLOW") == nullptr;
      long n = 1;
      while (fails_as_it_should(command, call, n) && !HasFailure()) {
        n += is_slow ? 1 + n / 4 : 1;
      }
      EXPECT_TRUE(n > 1 || call == "read") << "the program has no " << call;
    }
  }

  Folder folder_;
  Files complete_;
};

const std::vector<std::string> file_calls = {"open", "read", "write", "half", "fsync", "rename"};

TEST_F(Faults, Convert) {
  try_all({"convert in.ply out.las --threads 1", {"out.las"}}, file_calls);
  try_all({"convert in.ply out.csv --threads 1", {"out.csv"}}, file_calls);
  try_all({"convert in.ply out.laz --threads 1", {"out.laz"}}, file_calls);
  try_all({"convert in.ply out.copc.laz --threads 1", {"out.copc.laz"}}, file_calls);
  try_all({"convert in.ply out.e57 --threads 1", {"out.e57"}}, file_calls);
}

TEST_F(Faults, ConvertCompressedClouds) {
  for (const std::string name : {"in.laz", "in.copc.laz", "in.e57"}) {
    ASSERT_EQ(folder_.burnish("convert in.ply " + name).code, 0);
    try_all({"convert " + name + " out.ply --threads 1", {"out.ply"}}, {"open", "read", "memory"});
  }
  try_all({"convert in.copc.laz out.ply --levels 1 --box=-9,-9,-9,9,9,9 --threads 1", {"out.ply"}}, {"open", "read"});
}

TEST_F(Faults, Denoise) { try_all({"denoise in.ply out.ply --threads 1", {"out.ply"}}, file_calls); }

TEST_F(Faults, View) { try_all({"view in.ply --png out.png --threads 1", {"out.png"}}, file_calls); }

TEST_F(Faults, Page) { try_all({"view in.ply --out out.html --threads 1", {"out.html"}}, file_calls); }

TEST_F(Faults, Clouds) {
  try_all({"synth cube out.ply --points 100 --threads 1", {"out.ply"}}, file_calls);
  try_all({"noise in.ply out.xyz --sigma 0.01 --unit diameter --threads 1", {"out.xyz"}}, file_calls);
  std::ofstream(folder_.file("mesh.off")) << "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  try_all({"sample mesh.off out.pcd --points 50 --threads 1", {"out.pcd"}}, file_calls);
  try_all({"scan mesh.off out.pcd --width 20 --height 20 --threads 1", {"out.pcd"}}, file_calls);
}

TEST_F(Faults, Compare) {
  try_all({"compare in.ply --truth clean.ply --methods mls,bilateral --report report --threads 1",
           {"report/table.json", "report/table.csv", "report/table.md", "report/index.html", "report/mls.ply",
            "report/bilateral.ply"},
           "report",
           "index.html is left out"},
          file_calls);
}

TEST_F(Faults, Study) {
  std::ofstream(folder_.file("study.toml")) << R"(
title = "Study"
metric = [{ key = "mean_distance" }]
noise = { levels = [0.02] }
model = [{ name = "sphere", cloud = "clean.ply" }]
method = [{ name = "mls", method = "mls" }]
)";
  try_all({"study study.toml --out study --threads 1",
           {"study/results.md", "study/results.csv", "study/table-mean-distance.csv", "study/table-Time-and-memory.csv",
            "study/mean-distance-against-time.svg"},
           "study",
           ""},
          file_calls);
}

TEST_F(Faults, Memory) {
  try_all({"convert in.ply out.csv --threads 1", {"out.csv"}}, {"memory"});
  try_all({"denoise in.ply out.ply --method mls --threads 1", {"out.ply"}}, {"memory"});
}

}  // namespace
