#include "description.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace burnish::cli {
namespace {

/// "auto|glr" are words to choose from, "CLOUD|MESH" are not.
std::vector<std::string> words_of(const std::string& value) {
  const bool is_choice =
      value.find('|') != std::string::npos && std::ranges::none_of(value, [](char c) { return c >= 'A' && c <= 'Z'; });
  return is_choice ? CLI::detail::split(value, '|') : std::vector<std::string>{};
}

bool names_a_file(const std::string& value) {
  constexpr std::array<std::string_view, 5> files = {"CLOUD", "MESH", "FILE", "DIR", "FOLDER"};
  return std::ranges::any_of(files, [&](std::string_view file) { return value.find(file) != std::string::npos; });
}

OptionDescription describe(const CLI::Option& option) {
  OptionDescription description;
  description.is_argument = option.get_positional();
  description.name = description.is_argument ? option.get_name(true) : "--" + option.get_lnames().front();
  description.value = option.get_items_expected_max() > 0 ? option.get_type_name() : "";
  description.help = option.get_description();
  description.words = words_of(description.value);
  description.is_file = description.words.empty() && (description.is_argument || names_a_file(description.value));
  return description;
}

OptionGroup describe_group(const CLI::App& app, std::string title, std::string help) {
  OptionGroup group{std::move(title), std::move(help), {}};
  for (const CLI::Option* option : app.get_options()) {
    const bool is_repeated = option == app.get_help_ptr() && !group.title.empty();
    if (!is_repeated) {
      group.options.push_back(describe(*option));
    }
  }
  return group;
}

}  // namespace

std::vector<OptionDescription> CommandDescription::options() const {
  std::vector<OptionDescription> all;
  for (const OptionGroup& group : groups) {
    all.insert(all.end(), group.options.begin(), group.options.end());
  }
  return all;
}

CommandDescription describe(const CLI::App& command) {
  CommandDescription description{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
  description.groups.push_back(describe_group(command, "", ""));
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    if (inner->get_name().empty()) {
      description.groups.push_back(describe_group(*inner, inner->get_group(), inner->get_description()));
    } else {
      description.commands.push_back(describe(*inner));
    }
  }
  return description;
}

}  // namespace burnish::cli
