#include "burnish/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

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

TEST(MovingProgress, CallsBetweenReportsUntilTheStageOrItselfEnds) {
  ExecutionContext context;
  std::vector<double> shown;
  {
    const MovingProgress moving(context, [&](std::string_view stage, double fraction, double seconds_left) {
      EXPECT_EQ(stage, "denoising");
      EXPECT_LT(seconds_left, 1000.0);
      shown.push_back(fraction);
    });
    context.report("denoising", 0.0);
    std::this_thread::sleep_for(milliseconds(100));
    context.report("denoising", 0.2);
    std::this_thread::sleep_for(milliseconds(1500));  // time for five or six calls
    context.report("denoising", 1.0);
    std::this_thread::sleep_for(milliseconds(600));
  }
  EXPECT_FALSE(context.on_progress);
  ASSERT_GE(shown.size(), 3U + 2U);  // so few only where others want the processor
  EXPECT_TRUE(std::ranges::is_sorted(shown));
  EXPECT_EQ(shown.back(), 1.0);
  EXPECT_EQ(std::ranges::count(shown, 1.0), 1);
  EXPECT_GT(std::ranges::count_if(shown, [](double part) { return part > 0.2 && part < 1.0; }), 1);
}

TEST(MovingProgress, CancelsFromItsFunction) {
  ExecutionContext context;
  const MovingProgress moving(context, [&](std::string_view, double, double) { context.cancel(); });
  context.report("denoising", 0.0);
  EXPECT_THROW(context.check_cancelled(), Cancelled);
}

}  // namespace
}  // namespace burnish
