#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string>
#include <vector>

// Answers to unknown words: the nearest command, option or name.

namespace burnish::cli {

/// Accepts one of some names, upper or lower case, and makes it that name. Says which one is nearest to any other word.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> names);

/// Throws WrongOption, naming the nearest, if the arguments have a command that does not exist, or an option that
/// the command does not have.
void check_words(const CLI::App& app, std::span<const char* const> arguments);

}  // namespace burnish::cli
