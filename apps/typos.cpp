#include "typos.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "burnish/methods.hpp"
#include "burnish/nearest_word.hpp"

namespace burnish::cli {
namespace {

/// Long names of the options, with dashes, those of its groups included.
void add_options(const CLI::App& command, std::vector<std::string>& names) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    if (inner->get_name().empty()) {
      add_options(*inner, names);
    }
  }
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> names) {
  return CLI::Validator(
      [names = std::move(names)](std::string& word) -> std::string {
        const std::string typed = CLI::detail::to_lower(word);
        const auto found =
            std::ranges::find_if(names, [&](const std::string& name) { return CLI::detail::to_lower(name) == typed; });
        if (found != names.end()) {
          word = *found;
          return "";
        }
        const std::string suggestion = did_you_mean(word, names);
        return fmt::format("\"{}\" is unknown{}{} {}", word, suggestion,
                           suggestion.empty() ? "; it is one of" : " It is one of", fmt::join(names, ", "));
      },
      "", "");
}

void check_words(const CLI::App& app, std::span<const char* const> arguments) {
  if (arguments.size() < 2) {
    return;
  }
  const std::string word = arguments[1];
  if (word.starts_with('-')) {
    std::vector<std::string> options;
    add_options(app, options);
    if (word.starts_with("--") && !has(options, word)) {
      throw WrongOption(fmt::format("burnish has no option {}{}", word, did_you_mean(word, options)));
    }
    return;
  }
  const CLI::App* command = nullptr;
  std::vector<std::string> commands;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(one->get_name());
    command = one->get_name() == word ? one : command;
  }
  if (command == nullptr) {
    const std::string suggestion = did_you_mean(word, commands);
    throw WrongOption(fmt::format("there is no command \"{}\"{}{} {}", word, suggestion,
                                  suggestion.empty() ? "; there are" : " There are", fmt::join(commands, ", ")));
  }
  std::vector<std::string> options;
  add_options(*command, options);
  for (const char* const argument : arguments.subspan(2)) {
    const std::string text = argument;
    if (text == "--") {
      return;
    }
    const std::string name = text.substr(0, text.find('='));
    if (text.starts_with("--") && !has(options, name)) {
      throw WrongOption(fmt::format("{} has no option {}{}", word, name, did_you_mean(name, options)));
    }
  }
}

}  // namespace burnish::cli
