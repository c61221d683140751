#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <string_view>

#include "burnish/error.hpp"
#include "burnish/methods.hpp"
#include "command.hpp"

namespace burnish::cli {

void add_common_options(CLI::App& command, Common& common, bool has_json) {
  command
      .add_option("--threads", common.context.threads, "Number of threads (default: all; does not change the result)")
      ->check(CLI::Range(1, 4096).description(""))
      ->type_name("N");
  if (has_json) {
    command.add_flag("--json", common.json, "Print one JSON object on standard output and nothing else");
  }
  CLI::Option* const quiet = command.add_flag_callback(
      "-q,--quiet", [&common] { common.terminal.verbosity = Verbosity::quiet; },
      "Print nothing but errors on standard error");
  command
      .add_flag_callback(
          "-v,--verbose", [&common] { common.terminal.verbosity = Verbosity::verbose; },
          "Also print each step and its time")
      ->excludes(quiet);
}

void print_json(const Json& json) {
  // Files may hold any bytes as names and comments; JSON is UTF-8.
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

namespace {

constexpr int bad_input = 1;
constexpr int wrong_usage = 2;
constexpr int interrupted = 130;

std::atomic<ExecutionContext*> running{nullptr};

void stop(int /*signal*/) {
  if (ExecutionContext* context = running.load()) {
    context->cancel();
  }
}

void listen_to_signals() {
  // Not std::signal: reading from standard input must not go on by itself after the signal.
  struct sigaction action {};
  action.sa_handler = stop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {  // unless started by nohup
    sigaction(SIGHUP, &action, nullptr);
  }
  // Standard output whose reader has gone is an error like any other, with a message.
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

int run(int argc, char** argv, ExecutionContext& context) {
  Terminal terminal(context);
  Common common{context, terminal};
  CLI::App app{"burnish removes noise from 3D point clouds and keeps their edges.", "burnish"};
  app.set_version_flag("--version", "burnish " BURNISH_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Try it:\n"
      "  burnish synth part clean.ply --points 50000        a machined part, exactly known\n"
      "  burnish noise clean.ply noisy.ply --sigma 0.005    add noise\n"
      "  burnish denoise noisy.ply smooth.ply               remove the noise\n"
      "  burnish evaluate smooth.ply --truth part           measure the error\n"
      "\n"
      "burnish COMMAND --help describes a command.\n"
      "Files: PLY, PCD, LAS, LAZ, COPC, E57, XYZ/TXT/ASC/CSV, PTS, PTX, NPY, NPZ, KITTI .bin, OBJ, OFF, STL.\n"
      "- is standard input or output. Exit code 1: bad input, 2: wrong usage.");
  add_denoise(app, common);
  add_evaluate(app, common);
  add_noise(app, common);
  add_synth(app, common);
  add_sample(app, common);
  add_mesh(app, common);
  add_scan(app, common);
  add_info(app, common);
  add_convert(app, common);
  add_view(app, common);
  add_compare(app, common);
  add_study(app, common);
  add_completion(app);
  add_manual(app);

  const auto fail = [&](int code, const std::string& message) {
    terminal.fail("burnish: " + message);
    return code;
  };
  const auto finish = [&] {
    terminal.finish();
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;  // the buffer of std::cout, too; and errno says why, if not
    const int reason = errno;
    return flushed && std::cout
               ? 0
               : fail(bad_input, fmt::format("cannot write to standard output{}{}", reason != 0 ? ": " : "",
                                             reason != 0 ? std::strerror(reason) : ""));
  };
  const auto fail_usage = [&](const std::exception& error) {
    const auto named = app.get_subcommands([&](const CLI::App* one) { return argc > 1 && one->get_name() == argv[1]; });
    const std::string command = named.empty() ? "burnish" : "burnish " + named.front()->get_name();
    return fail(wrong_usage, fmt::format("{}\nSee {} --help.", error.what(), command));
  };
  try {
    if (argc < 2 || (argc == 2 && std::string_view(argv[1]) == "help")) {
      std::cout << app.help();
      return finish();
    }
    check_words(app, {argv, static_cast<std::size_t>(argc)});
    app.parse(argc, argv);
    return finish();
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
    return finish();
  } catch (const CLI::ParseError& error) {
    return fail_usage(error);
  } catch (const Cancelled&) {
    return fail(interrupted, "cancelled; no incomplete file was written");
  } catch (const Error& error) {
    return error.kind() == ErrorKind::wrong_option ? fail_usage(error) : fail(bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return fail(bad_input, "not enough memory");
  } catch (const std::exception& error) {
    return fail(bad_input, error.what());
  }
}

}  // namespace
}  // namespace burnish::cli

int main(int argc, char** argv) {
  burnish::ExecutionContext context;
  burnish::cli::running = &context;
  burnish::cli::listen_to_signals();
  try {
    return burnish::cli::run(argc, argv, context);
  } catch (...) {
    // Not even the message of the failure could be made: this one needs no memory.
    constexpr std::string_view message = "burnish: not enough memory\n";
    static_cast<void>(::write(STDERR_FILENO, message.data(), message.size()) == 0);
    return burnish::cli::bad_input;
  }
}
