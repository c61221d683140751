#include "view/attribute_fields.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace burnish {
namespace {

/// Whether an attribute is part of what the page shows in other ways.
bool is_shown_otherwise(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 17> others{
      "red",  "green", "blue", "diffuse_red", "diffuse_green", "diffuse_blue", "r",       "g", "b", "rgb",
      "rgba", "nx",    "ny",   "nz",          "normal_x",      "normal_y",     "normal_z"};
  return std::ranges::find(others, name) != others.end();
}

bool is_number(const Column& column) { return !column.is_list && column.type() != ScalarType::text; }

/// The numbers of some rows.
std::vector<double> numbers(const Column& column, std::span<const std::uint32_t> rows) {
  return std::visit(
      [&]<class T>(const std::vector<T>& values) {
        std::vector<double> result;
        if constexpr (std::is_arithmetic_v<T>) {
          result.reserve(rows.size());
          for (const std::uint32_t row : rows) {
            result.push_back(static_cast<double>(values[row]));
          }
        }
        return result;
      },
      column.values);
}

/// Names of the attributes, in the order of the files.
std::vector<std::string> names_of(std::span<const ViewedCloud> clouds) {
  std::vector<std::string> names;
  for (const ViewedCloud& viewed : clouds) {
    for (const Column& column : viewed.cloud.attributes) {
      if (is_number(column) && !is_shown_otherwise(column.name) &&
          std::ranges::find(names, column.name) == names.end()) {
        names.push_back(column.name);
      }
    }
  }
  return names;
}

struct Limits {
  double low = 0.0;
  double high = 0.0;
};

/// What all but a part of the finite values at either end stay in; the part is 0 if they would all be one number.
Limits limits_of(std::vector<double> values, double part) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) {
    return {};
  }
  const auto at = [&](double along) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(along * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, place);
    return *place;
  };
  const Limits usual{at(part), at(1.0 - part)};
  return usual.low < usual.high ? usual : Limits{at(0.0), at(1.0)};
}

}  // namespace

void add_attribute_fields(Scene& scene, std::span<const ViewedCloud> clouds) {
  constexpr double left_out = 0.02;
  for (const std::string& name : names_of(clouds)) {
    SceneField field;
    field.id = "attribute " + name;
    field.label = name;
    field.is_attribute = true;
    field.is_whole = true;
    std::vector<std::vector<double>> values(clouds.size());
    std::vector<double> all;
    for (std::size_t c = 0; c < clouds.size(); ++c) {
      const Column* const column = clouds[c].cloud.find_attribute(name);
      if (column == nullptr || !is_number(*column)) {
        continue;
      }
      values[c] = numbers(*column, scene.clouds[c].rows);
      all.insert(all.end(), values[c].begin(), values[c].end());
      field.is_whole = field.is_whole && column->type() != ScalarType::float32 && column->type() != ScalarType::float64;
    }
    const Limits limits = limits_of(std::move(all), left_out);
    if (!(limits.low < limits.high)) {
      continue;
    }
    field.low = limits.low;
    field.high = limits.high;
    field.origin = std::floor(0.5 * limits.low + 0.5 * limits.high);
    for (const std::vector<double>& of_cloud : values) {
      std::vector<float> relative(of_cloud.size());
      std::ranges::transform(of_cloud, relative.begin(), [&](double v) {
        return std::isfinite(v) ? static_cast<float>(v - field.origin) : std::numeric_limits<float>::quiet_NaN();
      });
      field.values.push_back(std::move(relative));
    }
    scene.fields.push_back(std::move(field));
  }
}

}  // namespace burnish
