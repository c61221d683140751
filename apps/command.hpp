#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"
#include "json.hpp"
#include "terminal.hpp"

// What the commands share. A command is one file: it adds its subcommand to the parser and says what to run.

namespace burnish::cli {

/// Options every command has.
struct Common {
  ExecutionContext& context;  ///< cancelled by Ctrl-C; shows progress on a terminal
  Terminal& terminal;         ///< for messages to people
  bool json = false;
  std::string format = "ply";  ///< of standard output
};

/// Adds --threads, --quiet, --verbose and, if the command prints something, --json.
void add_common_options(CLI::App& command, Common& common, bool has_json);

/// Prints one JSON object on standard output.
void print_json(const Json& json);

/// Adds --format, for where OUT is "-".
void add_format_option(CLI::App& command, Common& common);

/// The cloud in a file, or from standard input if that is "-".
[[nodiscard]] PointCloud read_input(const std::string& path, const Common& common);

/// Throws what write_output would throw because of the name of the file; to be asked before long work.
void check_output(const std::string& path, const Common& common);

/// The same because of what is to become of the cloud: some formats cannot hold every one.
void check_output(const std::string& path, const PointCloud& cloud, const Common& common);

/// Writes a cloud to a file, or to standard output if that is "-", without what the format cannot hold. Tells on
/// standard error, and returns, what that was; it is out of the cloud then.
std::vector<std::string> write_output(const std::string& path, PointCloud& cloud, const Common& common);

/// Whether the format of an output can hold rows and columns of an organised cloud.
[[nodiscard]] bool keeps_rows(const std::string& path, const Common& common);

/// A choice by name, such as --solver: the names and what they stand for.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// Adds an option that takes one of some names; `use` gets the value.
template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, const Choices<Value>& choices,
                        const std::function<void(Value)>& use, const std::string& help) {
  std::vector<std::string> names;
  for (const auto& choice : choices) {
    names.push_back(choice.first);
  }
  return command
      .add_option_function<std::string>(
          name,
          [choices, use](const std::string& chosen) {
            for (const auto& [label, value] : choices) {
              if (label == chosen) {
                use(value);
              }
            }
          },
          help)
      ->type_name(CLI::detail::join(names, "|"))
      ->check(CLI::IsMember(names).description(""));
}

void add_denoise(CLI::App& app, Common& common);
void add_evaluate(CLI::App& app, Common& common);
void add_noise(CLI::App& app, Common& common);
void add_synth(CLI::App& app, Common& common);
void add_sample(CLI::App& app, Common& common);
void add_scan(CLI::App& app, Common& common);
void add_info(CLI::App& app, Common& common);
void add_convert(CLI::App& app, Common& common);
void add_view(CLI::App& app, Common& common);
void add_compare(CLI::App& app, Common& common);
void add_study(CLI::App& app, Common& common);
void add_completion(CLI::App& app);
void add_manual(CLI::App& app);

}  // namespace burnish::cli
