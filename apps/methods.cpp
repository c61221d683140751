#include "methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace burnish::cli {
namespace {

void add_method_option(CLI::App& command, const MethodOption& option, const std::string& help, MethodOptions& options) {
  const auto keep = [&options, name = option.name](const std::string& value) { options[name] = value; };
  command.add_option_function<std::string>("--" + option.name, keep, help)->type_name(option.type);
}

Json json_value_of(const Diagnostic& diagnostic) {
  return std::visit(
      []<class Value>(const Value& value) -> Json {
        if constexpr (std::is_same_v<Value, std::vector<Diagnostic>>) {
          return cli::to_json(value);
        } else if constexpr (std::is_same_v<Value, std::vector<std::vector<Diagnostic>>>) {
          Json list = Json::array();
          for (const std::vector<Diagnostic>& item : value) {
            list.push_back(cli::to_json(item));
          }
          return list;
        } else {
          return value;
        }
      },
      diagnostic.value);
}

}  // namespace

void add_method_options(CLI::App& command, MethodOptions& options) {
  CLI::App* of_glr = command.add_option_group("Parameters of GLR", "Each overrides the preset's value.");
  CLI::App* of_others = command.add_option_group("Parameters of other methods", "See docs/baselines.md.");
  // The same name means the same in all methods, so it is one option here.
  std::map<std::string, std::vector<std::string>> methods_with;
  for (const Method& method : methods()) {
    for (const MethodOption& option : method.options) {
      methods_with[option.name].push_back(method.name);
    }
  }
  for (const Method& method : methods()) {
    for (const MethodOption& option : method.options) {
      if (method.name == "auto" || option.name == "preset") {
        add_method_option(command, option, option.meaning, options);
      } else if (method.name == "glr") {
        add_method_option(*of_glr, option, option.meaning, options);
      } else if (methods_with[option.name].front() == method.name) {
        const std::string help = fmt::format("{}: {}", option.meaning, fmt::join(methods_with[option.name], ", "));
        add_method_option(*of_others, option, help, options);
      }
    }
  }
}

std::string describe_methods() {
  std::vector<std::string> lines;
  std::ranges::transform(methods(), std::back_inserter(lines), [](const Method& method) {
    return fmt::format("{}: {}{}", method.name, method.description, method.name == "auto" ? " (the default)" : "");
  });
  return fmt::format("{}", fmt::join(lines, "; "));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  std::ranges::transform(methods(), std::back_inserter(names), &Method::name);
  return names;
}

std::string in_command_words(const std::string& text) {
  static const std::regex option("`([a-z-]+)`");
  return std::regex_replace(text, option, "--$1");
}

Json to_json(const std::vector<Diagnostic>& diagnostics) {
  Json json = Json::object();
  for (const Diagnostic& diagnostic : diagnostics) {
    json[diagnostic.name] = json_value_of(diagnostic);
  }
  return json;
}

}  // namespace burnish::cli
