#include <gtest/gtest.h>

#include <algorithm>

#include "program.hpp"
#include "shared_data.hpp"

namespace {

/// Bad input: exit code 1, one line that names the file, nothing on standard output, no output file.
void expect_refused(const std::string& input, const std::string& file_name) {
  const Folder folder;
  const Outcome outcome = folder.burnish("denoise '" + input + "' out.ply");
  EXPECT_EQ(outcome.code, 1) << input;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find(file_name), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.entries(), 0U) << input;
}

void expect_usage_error(const std::string& arguments) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n";
  const Outcome outcome = folder.burnish(arguments);
  EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("--help"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(BadInput, DamagedFilesAreRefused) {
  const Folder folder;
  const auto make = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
    return folder.file(name);
  };
  const std::string header = "property float x\nproperty float y\nproperty float z\nend_header\n";
  expect_refused(folder.file("missing.ply"), "missing.ply");
  expect_refused(make("empty.ply", ""), "empty.ply");
  expect_refused(make("no-end.ply", "ply\nformat ascii 1.0\nelement vertex 3\n"), "no-end.ply");
  expect_refused(make("truncated.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 3\n" + header + "abc"),
                 "truncated.ply");
  expect_refused(make("lying.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999\n" + header + "1 2 3\n"),
                 "lying.ply");
  expect_refused(make("words.xyz", "these are words\nand more of them\n"), "words.xyz");
  expect_refused(make("garbage.ply", std::string("\x00\x01\x02\xff\xfe", 5)), "garbage.ply");
  expect_refused(folder.file("."), ".");
}

TEST(BadInput, DamagedFilesOfOtherProgramsAreRefused) {
  BURNISH_NEEDS_DATA();
  const auto formats = shared_data() / "formats";
  for (const char* name :
       {"assimp/ant-half.ply", "cgal/binary_cut.ply", "trimesh/ply_empty_header.ply", "pcl/brisk_descriptors_gt.pcd",
        "pdal/las/permutations/1.2-no-points.las", "trimesh/empty.obj", "pdal/text/badheader.txt"}) {
    const auto file = formats / name;
    if (std::filesystem::exists(file)) {
      expect_refused(file.string(), file.filename().string());
    } else {
      ADD_FAILURE() << "not in the test data: " << name;
    }
  }
}

TEST(BadInput, WhereTheResultCannotBeWrittenItIsSaidAtOnce) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n";
  for (const char* out : {"no/such/folder/out.ply", "out.unknown", "out", "."}) {
    const Outcome outcome = folder.burnish(std::string("denoise in.xyz ") + out);
    EXPECT_EQ(outcome.code, 1) << out;
    EXPECT_EQ(folder.entries(), 1U) << out;
  }
}

TEST(BadInput, WhatCannotBePrintedIsAFailure) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n0 1 0\n1 1 0\n";
  for (const std::string command : {"--help", "info in.xyz", "info in.xyz --json", "evaluate in.xyz --truth in.xyz",
                                    "denoise in.xyz out.xyz --json", "convert in.xyz -"}) {
    EXPECT_EQ(folder.burnish(command + " >/dev/full || exit $?; true").code, 1) << command;
    EXPECT_EQ(folder.burnish(command + " >/dev/null || exit $?; true").code, 0) << command;
  }
}

TEST(BadInput, WrongUsageGetsAHint) {
  expect_usage_error("polish in.xyz out.xyz");
  expect_usage_error("denoise in.xyz");
  expect_usage_error("denoise in.xyz out.xyz --no-such-option");
  expect_usage_error("denoise in.xyz out.xyz --preset mine");
  expect_usage_error("denoise in.xyz out.xyz --threads 0");
  expect_usage_error("denoise in.xyz out.xyz --method glr --patch-size many");
  expect_usage_error("evaluate in.xyz");
  expect_usage_error("noise in.xyz out.xyz");
  expect_usage_error("noise in.xyz out.xyz --sigma much");
  expect_usage_error("noise in.xyz out.xyz --sigma -1");
  expect_usage_error("noise in.xyz out.xyz --sigma 1 --unit metres");
  expect_usage_error("noise in.xyz out.xyz --model pink:sigma=1");
  expect_usage_error("noise in.xyz out.xyz --model gaussian");
  expect_usage_error("noise in.xyz out.xyz --sigma 1 --model student-t:degrees=1");
  expect_usage_error("synth pyramid out.ply");
}

TEST(BadInput, SettingsThatMakeNoSenseAreRefused) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n";
  for (const char* option : {"--patch-size 2", "--patch-size 1000", "--centre-rate 0", "--centre-rate nan",
                             "--epsilon -1", "--mu-factor 0", "--noise-level 7"}) {
    const Outcome outcome = folder.burnish(std::string("denoise in.xyz out.xyz --method glr ") + option);
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_EQ(folder.entries(), 1U) << option;
  }
}

}  // namespace
