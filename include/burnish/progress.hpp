#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "burnish/execution.hpp"

namespace burnish {

/// Continuous progress. Long functions report when a step is finished, possibly seconds apart; between reports this
/// class extrapolates at the speed so far, by at most the largest step so far.
///
///     SmoothProgress progress;
///     context.on_progress = [&](std::string_view stage, double fraction) { progress.report(stage, fraction); };
///     // ten times a second, from a thread that holds the same lock:
///     show(progress.stage(), progress.fraction(), progress.seconds_left());
///
/// MovingProgress, below, has that thread and that lock.
class SmoothProgress {
 public:
  using Clock = std::chrono::steady_clock;

  /// To be called with the arguments of ExecutionContext::on_progress.
  void report(std::string_view stage, double fraction, Clock::time_point now = Clock::now());

  [[nodiscard]] const std::string& stage() const { return stage_; }
  /// The fraction of the stage that is done, from 0 to 1; never decreases within a stage. 0 as long as nothing is
  /// known.
  [[nodiscard]] double fraction(Clock::time_point now = Clock::now());
  /// Estimated remaining time of the stage; negative if it is not known yet.
  [[nodiscard]] double seconds_left(Clock::time_point now = Clock::now());
  /// Elapsed time of the stage.
  [[nodiscard]] double seconds(Clock::time_point now = Clock::now()) const;

 private:
  std::string stage_;
  Clock::time_point start_;
  Clock::time_point last_report_;
  double reported_ = 0.0;      ///< in the last report
  double largest_step_ = 0.0;  ///< between two reports
  double shown_ = 0.0;
};

/// Calls a function with progress that moves, as long as it exists: at every report of the work, and four times a
/// second between reports.
///
///     ExecutionContext context;
///     const MovingProgress moving(context, [](std::string_view stage, double fraction, double seconds_left) { ... });
///     auto result = denoise(positions, {}, context);
///
/// The function is called from any thread, but never from two at once, and must not throw; context.cancel() in it stops
/// the work. `seconds_left` is negative as long as it is not known.
class MovingProgress {
 public:
  using Show = std::function<void(std::string_view stage, double fraction, double seconds_left)>;

  /// Takes the place of context.on_progress.
  MovingProgress(ExecutionContext& context, Show show);
  ~MovingProgress();
  MovingProgress(const MovingProgress&) = delete;
  MovingProgress& operator=(const MovingProgress&) = delete;

 private:
  struct State;
  ExecutionContext& context_;
  std::unique_ptr<State> state_;
};

}  // namespace burnish
