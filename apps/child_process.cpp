#include "child_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <new>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace burnish::cli {
namespace {

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double to_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

rusage usage() {
  rusage result{};
  getrusage(RUSAGE_SELF, &result);
  return result;
}

double cpu_seconds() { return to_seconds(usage().ru_utime) + to_seconds(usage().ru_stime); }

std::uint64_t peak_memory() {
  // Linux counts for getrusage what the process was before exec, too.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) {
      return 1024 * std::stoull(line.substr(6));
    }
  }
  return 1024 * static_cast<std::uint64_t>(usage().ru_maxrss);
}

struct Pipe {
  Pipe() {
    if (pipe(ends.data()) != 0) {
      throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_end(std::size_t end) {
    if (ends[end] >= 0) {
      close(ends[end]);
      ends[end] = -1;
    }
  }

  std::array<int, 2> ends{-1, -1};
};

/// Whether all of it could be written; otherwise the reader has gone.
bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return false;
    }
    bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
  return true;
}

/// The work, and what became of it: {"result": …}, {"error": …} or {"cancelled": true}.
Json outcome_of(const std::function<Json()>& work) {
  try {
    return {{"result", work()}};
  } catch (const Cancelled&) {
    return {{"cancelled", true}};
  } catch (const std::bad_alloc&) {
    return {{"error", "not enough memory"}};
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

/// Everything that comes through the pipe until the other side closes it. The child is asked to stop if we are.
std::string read_all(int file, pid_t child, const ExecutionContext& context) {
  std::string bytes;
  std::array<char, 4096> block{};
  for (bool asked_to_stop = false;;) {
    if (context.cancelled() && !asked_to_stop) {
      kill(child, SIGTERM);
      asked_to_stop = true;
    }
    pollfd ready{file, POLLIN, 0};
    if (poll(&ready, 1, 100) <= 0) {
      continue;
    }
    const ssize_t count = read(file, block.data(), block.size());
    if (count == 0) {
      return bytes;
    }
    if (count > 0) {
      bytes.append(block.data(), static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw Error(fmt::format("cannot read from a pipe: {}", std::strerror(errno)));
    }
  }
}

std::string death(int status) {
  return WIFSIGNALED(status)
             ? fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
             : fmt::format("ended with exit code {} before it returned its result", WEXITSTATUS(status));
}

}  // namespace

CostMeter::CostMeter() : wall_(wall_seconds()), cpu_(burnish::cli::cpu_seconds()) {}

Cost CostMeter::cost() const {
  return {wall_seconds() - wall_, burnish::cli::cpu_seconds() - cpu_, burnish::cli::peak_memory()};
}

Json run_in_child(const std::string& label, ExecutionContext& context, const std::function<Json()>& work) {
  context.check_cancelled();
  // What is in these buffers would be written twice.
  std::cout.flush();
  std::fflush(nullptr);
  Pipe answer;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (child == 0) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // stops if the process that wants the result ends
#endif
    if (getppid() != parent) {
      _exit(1);
    }
    signal(SIGPIPE, SIG_IGN);
    answer.close_end(0);
    if (context.on_progress) {
      context.on_progress = [label, show = context.on_progress](std::string_view stage, double fraction) {
        show(fmt::format("{}: {}", label, stage), fraction);
      };
    }
    const bool is_sent =
        write_all(answer.ends[1], outcome_of(work).dump(-1, ' ', false, Json::error_handler_t::replace));
    _exit(is_sent ? 0 : 1);  // without the exit handlers, which are the parent's
  }
  answer.close_end(1);
  const std::string text = read_all(answer.ends[0], child, context);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  context.check_cancelled();
  const Json outcome = Json::parse(text, nullptr, false);
  if (!outcome.is_object()) {
    throw Error(death(status));
  }
  if (outcome.contains("cancelled")) {
    throw Cancelled();
  }
  if (outcome.contains("error")) {
    throw Error(outcome["error"].get<std::string>());
  }
  return outcome["result"];
}

}  // namespace burnish::cli
