#pragma once

#include <atomic>
#include <functional>
#include <string_view>
#include <utility>

#include "burnish/error.hpp"

namespace burnish {

/// Controls a long-running function: number of threads, progress reports, and cancellation.
///
///     ExecutionContext context;
///     context.on_progress = [](std::string_view stage, double fraction) { ... };
///     auto result = denoise_glr(cloud, settings, context);   // context.cancel() from any thread stops it
///
/// Results never depend on the number of threads.
class ExecutionContext {
 public:
  ExecutionContext() = default;

  /// For a part of a larger task: it reports nothing, runs on `threads_of_part` threads, and is cancelled together with
  /// `whole`.
  ExecutionContext(const ExecutionContext& whole, int threads_of_part) : threads(threads_of_part), whole_(&whole) {}

  /// Movable, but not while a function that was given it is running.
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

  /// Maximum number of threads; 0 means all processors of the machine.
  int threads = 0;

  /// Called repeatedly (more evenly: MovingProgress) with the name of the current stage and the fraction of it that is
  /// done, from 0 to 1. May be called from any thread, but never from two at once.
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

  /// Reports progress; throws Cancelled if cancel() was called.
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

/// Ends idle worker threads; they are started again when needed. Call it before a process forks, because threads do not
/// exist in the child. Returns false if threads are running now: if the process is forked nevertheless, only contexts
/// with `threads = 1` may be used in the child.
[[nodiscard]] bool end_idle_threads() noexcept;

}  // namespace burnish
