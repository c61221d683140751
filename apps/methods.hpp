#pragma once

#include "burnish/methods.hpp"
#include "command.hpp"

// The methods of the library on the command line and in JSON.

namespace burnish::cli {

/// Adds every option of every method; what is given is put into `options`.
void add_method_options(CLI::App& command, MethodOptions& options);

/// "auto: estimates noise and scale; glr: …"
[[nodiscard]] std::string describe_methods();

[[nodiscard]] std::vector<std::string> method_names();

/// A message of the library in words of the command line: `noise` is --noise.
[[nodiscard]] std::string in_command_words(const std::string& text);

[[nodiscard]] Json to_json(const std::vector<Diagnostic>& diagnostics);

}  // namespace burnish::cli
