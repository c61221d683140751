#include "burnish/progress.hpp"

#include <gtest/gtest.h>

namespace burnish {
namespace {

using std::chrono::milliseconds;

TEST(SmoothProgress, MovesBetweenReportsAndNeverBack) {
  SmoothProgress progress;
  const SmoothProgress::Clock::time_point start{};
  double last = 0.0;
  // Reports every five seconds, looked at every second.
  for (int second = 0; second < 20; ++second) {
    const auto now = start + milliseconds(1000 * second);
    if (second % 5 == 0) {
      progress.report("denoising", second / 20.0, now);
    }
    const double fraction = progress.fraction(now + milliseconds(500));
    if (second >= 5) {
      EXPECT_GT(fraction, last) << second;
      EXPECT_NEAR(fraction, (second + 0.5) / 20.0, 0.12) << second;
      EXPECT_NEAR(progress.seconds_left(now + milliseconds(500)), 19.5 - second, 5.0) << second;
    } else {
      EXPECT_LT(progress.seconds_left(now + milliseconds(500)), 0.0);
    }
    EXPECT_GE(fraction, last);
    last = fraction;
  }
  progress.report("denoising", 0.8, start + milliseconds(20000));
  EXPECT_GE(progress.fraction(start + milliseconds(20000)), last);
  EXPECT_LT(progress.fraction(start + milliseconds(4000000)), 1.0);
  progress.report("denoising", 1.0, start + milliseconds(21000));
  EXPECT_EQ(progress.fraction(start + milliseconds(21000)), 1.0);
}

TEST(SmoothProgress, BeginsAgainWithAStage) {
  SmoothProgress progress;
  const SmoothProgress::Clock::time_point start{};
  progress.report("reading", 0.9, start + milliseconds(10));
  EXPECT_GE(progress.fraction(start + milliseconds(20)), 0.9);
  progress.report("denoising", 0.0, start + milliseconds(30));
  EXPECT_EQ(progress.stage(), "denoising");
  EXPECT_EQ(progress.fraction(start + milliseconds(5000)), 0.0);
}

}  // namespace
}  // namespace burnish
