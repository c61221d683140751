#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "burnish/execution.hpp"
#include "burnish/progress.hpp"

// What people see on standard error while a command runs. On a terminal that is one line of progress, written over and
// over, and colours; elsewhere messages only.

namespace burnish::cli {

enum class Verbosity : std::uint8_t {
  quiet,    ///< nothing but errors
  normal,   ///< what was done
  verbose,  ///< also each step and its time
};

class Terminal {
 public:
  Verbosity verbosity = Verbosity::normal;

  /// Shows the progress that is reported to the context.
  explicit Terminal(ExecutionContext& context);
  ~Terminal() { stop_moving(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// What was done.
  void report(const std::string& message);
  /// What the user may not expect.
  void warn(const std::string& message);
  /// Why nothing came of it.
  void fail(const std::string& message);

  /// Ends the line of progress.
  void finish();

  /// Keeps the line of progress moving between reports, by a thread, until finish or the end. Not for a process that
  /// forks; its children may.
  void keep_moving();

 private:
  using Clock = std::chrono::steady_clock;

  void show(std::string_view stage, double fraction);
  void draw();
  void stop_moving();
  void end_stage();
  void wipe();
  void print(std::string_view colour, const std::string& message);

  bool is_terminal_;
  bool has_colours_;
  std::recursive_mutex lock_;  ///< of all that follows
  bool line_shown_ = false;
  SmoothProgress progress_;
  bool in_stage_ = false;
  Clock::time_point last_shown_;
  std::condition_variable_any stopped_;
  bool is_moving_ = false;
  std::thread mover_;
};

/// Text from a file, fit for a terminal: without the characters by which it could take control of it.
[[nodiscard]] std::string printable(std::string_view text);

/// How long work will still take: "2 min left", or nothing if that is not known, which a negative number says.
[[nodiscard]] std::string time_left(double seconds);

}  // namespace burnish::cli
