#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

// What the parser knows of the program, as plain data: shell completion and the manual page are made from it, and so
// cannot differ from --help.

namespace burnish::cli {

struct OptionDescription {
  std::string name;   ///< "--method", or "IN" for an argument without a name of its own
  std::string value;  ///< what follows the name: "auto|glr", "N"; empty if nothing does
  std::string help;
  std::vector<std::string> words;  ///< the values there are, if it takes one of a few words
  bool is_argument = false;        ///< without a name of its own
  bool is_file = false;            ///< its value is the name of a file
};

struct OptionGroup {
  std::string title;  ///< empty for the options of the command itself
  std::string help;
  std::vector<OptionDescription> options;
};

struct CommandDescription {
  std::string name;
  std::string help;
  std::string footer;
  std::vector<OptionGroup> groups;
  std::vector<CommandDescription> commands;

  /// The options of all groups.
  [[nodiscard]] std::vector<OptionDescription> options() const;
};

[[nodiscard]] CommandDescription describe(const CLI::App& command);

}  // namespace burnish::cli
