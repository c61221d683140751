#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "burnish/methods.hpp"
#include "io/parse_number.hpp"

// Fields of a settings struct as options that are given by name and as text.

namespace burnish::parameters {

/// A field of Settings that can be set from text. `set` returns false if the text is no value of it.
template <class Settings>
struct Parameter {
  MethodOption option;
  std::string expected;  ///< what a value is, for the message where one is not
  std::function<bool(Settings&, std::string_view)> set;
};

/// Values of a field by name.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// Numbers separated by commas.
inline bool parse_numbers(std::string_view text, std::vector<double>& numbers) {
  numbers.clear();
  while (true) {
    const std::size_t comma = text.find(',');
    if (!io::parse_number(text.substr(0, comma), numbers.emplace_back())) {
      return false;
    }
    if (comma == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(comma + 1);
  }
}

/// A field that holds a number, or several. A default of 0, or none, that is found from the data is said to be so in
/// its meaning, and is no text.
template <class Settings, class Value>
Parameter<Settings> number(std::string name, Value Settings::*field, std::string type, std::string meaning,
                           bool from_data = false) {
  Parameter<Settings> parameter{{std::move(name), std::move(type), std::move(meaning), ""}, "", {}};
  if constexpr (std::is_arithmetic_v<Value>) {
    parameter.option.default_value = from_data ? "" : fmt::format("{}", Settings{}.*field);
    parameter.expected = std::is_integral_v<Value> ? "a whole number that fits" : "a number";
    parameter.set = [field](Settings& s, std::string_view text) { return io::parse_number(text, s.*field); };
  } else {
    parameter.expected = "numbers separated by commas";
    parameter.set = [field](Settings& s, std::string_view text) { return parse_numbers(text, s.*field); };
  }
  return parameter;
}

/// A field with a few values that have names.
template <class Settings, class Value>
Parameter<Settings> choice(std::string name, Value Settings::*field, const Choices<Value>& choices,
                           std::string meaning) {
  std::string names;
  std::string default_value;
  for (const auto& [label, value] : choices) {
    names += (names.empty() ? "" : "|") + label;
    if (value == Settings{}.*field) {
      default_value = label;
    }
  }
  return {{std::move(name), names, std::move(meaning), default_value},
          "one of " + names,
          [field, choices](Settings& settings, std::string_view text) {
            const auto chosen = std::ranges::find(choices, text, &std::pair<std::string, Value>::first);
            if (chosen == choices.end()) {
              return false;
            }
            settings.*field = chosen->second;
            return true;
          }};
}

/// Throws WrongOption that names the methods which have the option, or the nearest one that this method has.
[[noreturn]] void fail_for_unknown_option(std::string_view method, std::string_view option);

/// Sets the options that were given, by the parameters there are.
template <class Settings>
void apply(const std::string& method, const std::vector<Parameter<Settings>>& parameters, const MethodOptions& options,
           Settings& settings) {
  for (const auto& [name, value] : options) {
    const auto name_of = [](const Parameter<Settings>& p) -> const std::string& { return p.option.name; };
    const auto parameter = std::ranges::find(parameters, name, name_of);
    if (parameter == parameters.end()) {
      fail_for_unknown_option(method, name);
    }
    if (!parameter->set(settings, value)) {
      throw WrongOption(fmt::format("--{}: \"{}\" is not {}", name, value, parameter->expected));
    }
  }
}

/// A method from its parameters. `run` gets positions, normals, settings and context.
template <class Settings, class Run>
Method make_method(std::string name, std::string description, const std::vector<Parameter<Settings>>& parameters,
                   Run run) {
  Method method{std::move(name), std::move(description), {}, {}, {}};
  std::ranges::transform(parameters, std::back_inserter(method.options), &Parameter<Settings>::option);
  method.prepare = [name = method.name, parameters, run](const MethodOptions& options) -> PreparedMethod {
    Settings settings;
    apply(name, parameters, options, settings);
    return [settings, run](std::span<const Vec3> positions, std::span<const Vec3> normals,
                           const ExecutionContext& context) { return run(positions, normals, settings, context); };
  };
  return method;
}

/// GLR as published, in src/methods/glr.cpp; its parameters are many.
[[nodiscard]] Method glr_method();

}  // namespace burnish::parameters
