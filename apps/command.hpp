#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// What the commands share. A command is one file: it adds its subcommand to the parser and says what to run.

namespace burnish::cli {

using Json = nlohmann::ordered_json;

/// Options every command has.
struct Common {
  ExecutionContext& context;  ///< cancelled by Ctrl-C; shows progress on a terminal
  bool json = false;
};

/// Adds --threads and, if the command prints something, --json.
void add_common_options(CLI::App& command, Common& common, bool has_json);

/// Prints one JSON object on standard output.
void print_json(const Json& json);

/// Writes a cloud without what the format of the file's ending cannot hold, and tells on standard error what that was.
/// It is out of the cloud then.
std::vector<std::string> write_fitting(const std::string& path, PointCloud& cloud, const Common& common);

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
void add_info(CLI::App& app, Common& common);
void add_convert(CLI::App& app, Common& common);

}  // namespace burnish::cli
