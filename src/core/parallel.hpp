#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#if defined(__SANITIZE_THREAD__)
#include <array>
#include <exception>
#include <thread>
#endif
#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

#include "burnish/execution.hpp"

// The only header that uses the thread library. Every loop is divided into blocks by the size of the problem alone,
// never by the number of threads, and sums are added block by block in order, so results are the same bytes on any
// machine.

namespace burnish {

/// The number of threads that a context allows, at most that of the machine.
[[nodiscard]] inline std::size_t thread_count(const ExecutionContext& context) {
  const std::size_t there = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  return context.threads > 0 ? std::min(there, static_cast<std::size_t>(context.threads)) : there;
}

#if defined(__SANITIZE_THREAD__)
/// Thread sanitizer does not see the synchronisation of oneTBB, so its build uses four threads of its own, each with
/// every fourth block. They share nothing while they run, not even a counter of blocks, which the sanitizer would take
/// for synchronisation; so it finds any two threads that access the same memory, in whatever order they run.
template <class Run>
void run_blocks(const ExecutionContext& /*context*/, std::size_t blocks, const Run& run) {
  constexpr std::size_t count = 4;
  std::array<std::exception_ptr, count> errors;
  {
    std::array<std::jthread, count> threads;
    for (std::size_t t = 0; t < count; ++t) {
      threads[t] = std::jthread([&, t] {
        try {
          for (std::size_t b = t; b < blocks; b += count) {
            run(b);
          }
        } catch (...) {
          errors[t] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) {
      std::rethrow_exception(error);
    }
  }
}

template <class Item, class Before>
void parallel_sort(const ExecutionContext& /*context*/, std::vector<Item>& items, const Before& before) {
  std::ranges::sort(items, before);
}
#else
/// Runs work with as many threads as the context allows.
template <class Work>
void in_arena(const ExecutionContext& context, const Work& work) {
  tbb::task_arena arena(context.threads > 0 ? static_cast<int>(thread_count(context)) : tbb::task_arena::automatic);
  arena.execute(work);
}

template <class Run>
void run_blocks(const ExecutionContext& context, std::size_t blocks, const Run& run) {
  in_arena(context, [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, blocks, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t b = range.begin(); b != range.end(); ++b) {
            run(b);
          }
        },
        tbb::simple_partitioner());
  });
}

/// Sorts by a strict total order, so that the result is unique.
template <class Item, class Before>
void parallel_sort(const ExecutionContext& context, std::vector<Item>& items, const Before& before) {
  if (context.threads == 1) {
    std::sort(items.begin(), items.end(), before);
  } else {
    in_arena(context, [&] { tbb::parallel_sort(items.begin(), items.end(), before); });
  }
}
#endif

/// Calls body(begin, end) for consecutive blocks of [0, count), in parallel.
template <class Body>
void parallel_blocks(const ExecutionContext& context, std::size_t count, std::size_t block, const Body& body) {
  context.check_cancelled();
  const std::size_t blocks = (count + block - 1) / block;
  const auto run = [&](std::size_t b) {
    context.check_cancelled();
    const std::size_t begin = b * block;
    body(begin, begin + block < count ? begin + block : count);
  };
  if (blocks <= 1 || context.threads == 1) {
    for (std::size_t b = 0; b < blocks; ++b) {
      run(b);
    }
  } else {
    run_blocks(context, blocks, run);
  }
}

/// Calls body(i) for every i of [0, count), in parallel.
template <class Body>
void parallel_for(const ExecutionContext& context, std::size_t count, std::size_t block, const Body& body) {
  parallel_blocks(context, count, block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      body(i);
    }
  });
}

/// Sum of body(begin, end) over consecutive blocks, added in order.
template <class Value, class Body>
[[nodiscard]] Value parallel_sum(const ExecutionContext& context, std::size_t count, std::size_t block, Value zero,
                                 const Body& body) {
  std::vector<Value> parts((count + block - 1) / block, zero);
  parallel_blocks(context, count, block,
                  [&](std::size_t begin, std::size_t end) { parts[begin / block] = body(begin, end); });
  for (const Value& part : parts) {
    zero += part;
  }
  return zero;
}

}  // namespace burnish
