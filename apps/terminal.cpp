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

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Standard error that cannot be written to is no reason to stop: there is nobody to tell.
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

std::string time_left(double seconds_so_far, double part_done) {
  if (seconds_so_far < 1.0 || part_done < 0.02 || part_done >= 1.0) {
    return "";
  }
  const double seconds = std::ceil(seconds_so_far / part_done * (1.0 - part_done));
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

void Terminal::tell(const std::string& message) {
  if (talk != Talk::quiet) {
    print(no_colour, message);
  }
}

void Terminal::warn(const std::string& message) {
  if (talk != Talk::quiet) {
    print(yellow, message);
  }
}

void Terminal::fail(const std::string& message) { print(red, message); }

void Terminal::finish() {
  end_stage();
  wipe();
}

void Terminal::show(std::string_view stage, double fraction) {
  if (stage != stage_) {
    end_stage();
    stage_ = stage;
    stage_start_ = Clock::now();
  }
  if (fraction >= 1.0) {
    end_stage();
    return;
  }
  if (!is_terminal_ || talk == Talk::quiet ||
      (line_shown_ && Clock::now() - last_shown_ < std::chrono::milliseconds(100))) {
    return;
  }
  const double seconds = seconds_since(stage_start_);
  const std::string left = time_left(seconds, fraction);
  // Without a fraction there is work whose end is not known.
  const std::string done = fraction > 0.0 ? fmt::format(" {:3.0f} %", 100.0 * fraction)
                           : seconds >= 1 ? fmt::format(" {:.0f} s", seconds)
                                          : std::string();
  put(fmt::format("\r\033[K{}{}{}", stage, done, left.empty() ? left : ", " + left));
  line_shown_ = true;
  last_shown_ = Clock::now();
}

void Terminal::end_stage() {
  if (!stage_.empty() && talk == Talk::verbose) {
    print(no_colour, fmt::format("{}: {:.2f} s", stage_, seconds_since(stage_start_)));
  }
  stage_.clear();
  wipe();
}

void Terminal::wipe() {
  if (line_shown_) {
    put("\r\033[K");
    line_shown_ = false;
  }
}

void Terminal::print(std::string_view colour, const std::string& message) {
  wipe();
  const bool coloured = has_colours_ && !colour.empty();
  put(fmt::format("{}{}{}\n", coloured ? colour : "", message, coloured ? "\033[0m" : ""));
}

}  // namespace burnish::cli
