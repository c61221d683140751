#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace burnish {
namespace {

constexpr int thread_counts[] = {1, 2, 7};

struct Blocks {
  std::size_t count;
  std::size_t block;
};
constexpr Blocks several_blocks[] = {{0, 8}, {1, 8}, {8, 8}, {9, 8}, {1000, 1}, {1000, 7}, {1000, 1000}, {1000, 5000}};

TEST(ParallelBlocks, CoverEveryIndexOnceInBlocksOfTheProblem) {
  for (const int threads : thread_counts) {
    ExecutionContext context;
    context.threads = threads;
    for (const Blocks& cut : several_blocks) {
      const std::size_t count = cut.count;  // lambdas of clang 14 cannot capture structured bindings
      const std::size_t block = cut.block;
      std::vector<std::atomic<int>> visits(count);
      std::atomic<std::size_t> blocks = 0;
      parallel_blocks(context, count, block, [&](std::size_t begin, std::size_t end) {
        EXPECT_EQ(begin % block, 0U);
        EXPECT_EQ(end, std::min(begin + block, count));
        ++blocks;
        for (std::size_t i = begin; i < end; ++i) {
          ++visits[i];
        }
      });
      EXPECT_TRUE(std::ranges::all_of(visits, [](const auto& v) { return v == 1; }));
      EXPECT_EQ(blocks, (count + block - 1) / block) << "whatever the number of threads";
    }
  }
}

TEST(ParallelFor, CallsEveryIndexOnce) {
  for (const int threads : thread_counts) {
    ExecutionContext context;
    context.threads = threads;
    std::vector<int> visits(12345, 0);
    parallel_for(context, visits.size(), 100, [&](std::size_t i) { ++visits[i]; });
    EXPECT_EQ(std::ranges::count(visits, 1), 12345);
  }
}

double sum_of_roots(int threads, std::size_t count, std::size_t block) {
  ExecutionContext context;
  context.threads = threads;
  return parallel_sum(context, count, block, 0.5, [](std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      sum += std::sqrt(static_cast<double>(i)) * (i % 2 == 0 ? 1e8 : 1e-8);
    }
    return sum;
  });
}

TEST(ParallelSum, IsTheSameToTheBitForAnyNumberOfThreads) {
  const double one = sum_of_roots(1, 100000, 97);
  for (int repeat = 0; repeat < 5; ++repeat) {
    EXPECT_EQ(sum_of_roots(2, 100000, 97), one);
    EXPECT_EQ(sum_of_roots(7, 100000, 97), one);
  }
}

TEST(ParallelSum, AddsTheBlocksInOrder) {
  for (const int threads : thread_counts) {
    ExecutionContext context;
    context.threads = threads;
    const std::string text =
        parallel_sum(context, 10, 3, std::string(">"), [](std::size_t begin, std::size_t end) -> std::string {
          return std::to_string(begin) + "-" + std::to_string(end) + " ";
        });
    // The start value is also what an empty part would hold, so it must not be counted twice.
    EXPECT_EQ(text, ">0-3 3-6 6-9 9-10 ");
  }
}

TEST(ParallelSum, OfNothingIsTheStartValue) {
  const double sum = parallel_sum(ExecutionContext(), 0, 8, 4.0, [](std::size_t, std::size_t) { return 1.0; });
  EXPECT_EQ(sum, 4.0);
}

TEST(ParallelSort, SortsTheSameForAnyNumberOfThreads) {
  for (const int threads : thread_counts) {
    ExecutionContext context;
    context.threads = threads;
    std::vector<std::size_t> items(50000);
    std::iota(items.begin(), items.end(), 0U);
    const auto key = [](std::size_t i) { return i * 7919 % 50021; };  // 50021 is prime: no two are equal
    parallel_sort(context, items, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    EXPECT_TRUE(std::ranges::is_sorted(items, {}, key));
  }
}

TEST(ParallelBlocks, PassExceptionsOn) {
  for (const int threads : thread_counts) {
    ExecutionContext context;
    context.threads = threads;
    const auto body = [](std::size_t begin, std::size_t) {
      if (begin == 50) {
        throw std::runtime_error("from a block");
      }
    };
    try {
      parallel_blocks(context, 1000, 10, body);
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "from a block");
    }
  }
}

TEST(ParallelBlocks, DoNotBeginIfCancelled) {
  for (const int threads : thread_counts) {
    ExecutionContext context;
    context.threads = threads;
    context.cancel();
    std::atomic<int> calls = 0;
    const auto body = [&](std::size_t, std::size_t) { ++calls; };
    EXPECT_THROW(parallel_blocks(context, 1000, 10, body), Cancelled);
    EXPECT_THROW(parallel_blocks(context, 0, 10, body), Cancelled);
    EXPECT_EQ(calls, 0);
  }
}

TEST(ParallelBlocks, StopSoonWhenCancelledInTheMiddle) {
  for (const int threads : thread_counts) {
    ExecutionContext context;
    context.threads = threads;
    std::atomic<std::size_t> calls = 0;
    EXPECT_THROW(parallel_blocks(context, 100000, 1,
                                 [&](std::size_t, std::size_t) {
                                   if (++calls == 100) {
                                     context.cancel();
                                   }
                                 }),
                 Cancelled);
    // Other threads may be within a block each.
    EXPECT_LT(calls, 100U + 16U);
  }
}

TEST(ExecutionContext, ReportsProgressUntilCancelled) {
  ExecutionContext context;
  context.report("nobody listens", 0.5);
  double seen = -1.0;
  context.on_progress = [&](std::string_view stage, double fraction) {
    EXPECT_EQ(stage, "work");
    seen = fraction;
  };
  context.report("work", 0.25);
  EXPECT_EQ(seen, 0.25);
  std::thread([&] { context.cancel(); }).join();
  EXPECT_THROW(context.report("work", 0.5), Cancelled);
  EXPECT_EQ(seen, 0.25);
}

}  // namespace
}  // namespace burnish
