#include "burnish/progress.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "core/math.hpp"

namespace burnish {
namespace {

double seconds_between(SmoothProgress::Clock::time_point from, SmoothProgress::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void SmoothProgress::report(std::string_view stage, double fraction, Clock::time_point now) {
  if (stage != stage_) {
    stage_ = stage;
    start_ = now;
    reported_ = largest_step_ = shown_ = 0.0;
  }
  largest_step_ = std::max(largest_step_, fraction - reported_);
  reported_ = std::max(reported_, std::min(fraction, 1.0));
  last_report_ = now;
}

double SmoothProgress::fraction(Clock::time_point now) {
  const double at_report = seconds_between(start_, last_report_);
  double expected = reported_;
  if (reported_ > 0.0 && reported_ < 1.0 && at_report > 0.0) {
    // At the speed so far, slowing down if the current step takes longer than all before.
    const double most = std::min(std::max(largest_step_, 0.02), 0.99 - std::min(reported_, 0.99));
    const double passed = seconds_between(last_report_, now) * reported_ / at_report;
    expected += most > 0.0 ? most * (1.0 - math::exp(-passed / most)) : 0.0;
  }
  shown_ = std::clamp(expected, shown_, 1.0);
  return shown_;
}

double SmoothProgress::seconds_left(Clock::time_point now) {
  const double so_far = seconds(now);
  const double done = fraction(now);
  return so_far < 1.0 || done < 0.02 || done >= 1.0 ? -1.0 : so_far / done * (1.0 - done);
}

double SmoothProgress::seconds(Clock::time_point now) const { return seconds_between(start_, now); }

struct MovingProgress::State {
  explicit State(Show function) : show(std::move(function)), mover([this] { keep_moving(); }) {}

  ~State() {
    {
      const std::lock_guard guard(lock);
      is_over = true;
    }
    over.notify_all();
    mover.join();
  }

  void report(std::string_view stage, double fraction) {
    const std::lock_guard guard(lock);
    progress.report(stage, fraction);
    show(progress.stage(), progress.fraction(), progress.seconds_left());
  }

  void keep_moving() {
    std::unique_lock guard(lock);
    while (!over.wait_for(guard, std::chrono::milliseconds(250), [this] { return is_over; })) {
      if (const double fraction = progress.fraction(); !progress.stage().empty() && fraction < 1.0) {
        show(progress.stage(), fraction, progress.seconds_left());
      }
    }
  }

  const Show show;
  std::mutex lock;  ///< of all that follows
  SmoothProgress progress;
  bool is_over = false;
  std::condition_variable over;
  std::thread mover;  ///< the last to be made: it uses all others
};

MovingProgress::MovingProgress(ExecutionContext& context, Show show)
    : context_(context), state_(std::make_unique<State>(std::move(show))) {
  context.on_progress = [state = state_.get()](std::string_view stage, double fraction) {
    state->report(stage, fraction);
  };
}

MovingProgress::~MovingProgress() { context_.on_progress = nullptr; }

}  // namespace burnish
