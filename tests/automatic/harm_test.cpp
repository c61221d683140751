#include "harm.hpp"

#include <gtest/gtest.h>

namespace burnish {
namespace {

class DoNoHarm : public testing::TestWithParam<HarmCase> {};

INSTANTIATE_TEST_SUITE_P(All, DoNoHarm, testing::ValuesIn(harm_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(DoNoHarm, StaysWithinTheLimits) {
  for (const HarmFigure& figure : GetParam().measure()) {
    EXPECT_LT(figure.value, figure.limit) << GetParam().cloud << ": " << figure.what;
  }
}

}  // namespace
}  // namespace burnish
