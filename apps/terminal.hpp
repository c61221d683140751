#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "burnish/execution.hpp"

// What people see on standard error while a command runs. On a terminal that is one line of progress, written over and
// over, and colours; elsewhere messages only.

namespace burnish::cli {

enum class Talk : std::uint8_t {
  quiet,    ///< nothing but errors
  normal,   ///< what was done
  verbose,  ///< also each step and its time
};

class Terminal {
 public:
  Talk talk = Talk::normal;

  /// Shows the progress that is reported to the context.
  explicit Terminal(ExecutionContext& context);

  /// What was done.
  void tell(const std::string& message);
  /// What the user may not expect.
  void warn(const std::string& message);
  /// Why nothing came of it.
  void fail(const std::string& message);

  /// Ends the line of progress.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void show(std::string_view stage, double fraction);
  void end_stage();
  void wipe();
  void print(std::string_view colour, const std::string& message);

  bool is_terminal_;
  bool has_colours_;
  bool line_shown_ = false;
  std::string stage_;
  Clock::time_point stage_start_;
  Clock::time_point last_shown_;
};

/// Text from a file, fit for a terminal: without the characters by which it could take control of it.
[[nodiscard]] std::string printable(std::string_view text);

/// How long work will still take of which a part is done: "2 min left", or nothing if it is too early to tell.
[[nodiscard]] std::string time_left(double seconds_so_far, double part_done);

}  // namespace burnish::cli
