#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace burnish::cli {
namespace {

constexpr std::string_view no_colour;
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view red = "\033[31m";

/// True if a variable of the environment is there and not empty.
bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* const terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

/// Standard error that cannot be written to is no reason to stop.
void put(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  std::fflush(stderr);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](unsigned char c) { return c < ' ' || c == 127; }, '?');
  return result;
}

std::string time_left(double seconds) {
  if (seconds < 0.0) {
    return "";
  }
  seconds = std::ceil(seconds);
  if (seconds < 100.0) {
    return fmt::format("{:.0f} s left", seconds);
  }
  const double minutes = std::round(seconds / 60.0);
  return minutes < 100.0
             ? fmt::format("{:.0f} min left", minutes)
             : fmt::format("{:.0f} h {:.0f} min left", std::floor(minutes / 60.0), std::fmod(minutes, 60.0));
}

Terminal::Terminal(ExecutionContext& context)
    : is_terminal_(isatty(STDERR_FILENO) != 0 && !is_dumb()), has_colours_(is_terminal_ && !is_set("NO_COLOR")) {
  context.on_progress = [this](std::string_view stage, double fraction) { show(stage, fraction); };
}

void Terminal::report(const std::string& message) {
  if (verbosity != Verbosity::quiet) {
    print(no_colour, message);
  }
}

void Terminal::warn(const std::string& message) {
  if (verbosity != Verbosity::quiet) {
    print(yellow, message);
  }
}

void Terminal::fail(const std::string& message) { print(red, message); }

void Terminal::finish() {
  stop_moving();
  const std::lock_guard lock(lock_);
  end_stage();
  wipe();
}

void Terminal::keep_moving() {
  if (!is_terminal_ || verbosity == Verbosity::quiet || mover_.joinable()) {
    return;
  }
  is_moving_ = true;
  mover_ = std::thread([this] {
    std::unique_lock lock(lock_);
    while (!stopped_.wait_for(lock, std::chrono::milliseconds(250), [this] { return !is_moving_; })) {
      draw();
    }
  });
}

void Terminal::stop_moving() {
  if (mover_.joinable()) {
    {
      const std::lock_guard lock(lock_);
      is_moving_ = false;
    }
    stopped_.notify_all();
    mover_.join();
  }
}

void Terminal::show(std::string_view stage, double fraction) {
  const std::lock_guard lock(lock_);
  if (in_stage_ && stage != progress_.stage()) {
    end_stage();
  }
  progress_.report(stage, fraction);
  in_stage_ = true;
  if (fraction >= 1.0) {
    end_stage();
    return;
  }
  draw();
}

/// The line as it is now, unless it was drawn just before.
void Terminal::draw() {
  if (!in_stage_ || !is_terminal_ || verbosity == Verbosity::quiet ||
      (line_shown_ && Clock::now() - last_shown_ < std::chrono::milliseconds(100))) {
    return;
  }
  const double seconds = progress_.seconds();
  const double fraction = progress_.fraction();
  const std::string remaining = time_left(progress_.seconds_left());
  // Without a fraction there is work whose end is not known.
  const std::string done = fraction > 0.0 ? fmt::format(" {:3.0f} %", 100.0 * fraction)
                           : seconds >= 1 ? fmt::format(" {:.0f} s", seconds)
                                          : std::string();
  put(fmt::format("\r\033[K{}{}{}", progress_.stage(), done, remaining.empty() ? remaining : ", " + remaining));
  line_shown_ = true;
  last_shown_ = Clock::now();
}

void Terminal::end_stage() {
  if (in_stage_ && verbosity == Verbosity::verbose) {
    print(no_colour, fmt::format("{}: {:.2f} s", progress_.stage(), progress_.seconds()));
  }
  in_stage_ = false;
  progress_ = {};
  wipe();
}

void Terminal::wipe() {
  if (line_shown_) {
    put("\r\033[K");
    line_shown_ = false;
  }
}

void Terminal::print(std::string_view colour, const std::string& message) {
  const std::lock_guard lock(lock_);
  wipe();
  const bool coloured = has_colours_ && !colour.empty();
  put(fmt::format("{}{}{}\n", coloured ? colour : "", message, coloured ? "\033[0m" : ""));
}

}  // namespace burnish::cli
