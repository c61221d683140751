#include "cli/program.hpp"

#include <gtest/gtest.h>

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
};

class Faults : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizers have their own way with these calls";
#endif
    folder_.use_page_frame();
    ASSERT_EQ(folder_.burnish("synth sphere clean.ply --points 300").code, 0);
    ASSERT_EQ(folder_.burnish("noise clean.ply in.ply --sigma 0.02").code, 0);
  }

  /// Runs a command whose n-th call of a kind fails; false if there was no n-th call.
  bool fails_as_it_should(const Command& command, const std::string& call, long n) {
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
        complete_[command.arguments + output] = after[output];
      }
    } else {
      check_failure(command, outcome, before, after);
    }
    return was_hit;
  }

  void check_failure(const Command& command, const Outcome& outcome, const Files& before, Files& after) {
    // Some calls the program can do without, such as asking how much memory it took.
    EXPECT_TRUE(outcome.code == 1 || outcome.code == 0) << outcome.code;
    EXPECT_TRUE(outcome.code == 0 || outcome.err.find("burnish: ") != std::string::npos);
    for (const std::string& output : command.outputs) {
      const bool is_old = after[output] == before.at(output);
      const bool is_complete = after[output] == complete_.at(command.arguments + output);
      EXPECT_TRUE(is_complete || (is_old && outcome.code == 1)) << output;
      after.erase(output);
    }
    for (const auto& [name, content] : after) {
      EXPECT_TRUE(before.contains(name)) << name << " is left behind";
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
}

TEST_F(Faults, Denoise) { try_all({"denoise in.ply out.ply --threads 1", {"out.ply"}}, file_calls); }

TEST_F(Faults, View) { try_all({"view in.ply --png out.png --threads 1", {"out.png"}}, file_calls); }

TEST_F(Faults, Page) { try_all({"view in.ply --out out.html --threads 1", {"out.html"}}, file_calls); }

TEST_F(Faults, Memory) {
  try_all({"convert in.ply out.csv --threads 1", {"out.csv"}}, {"memory"});
  try_all({"denoise in.ply out.ply --method mls --threads 1", {"out.ply"}}, {"memory"});
}

}  // namespace
