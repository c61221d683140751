#include <gtest/gtest.h>

#include "program.hpp"

namespace {

// The C library chooses among versions of its functions by what the processor has. These variables make it take those
// for processors without fused multiply-add, which differ from the others in their last bits.
const std::string without_fma =
    "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-FMA4,-FMA4_Usable ";

/// The file that a command writes, with the usual functions of the C library and with the others.
void expect_same_bytes(const Folder& folder, const std::string& command, const std::string& name) {
  ASSERT_EQ(folder.burnish(command).code, 0) << command;
  const std::string usual = contents(folder.file(name));
  ASSERT_EQ(folder.burnish(command, without_fma).code, 0) << command;
  EXPECT_TRUE(usual == contents(folder.file(name))) << command;
}

TEST(SameBytes, WhateverTheFunctionsOfTheLibrary) {
  const Folder folder;
  for (const std::string shape : {"part", "organic", "torus"}) {
    expect_same_bytes(folder, "synth " + shape + " clean.ply --points 3000", "clean.ply");
  }
  expect_same_bytes(folder,
                    "noise clean.ply noisy.ply --model student-t:sigma=0.5spacing --model "
                    "gaussian:sigma=0.3spacing:correlation=3spacing",
                    "noisy.ply");
  expect_same_bytes(folder, "scan part scan.ply --sensor depth --width 80 --height 60", "scan.ply");
  for (const std::string method :
       {"auto", "glr", "mls", "bilateral", "apss", "rimls", "wlop", "awlop", "nld", "mrpca", "low_rank"}) {
    expect_same_bytes(folder, "denoise noisy.ply smooth.ply --method " + method, "smooth.ply");
  }
}

}  // namespace
