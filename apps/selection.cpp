#include "selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "burnish/error.hpp"
#include "burnish/methods.hpp"
#include "burnish/nearest_word.hpp"

namespace burnish::cli {
namespace {

std::vector<double> numbers_named(const PointCloud& cloud, const std::string& name, const std::string& file) {
  std::optional<std::vector<double>> numbers = numbers_of(cloud, name);
  if (!numbers) {
    std::vector<std::string> names;
    std::ranges::transform(cloud.attributes, std::back_inserter(names), &Column::name);
    throw Error(fmt::format("{}: has no attribute \"{}\" that is a number{}", file, printable(name),
                            printable(did_you_mean(name, names))));
  }
  return *std::move(numbers);
}

/// "classification=2,6" as a name and its values.
std::pair<std::string, std::vector<double>> parse_condition(const std::string& text) {
  const std::size_t equals = text.find('=');
  std::pair<std::string, std::vector<double>> condition{text.substr(0, equals), {}};
  for (const std::string& value :
       equals == std::string::npos ? std::vector<std::string>{} : CLI::detail::split(text.substr(equals + 1), ',')) {
    double number = 0.0;
    if (!CLI::detail::lexical_cast(value, number)) {
      condition.second.clear();
      break;
    }
    condition.second.push_back(number);
  }
  if (condition.first.empty() || condition.second.empty()) {
    throw WrongOption(fmt::format("--only: \"{}\" is not of the form ATTRIBUTE=VALUE,VALUE,…", text));
  }
  return condition;
}

}  // namespace

void add_point_filter_options(CLI::App& command, PointFilter& selection) {
  CLI::App* const group = command.add_option_group("Points to denoise",
                                                   "Other points do not move, but serve as neighbours. Several of "
                                                   "these options select the points that satisfy all of them.");
  group->add_option("--only", selection.only, "Points whose attribute has one of these values: classification=2,6")
      ->type_name("ATTRIBUTE=VALUES")
      ->allow_extra_args(false);
  group
      ->add_option_function<std::string>(
          "--box", [&selection](const std::string& text) { selection.box = parse_box(text); },
          "Points in a box, given by two opposite corners (--box=… if the first number is negative)")
      ->type_name("X,Y,Z,X,Y,Z");
  group->add_option("--mask", selection.mask, "Points where this attribute is not 0")->type_name("ATTRIBUTE");
}

std::vector<bool> selected_points(const PointFilter& selection, const PointCloud& cloud, const std::string& file) {
  std::vector<bool> selected(cloud.size(), true);
  for (const std::string& text : selection.only) {
    const auto [name, values] = parse_condition(text);
    const std::vector<double> numbers = numbers_named(cloud, name, file);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      selected[i] = selected[i] && std::ranges::find(values, numbers[i]) != values.end();
    }
  }
  if (!selection.mask.empty()) {
    const std::vector<double> numbers = numbers_named(cloud, selection.mask, file);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      selected[i] = selected[i] && numbers[i] != 0.0;
    }
  }
  if (selection.box) {
    const auto& [low, high] = *selection.box;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      const Vec3& p = cloud.positions[i];
      selected[i] = selected[i] && (p.array() >= low.array()).all() && (p.array() <= high.array()).all();
    }
  }
  return selected;
}

}  // namespace burnish::cli
