#pragma once

#include <atomic>
#include <functional>
#include <string_view>
#include <utility>

#include "burnish/error.hpp"

namespace burnish {

/// How a long function runs: on how many threads, to whom it reports its progress, and whether it should stop.
///
///     ExecutionContext context;
///     context.on_progress = [](std::string_view stage, double fraction) { ... };
///     auto result = denoise_glr(cloud, settings, context);   // context.cancel() from any thread stops it
///
/// Results never depend on the number of threads.
class ExecutionContext {
 public:
  ExecutionContext() = default;

  /// For a part of some work: it reports nothing, runs on `threads_of_part` threads, and is cancelled together with the
  /// whole.
  ExecutionContext(const ExecutionContext& whole, int threads_of_part) : threads(threads_of_part), whole_(&whole) {}

  /// It can be moved into a member or out of a function, but not while work that was given it is running.
  ExecutionContext(ExecutionContext&& other) noexcept
      : threads(other.threads),
        on_progress(std::move(other.on_progress)),
        cancelled_(other.cancelled_.load()),
        whole_(other.whole_) {}
  ExecutionContext& operator=(ExecutionContext&& other) noexcept {
    threads = other.threads;
    on_progress = std::move(other.on_progress);
    cancelled_ = other.cancelled_.load();
    whole_ = other.whole_;
    return *this;
  }

  /// Threads to use at most; 0 means as many as the machine has.
  int threads = 0;

  /// Called now and then (more evenly: MovingProgress) with the name of the work and the part of it done, from 0 to 1.
  /// May be called from any thread, but never from two at once.
  std::function<void(std::string_view stage, double fraction)> on_progress;

  /// Asks the running function to stop; it throws Cancelled soon after. Safe from any thread and from a signal
  /// handler.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] bool cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed) || (whole_ != nullptr && whole_->cancelled());
  }

  /// Throws Cancelled if cancel() was called.
  void check_cancelled() const {
    if (cancelled()) {
      throw Cancelled();
    }
  }

  /// Reports progress, and stops here if asked to.
  void report(std::string_view stage, double fraction) const {
    check_cancelled();
    if (on_progress) {
      on_progress(stage, fraction);
    }
  }

 private:
  std::atomic<bool> cancelled_{false};
  const ExecutionContext* whole_ = nullptr;
};

/// Ends the threads that wait for more work between calls; they start again when needed. To be called before a process
/// forks, because they would be missing in the new one. False if threads are at work now: in a process forked all the
/// same, only contexts with `threads = 1` may be used.
[[nodiscard]] bool end_idle_threads() noexcept;

}  // namespace burnish
