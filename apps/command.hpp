#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/io.hpp"
#include "burnish/point_cloud.hpp"
#include "json.hpp"
#include "terminal.hpp"
#include "typos.hpp"

// What the commands share. A command is one file: it adds its subcommand to the parser and says what to run.

namespace burnish::cli {

/// Options every command has.
struct Common {
  ExecutionContext& context;  ///< cancelled by Ctrl-C; shows progress on a terminal
  Terminal& terminal;         ///< for messages to people
  bool json = false;
  std::string format = "ply";  ///< of standard output
  Selection selection = {};    ///< part of the input to read

  [[nodiscard]] bool has_selection() const { return selection.has_box() || selection.has_levels(); }
};

/// Adds --threads, --quiet, --verbose and, if the command prints something, --json.
void add_common_options(CLI::App& command, Common& common, bool has_json);

/// Prints one JSON object on standard output.
void print_json(const Json& json);

/// Adds --format, for where OUT is "-".
void add_format_option(CLI::App& command, Common& common);

/// Adds --box, --spacing and --levels: which part of IN to read.
void add_selection_options(CLI::App& command, Common& common);

/// The cloud in a file, or from standard input if that is "-": the part of it that was asked for, if any was.
[[nodiscard]] PointCloud read_input(const std::string& path, const Common& common);

/// Throws what write_output would throw because of the name of the file; to be asked before long work.
void check_output(const std::string& path, const Common& common);

/// The same because of what is to become of the cloud: some formats cannot hold every one.
void check_output(const std::string& path, const PointCloud& cloud, const Common& common);

/// Writes a cloud to a file, or to standard output if that is "-", without what the format cannot hold. Reports on
/// standard error, and returns, what that was; it is out of the cloud then.
std::vector<std::string> write_output(const std::string& path, PointCloud& cloud, const Common& common);

/// Whether the format of an output can hold rows and columns of an organised cloud.
[[nodiscard]] bool keeps_rows(const std::string& path, const Common& common);

/// Whether the format of an output can hold triangles.
[[nodiscard]] bool keeps_faces(const std::string& path, const Common& common);

/// "1 point", "2 points".
[[nodiscard]] std::string counted(std::size_t count, const std::string& thing);

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
      ->transform(one_of(names));
}

void add_denoise(CLI::App& app, Common& common);
void add_evaluate(CLI::App& app, Common& common);
void add_noise(CLI::App& app, Common& common);
void add_synth(CLI::App& app, Common& common);
void add_sample(CLI::App& app, Common& common);
void add_mesh(CLI::App& app, Common& common);
void add_scan(CLI::App& app, Common& common);
void add_info(CLI::App& app, Common& common);
void add_convert(CLI::App& app, Common& common);
void add_view(CLI::App& app, Common& common);
void add_compare(CLI::App& app, Common& common);
void add_study(CLI::App& app, Common& common);
void add_completion(CLI::App& app);
void add_manual(CLI::App& app);

}  // namespace burnish::cli
