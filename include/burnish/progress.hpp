#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace burnish {

/// Continuous progress. Long functions report when a step is finished, possibly seconds apart; between reports this
/// class extrapolates at the speed so far, by at most the largest step so far.
///
///     SmoothProgress progress;
///     context.on_progress = [&](std::string_view stage, double fraction) { progress.report(stage, fraction); };
///     // ten times a second, from a thread that holds the same lock:
///     show(progress.stage(), progress.fraction(), progress.seconds_left());
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

}  // namespace burnish
