#include <gtest/gtest.h>

#include "program.hpp"

namespace {

void expect_answer(const std::string& arguments, const std::string& answer, int code = 2) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  const Outcome outcome = folder.burnish(arguments);
  EXPECT_EQ(outcome.code, code) << arguments << outcome.err;
  EXPECT_NE(outcome.err.find(answer), std::string::npos) << outcome.err;
}

TEST(Typos, AreAnsweredWithTheNearestWord) {
  expect_answer("denois in.xyz out.xyz", "did you mean denoise?");
  expect_answer("denoise in.xyz out.xyz --strenght 1", "did you mean --strength?");
  expect_answer("denoise in.xyz out.xyz --method ripls", "did you mean rimls?");
  expect_answer("synth spher out.ply", "did you mean sphere?");
  expect_answer("evaluate in.xyz --truth tours", "did you mean torus?", 1);
  expect_answer("convert in.xyz out.pyl", "did you mean .ply?", 1);
  expect_answer("view in.xyz --out a.html --up w", "it is one of z, y, x");
  expect_answer("noise in.xyz out.xyz --model gausian:sigma=1", "did you mean gaussian?");
  expect_answer("--hlep", "did you mean --help?");
  expect_answer("rasterise in.xyz", "there are denoise, evaluate");
}

TEST(Typos, CaseDoesNotMatter) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth Cube in.ply --points 500").code, 0);
  const Outcome outcome = folder.burnish("denoise in.ply out.ply --method MLS");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("by mls"), std::string::npos) << outcome.err;
}

TEST(Typos, TheProgramAloneListsItsCommands) {
  const Folder folder;
  const Outcome outcome = folder.burnish("");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(folder.burnish("help").out, outcome.out);
  for (const char* command : {"denoise", "evaluate", "view", "study"}) {
    EXPECT_NE(outcome.out.find(command), std::string::npos) << command;
  }
}

TEST(Typos, OptionsOfAnotherMethodAreRefusedWithItsName) {
  expect_answer("denoise in.xyz out.xyz --iterations 3", "--iterations is not an option of method auto; glr, mls");
  expect_answer("denoise in.xyz out.xyz --solver-steps 3",
                "--solver-steps is not an option of method auto; glr has it");
  expect_answer("denoise in.xyz out.xyz --method mls --strength 1", "is not an option of method mls; auto has it");
  expect_answer("denoise in.xyz out.xyz --noise 0", "is not a number above 0");
}

TEST(Typos, ValuesThatMakeNoSenseAreWrongUsage) {
  expect_answer("denoise in.xyz out.xyz --strength nan", "--strength: \"nan\" is not a number from 0 to 10");
  expect_answer("denoise in.xyz out.xyz --strength 11", "is not a number from 0 to 10");
  expect_answer("denoise in.xyz out.xyz --method mls --degree 7", "the degree must be 1 or 2");
  expect_answer("denoise in.xyz out.xyz --method glr --patch-size 0", "the patch size must be from 4 to 254");
  expect_answer("info in.xyz --spacing 0", "--spacing: \"0\" is not a number above 0");
  expect_answer("info in.xyz --levels 0", "--levels: \"0\" is not a number above 0");
  expect_answer("mesh in.xyz out.ply --cell x", "--cell: \"x\" is not a number above 0");
}

}  // namespace
