#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "program.hpp"

// What happens around the program: signals, pipes, folders. Calls that fail inside it: tests/faults.

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double soon = 10.0;  // seconds
#else
constexpr double soon = 1.0;
#endif

/// Starts the program, sends a signal while it works, and waits. Its exit code is 130 and it leaves nothing behind.
void expect_stops(const Folder& folder, const std::vector<std::string>& arguments, int signal) {
  const std::size_t before = folder.entries();
  std::vector<char*> pointers = {const_cast<char*>(BURNISH_PROGRAM)};
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, BURNISH_PROGRAM, nullptr, nullptr, pointers.data(), environ), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto asked = std::chrono::steady_clock::now();
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
  ASSERT_TRUE(WIFEXITED(status)) << strsignal(signal);
  EXPECT_EQ(WEXITSTATUS(status), 130) << strsignal(signal);
  EXPECT_LT(seconds, soon) << strsignal(signal);
  EXPECT_EQ(folder.entries(), before) << strsignal(signal);
}

TEST(Faults, SignalsStopItAndLeaveNothingBehind) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth sphere clean.ply --points 200000 --random").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.ply in.ply --sigma 0.005 --unit diameter").code, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    expect_stops(folder, {"denoise", folder.file("in.ply"), folder.file("out.ply")}, signal);
  }
  expect_stops(folder, {"scan", "organic", folder.file("out.ply"), "--width", "8000", "--height", "8000"}, SIGINT);
}

TEST(Faults, OutputOntoTheInputIsTheSameAsElsewhere) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth cube clean.ply --points 1500").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.ply in.ply --sigma 0.01 --unit diameter").code, 0);
  ASSERT_EQ(folder.burnish("denoise in.ply out.ply").code, 0);
  ASSERT_EQ(folder.burnish("denoise in.ply in.ply").code, 0);
  EXPECT_EQ(contents(folder.file("in.ply")), contents(folder.file("out.ply")));
  EXPECT_EQ(folder.entries(), 3U);
}

TEST(Faults, AReaderThatIsGoneIsAnErrorWithAMessage) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n0 1 0\n";
  for (const std::string command : {"convert in.xyz -", "info in.xyz", "info in.xyz --json", "--help"}) {
    // Standard output is closed on the other side before anything is written to it.
    const std::string script = "cd '" + folder.file("") + "' && { sleep 0.3; '" BURNISH_PROGRAM "' " + command +
                               " 2>message; echo $? >code; } | :";
    ASSERT_EQ(std::system(script.c_str()), 0);
    EXPECT_EQ(contents(folder.file("code")), "1\n") << command;
    EXPECT_NE(contents(folder.file("message")).find("Broken pipe"), std::string::npos)
        << command << ": " << contents(folder.file("message"));
  }
}

TEST(Faults, StandardErrorThatTakesNothingIsNoReasonToFail) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(
      std::system(("cd '" + folder.file("") + "' && '" BURNISH_PROGRAM "' convert in.xyz out.ply 2>/dev/full").c_str()),
      0);
  EXPECT_EQ(WEXITSTATUS(std::system(
                ("cd '" + folder.file("") + "' && '" BURNISH_PROGRAM "' convert no.xyz out.ply 2>/dev/full").c_str())),
            1);
}

TEST(Faults, FoldersThatCannotBeWrittenToAreNamed) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n0 1 0\n";
  std::filesystem::create_directory(folder.file("closed"));
  ::chmod(folder.file("closed").c_str(), 0555);
  // Root may write to a closed folder, but nobody to that of the kernel, which may also be mounted for reading only.
  const bool is_root = ::geteuid() == 0;
  const std::string output = is_root ? "/sys/out.ply" : "closed/out.ply";
  const Outcome outcome = folder.burnish("convert in.xyz " + output);
  EXPECT_EQ(outcome.code, 1);
  const std::string reason = is_root ? "" : "Permission denied";
  EXPECT_NE(outcome.err.find(output + ": cannot be written: " + reason), std::string::npos) << outcome.err;
}

TEST(Faults, BytesOfAFileDoNotReachTheTerminalAsTheyAre) {
  const Folder folder;
  std::ofstream(folder.file("in.ply")) << "ply\nformat ascii 1.0\ncomment \x1b[2Jcleared \xE9\nelement vertex 1\n"
                                          "property float x\nproperty float y\nproperty float z\nproperty float \x07\n"
                                          "end_header\n1 2 3 4\n";
  const Outcome text = folder.burnish("info in.ply");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.out.find_first_of("\x1b\x07"), std::string::npos);
  EXPECT_NE(text.out.find("?[2Jcleared"), std::string::npos) << text.out;
  const Outcome json = folder.burnish("info in.ply --json");
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(nlohmann::json::parse(json.out)["comments"][0], "\x1b[2Jcleared \xEF\xBF\xBD");
}

TEST(Faults, NoSurfaceIsSaid) {
  const Folder folder;
  std::ofstream cube(folder.file("cube.xyz"));
  std::ofstream line(folder.file("line.xyz"));
  std::uint32_t state = 1;
  const auto random = [&] {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8) / (1 << 24);
  };
  for (int i = 0; i < 2000; ++i) {
    cube << random() << ' ' << random() << ' ' << random() << '\n';
    line << 100.0 * random() << ' ' << random() + random() << ' ' << random() + random() << '\n';
  }
  cube.close();
  line.close();
  for (const std::string name : {"cube", "line"}) {
    const Outcome outcome = folder.burnish("denoise " + name + ".xyz out.xyz");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("no surface was found"), std::string::npos) << name << outcome.err;
    EXPECT_EQ(contents(folder.file("out.xyz")), contents(folder.file(name + ".xyz"))) << name;
    const Outcome json = folder.burnish("denoise " + name + ".xyz out.xyz --json");
    EXPECT_EQ(nlohmann::json::parse(json.out)["warnings"].size(), 1U) << json.out;
  }
}

TEST(Faults, ASolverThatDidNotConvergeIsSaid) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth cube clean.ply --points 1500").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.ply in.ply --sigma 0.01 --unit diameter").code, 0);
  const Outcome stopped = folder.burnish("denoise in.ply out.ply --method glr --iterations 2 --solver-steps 1");
  EXPECT_EQ(stopped.code, 0);
  EXPECT_NE(stopped.err.find("the solver did not converge in 2 of 2 iterations"), std::string::npos) << stopped.err;
  const Outcome finished = folder.burnish("denoise in.ply out.ply --method glr --iterations 2");
  EXPECT_EQ(finished.err.find("converge"), std::string::npos) << finished.err;
}

TEST(Faults, NumbersNestedWithoutEndAreReadOrRefused) {
  const Folder folder;
  folder.use_page_frame();
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  std::string nested = R"({"output": "in.xyz")";
  for (int i = 0; i < 100000; ++i) {
    nested += R"(, "a": {"b": 1)";
  }
  std::ofstream(folder.file("numbers.json")) << nested << std::string(100001, '}');
  EXPECT_EQ(folder.burnish("view in.xyz --numbers numbers.json --out page.html").code, 0);
  EXPECT_EQ(folder.burnish("view in.xyz --numbers . --out page.html").code, 1);
  EXPECT_EQ(folder.burnish("view in.xyz --numbers no.json --out page.html").code, 1);
}

}  // namespace
