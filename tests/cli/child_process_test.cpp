#include "child_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "burnish/error.hpp"

namespace burnish::cli {
namespace {

std::string error_of(const std::function<Json()>& work) {
  ExecutionContext context;
  try {
    (void)run_in_child("work", context, work);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ChildProcess, BringsBackWhatTheWorkReturned) {
  ExecutionContext context;
  const pid_t here = getpid();
  const Json result = run_in_child("work", context, [] {
    return Json{{"process", getpid()}, {"text", std::string(300000, 'x')}};  // more than a pipe holds
  });
  EXPECT_NE(result["process"].get<pid_t>(), here);
  EXPECT_EQ(result["text"].get<std::string>().size(), 300000U);
}

TEST(ChildProcess, BringsBackWhatWentWrong) {
  EXPECT_EQ(error_of([]() -> Json { throw Error("no such thing"); }), "no such thing");
  EXPECT_EQ(error_of([]() -> Json { throw std::bad_alloc(); }), "not enough memory");
  EXPECT_NE(error_of([]() -> Json {
              raise(SIGKILL);
              return nullptr;
            }).find("signal 9"),
            std::string::npos);
  EXPECT_EQ(error_of([]() -> Json { _exit(7); }), "ended with exit code 7 before it returned its result");
}

TEST(ChildProcess, StopsWhenAskedTo) {
  ExecutionContext context;
  std::jthread asker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    context.cancel();
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW((void)run_in_child("work", context,
                                  [] {
                                    std::this_thread::sleep_for(std::chrono::seconds(30));
                                    return Json();
                                  }),
               Cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(ChildProcess, CountsTheMemoryOfTheWorkAlone) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers have memory of their own";
#endif
  ExecutionContext context;
  const auto peak = [&](std::size_t megabytes) {
    return run_in_child("work", context,
                        [&] {
                          const CostMeter meter;
                          std::vector<char> memory(megabytes << 20, 'x');
                          EXPECT_EQ(memory[memory.size() / 2], 'x');
                          return Json(meter.cost().peak_memory);
                        })
        .get<double>();
  };
  const double small = peak(1);
  EXPECT_NEAR(peak(200) - small, 199.0 * 1048576, 10.0 * 1048576);
  EXPECT_NEAR(peak(1), small, 10.0 * 1048576) << "not what others had before";
}

TEST(ChildProcess, CountsProcessorTime) {
  const CostMeter meter;
  volatile double sum = 0.0;
  while (meter.cost().cpu_seconds < 0.05) {
    for (int i = 0; i < 100000; ++i) {
      sum = sum + i;
    }
  }
  EXPECT_GE(meter.cost().seconds, 0.045);
}

}  // namespace
}  // namespace burnish::cli
