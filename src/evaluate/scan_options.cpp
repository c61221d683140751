#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "burnish/error.hpp"
#include "burnish/scan.hpp"
#include "core/from_chars.hpp"

// Settings as text. A length is a number, in the unit of the scene, or one with another unit: 0.5spacing.

namespace burnish {
namespace {

using Unit = ScanLength::Unit;

constexpr std::array<std::string_view, 3> sensors{"depth", "lidar", "structured-light"};  // in the order of Sensor
constexpr std::array<std::string_view, 3> units{"", "spacing", "diameter"};               // in the order of Unit

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

/// Takes a number off the front of a text; false if there is none.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [rest, error] = from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return error == std::errc();
}

template <class Number>
void parse(std::string_view text, Number& number) {
  if (!take_number(text, number) || !text.empty() || !std::isfinite(static_cast<double>(number))) {
    throw Error(std::is_integral_v<Number> ? "expected a whole number" : "expected a number");
  }
}

void parse(std::string_view text, std::optional<double>& number) { parse(text, number.emplace()); }

void parse(std::string_view text, ScanLength& length) {
  const bool has_number = take_number(text, length.value) && std::isfinite(length.value);
  const auto unit = std::ranges::find(units, trimmed(text));
  if (!has_number || unit == units.end()) {
    throw Error("expected a length: a number, or one with the unit spacing or diameter, such as 0.5spacing");
  }
  length.unit = static_cast<Unit>(unit - units.begin());
}

template <class Number>
std::string to_text(const Number& number) {
  return fmt::format("{}", number);
}
std::string to_text(const std::optional<double>& number) { return number ? to_text(*number) : "one step"; }
std::string to_text(const ScanLength& length) {
  return fmt::format("{}{}", length.value, length.value == 0.0 ? "" : units.at(static_cast<std::size_t>(length.unit)));
}

struct Option {
  ScanOption description;
  std::function<void(ScanSettings&, std::string_view)> set;
};

template <class Value>
Option option(std::string name, std::string type, std::string meaning, Value ScanSettings::*field) {
  const std::string usual = to_text(default_settings(Sensor::depth).*field);
  std::string defaults = usual;
  for (const Sensor sensor : {Sensor::lidar, Sensor::structured_light}) {
    if (const std::string other = to_text(default_settings(sensor).*field); other != usual) {
      defaults += fmt::format(", {} {}", sensors.at(static_cast<std::size_t>(sensor)), other);
    }
  }
  return {{std::move(name), std::move(type), std::move(meaning), std::move(defaults)},
          [field](ScanSettings& settings, std::string_view text) { parse(text, settings.*field); }};
}

std::vector<Option> make_options() {
  using S = ScanSettings;
  return {
      option("views", "N", "number of viewpoints, spread evenly around the shape", &S::views),
      option("distance", "LENGTH", "distance of these viewpoints from the centre of the shape", &S::distance),
      option("width", "N", "points in a row", &S::width),
      option("height", "N", "rows", &S::height),
      option("field-of-view", "DEGREES", "angle across the image; 0: the whole shape is visible", &S::field_of_view),
      option("largest-incidence", "DEGREES", "surfaces seen at a more grazing angle give no point",
             &S::largest_incidence),
      option("noise", "LENGTH",
             "standard deviation of depth or range, at the reference distance, for a surface that faces the sensor",
             &S::noise),
      option("reference", "LENGTH", "the reference distance; 0: the mean distance of the viewpoints from the centre",
             &S::reference),
      option("range-power", "X", "noise grows with this power of the distance", &S::range_power),
      option("incidence-power", "X", "noise grows with this power of 1 / cos(angle of incidence)", &S::incidence_power),
      option("correlation", "X", "columns over which noise is correlated along a row", &S::correlation),
      option("quantisation", "LENGTH",
             "quantisation step of depth at the reference distance, by disparity; of range for lidar",
             &S::quantisation),
      option("beam", "DEGREES",
             "angle of the cone over which a measurement averages, which causes flying and mixed pixels at edges",
             &S::beam),
      option("background", "LENGTH", "distance behind the centre of a wall, the background of flying pixels; 0: none",
             &S::background),
      option("registration", "LENGTH", "standard deviation of the rigid motion that displaces each of several views",
             &S::registration),
      option("seed", "N", "seed of the random errors", &S::seed),
  };
}

const std::vector<Option>& options() {
  static const std::vector<Option> all = make_options();
  return all;
}

}  // namespace

std::span<const std::string_view> sensor_names() { return sensors; }

Sensor find_sensor(std::string_view name) {
  const auto found = std::ranges::find(sensors, name);
  if (found == sensors.end()) {
    throw Error(fmt::format("there is no sensor \"{}\"; there are {}", name, fmt::join(sensors, ", ")));
  }
  return static_cast<Sensor>(found - sensors.begin());
}

const std::vector<ScanOption>& scan_options() {
  static const std::vector<ScanOption> all = [] {
    std::vector<ScanOption> descriptions;
    for (const Option& one : options()) {
      descriptions.push_back(one.description);
    }
    return descriptions;
  }();
  return all;
}

void set_scan_option(ScanSettings& settings, std::string_view name, std::string_view value) {
  const auto found =
      std::ranges::find(options(), name, [](const Option& one) -> std::string_view { return one.description.name; });
  if (found == options().end()) {
    throw Error(fmt::format("a scan has no option \"{}\"", name));
  }
  try {
    found->set(settings, trimmed(value));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: found \"{}\", {}", name, value, error.what()));
  }
}

}  // namespace burnish
