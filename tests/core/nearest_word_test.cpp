#include "burnish/nearest_word.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace burnish {
namespace {

TEST(NearestWord, AnswersTypos) {
  const std::vector<std::string> commands{"denoise", "evaluate", "noise", "synth", "info", "convert", "view"};
  for (const auto& [typed, meant] : std::vector<std::pair<std::string, std::string>>{{"denois", "denoise"},
                                                                                     {"dneoise", "denoise"},
                                                                                     {"DENOISE", "denoise"},
                                                                                     {"evalute", "evaluate"},
                                                                                     {"eval", "evaluate"},
                                                                                     {"nosie", "noise"},
                                                                                     {"veiw", "view"},
                                                                                     {"imfo", "info"}}) {
    EXPECT_EQ(nearest_word(typed, commands), meant) << typed;
  }
  for (const char* other : {"", "zzz", "rasterise", "x"}) {
    EXPECT_EQ(nearest_word(other, commands), std::nullopt) << other;
  }
  EXPECT_EQ(nearest_word("foo", std::vector<std::string>{"mls", "lop"}), std::nullopt);  // one letter in common
  EXPECT_EQ(nearest_word("lpo", std::vector<std::string>{"mls", "lop"}), "lop");
  EXPECT_EQ(did_you_mean("sinth", commands), "; did you mean synth?");
  EXPECT_EQ(did_you_mean("rasterise", commands), "");
}

}  // namespace
}  // namespace burnish
