#include "running.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "burnish/progress.hpp"

namespace burnish::python {
namespace {

namespace py = pybind11;

struct Report {
  std::string stage;
  double fraction = 0.0;
};

/// What the working and the waiting thread share.
struct Shared {
  std::mutex lock;
  std::condition_variable changed;
  std::optional<Report> report;  ///< the latest that was not passed on yet
  bool done = false;
  std::exception_ptr error;
};

std::atomic<int> calls_running{0};

/// Counts a call for as long as it lives.
struct CountedCall {
  CountedCall() { ++calls_running; }
  ~CountedCall() { --calls_running; }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
};

/// In a process forked while threads of the library were at work: they do not exist here, so we do without any.
bool lost_threads = false;

/// Waits for news and takes it. Comes back after a moment without any, to look after signals.
std::pair<std::optional<Report>, bool> wait_for_news(Shared& shared) {
  const py::gil_scoped_release others_may_run;
  std::unique_lock lock(shared.lock);
  shared.changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return shared.done || shared.report; });
  return {std::exchange(shared.report, std::nullopt), shared.done};
}

}  // namespace

void run_without_python(const Running& running, const std::function<void(const ExecutionContext&)>& work) {
  Shared shared;
  ExecutionContext context;
  context.threads = lost_threads ? 1 : running.threads;
  if (!running.progress.is_none()) {
    context.on_progress = [&](std::string_view stage, double fraction) {
      const std::lock_guard lock(shared.lock);
      shared.report = Report{std::string(stage), fraction};
      shared.changed.notify_one();
    };
  }
  const CountedCall counted;
  std::thread worker([&] {
    std::exception_ptr error;
    try {
      work(context);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(shared.lock);
    shared.error = std::exchange(error, nullptr);
    shared.done = true;
    shared.changed.notify_one();
  });
  std::exception_ptr raised;
  SmoothProgress smooth;
  auto last_call = SmoothProgress::Clock::now();
  for (bool done = false; !done;) {
    std::optional<Report> report;
    std::tie(report, done) = wait_for_news(shared);
    if (raised) {
      continue;
    }
    try {
      const auto now = SmoothProgress::Clock::now();
      if (report) {
        smooth.report(report->stage, report->fraction, now);
      }
      // Also between reports, so that a bar moves; never later than half a second after the one before.
      if (report || (!smooth.stage().empty() && !done && now - last_call > std::chrono::milliseconds(400))) {
        running.progress(smooth.stage(),
                         report ? std::max(report->fraction, smooth.fraction(now)) : smooth.fraction(now));
        last_call = now;
      }
      if (PyErr_CheckSignals() != 0) {
        throw py::error_already_set();
      }
    } catch (...) {
      raised = std::current_exception();
      context.cancel();
    }
  }
  worker.join();
  if (raised) {
    std::rethrow_exception(raised);
  }
  if (shared.error) {
    std::rethrow_exception(shared.error);
  }
}

void add_fork_handlers(py::module_& module) {
  static bool threads_ended = true;
  module.def("before_fork", [] { threads_ended = calls_running == 0 && end_idle_threads(); });
  module.def("after_fork_in_child", [] {
    lost_threads = lost_threads || !threads_ended;
    calls_running = 0;
  });
}

}  // namespace burnish::python
