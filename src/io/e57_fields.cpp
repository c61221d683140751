#include "io/e57_fields.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>

#include "io/scalar.hpp"

namespace burnish::io {
namespace {

using namespace std::string_view_literals;

/// Fields of the standard and the attributes they become.
constexpr auto known_names = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"intensity", "intensity"},
    {"colorRed", "red"},
    {"colorGreen", "green"},
    {"colorBlue", "blue"},
    {"nor:normalX", "nx"},
    {"nor:normalY", "ny"},
    {"nor:normalZ", "nz"},
    {"rowIndex", "row_index"},
    {"columnIndex", "column_index"},
    {"returnIndex", "return_index"},
    {"returnCount", "return_count"},
    {"timeStamp", "time_stamp"},
    {"cartesianInvalidState", "cartesian_invalid_state"},
    {"sphericalInvalidState", "spherical_invalid_state"},
    {"isIntensityInvalid", "is_intensity_invalid"},
    {"isColorInvalid", "is_color_invalid"},
    {"isTimeStampInvalid", "is_time_stamp_invalid"},
});

constexpr std::array cartesian_names = {"cartesianX"sv, "cartesianY"sv, "cartesianZ"sv};
constexpr std::array spherical_names = {"sphericalRange"sv, "sphericalAzimuth"sv, "sphericalElevation"sv};
constexpr std::array normal_names = {"nor:normalX"sv, "nor:normalY"sv, "nor:normalZ"sv};
constexpr std::array state_names = {"cartesianInvalidState"sv, "sphericalInvalidState"sv};

std::size_t find_field(const std::vector<E57Field>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &E57Field::name);
  return found == fields.end() ? E57Coordinates::none : static_cast<std::size_t>(found - fields.begin());
}

std::string attribute_name(const std::string& field) {
  const auto known = std::ranges::find(known_names, std::string_view(field), [](const auto& one) { return one.first; });
  if (known != known_names.end()) {
    return std::string(known->second);
  }
  const std::string own = std::string(e57::attributes_prefix) + ":";
  const std::string name = field.starts_with(own) ? field.substr(own.size()) : field;
  return name.empty() ? "extra" : name;
}

/// The values that some fields have together.
struct ValueRange {
  std::int64_t minimum = std::numeric_limits<std::int64_t>::max();
  std::int64_t maximum = std::numeric_limits<std::int64_t>::min();
  bool has_float32 = false;
  bool has_float64 = false;

  void add(const E57Field& field) {
    has_float32 = has_float32 || field.kind == E57Field::Kind::float32;
    has_float64 = has_float64 || field.kind == E57Field::Kind::float64 || field.kind == E57Field::Kind::scaled_integer;
    if (field.kind == E57Field::Kind::integer) {
      minimum = std::min(minimum, field.minimum);
      maximum = std::max(maximum, field.maximum);
    }
  }

  /// The smallest type that holds them.
  [[nodiscard]] ScalarType type() const {
    const bool has_integers = minimum <= maximum;
    if (has_float64 || (has_float32 && has_integers)) {
      return ScalarType::float64;
    }
    if (has_float32) {
      return ScalarType::float32;
    }
    using enum ScalarType;
    constexpr std::array types = {uint8, int8, uint16, int16, uint32, int32, uint64};
    for (const ScalarType type : types) {
      const bool fits = with_number_type(type, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_integral_v<T>) {
          return std::in_range<T>(minimum) && std::in_range<T>(maximum);
        } else {
          return false;
        }
      });
      if (fits) {
        return type;
      }
    }
    return int64;
  }
};

}  // namespace

std::optional<E57Axis> e57_axis(std::string_view field) {
  for (const Eigen::Index axis : {0, 1, 2}) {
    if (field == cartesian_names.at(static_cast<std::size_t>(axis))) {
      return E57Axis{axis, false};
    }
    if (field == spherical_names.at(static_cast<std::size_t>(axis))) {
      return E57Axis{axis, true};
    }
  }
  return std::nullopt;
}

bool has_to_be_number(std::string_view field) {
  return e57_axis(field) || std::ranges::find(state_names, field) != state_names.end() ||
         std::ranges::find(normal_names, field) != normal_names.end();
}

E57Coordinates find_coordinates(const std::vector<E57Field>& fields) {
  const auto find_three = [&](const auto& names, std::size_t(&places)[3]) {
    for (std::size_t i = 0; i < 3; ++i) {
      places[i] = find_field(fields, names[i]);
    }
  };
  E57Coordinates coordinates;
  find_three(cartesian_names, coordinates.axes);
  if (!coordinates.is_complete()) {
    find_three(spherical_names, coordinates.axes);
    coordinates.is_spherical = true;
  }
  coordinates.invalid_state = find_field(fields, state_names.at(coordinates.is_spherical ? 1 : 0));
  find_three(normal_names, coordinates.normals);
  return coordinates;
}

E57Columns find_columns(const std::vector<const std::vector<E57Field>*>& scans) {
  E57Columns result;
  std::vector<ValueRange> ranges;
  for (const std::vector<E57Field>* const fields : scans) {
    std::set<std::string, std::less<>> names = {"x", "y", "z"};
    if (scans.size() > 1) {
      names.insert(std::string(e57::scan_attribute));
    }
    std::vector<std::size_t>& places = result.of_scans.emplace_back();
    for (const E57Field& field : *fields) {
      if (e57_axis(field.name)) {
        places.push_back(E57Columns::none);
        continue;
      }
      const auto is_of_other_kind = [&](const std::string& name) {
        const auto known = std::ranges::find(result.columns, name, &E57Columns::One::name);
        return known != result.columns.end() && (known->type == ScalarType::text) != field.is_text();
      };
      // Extensions may have the name of an attribute that is taken.
      const std::string base = attribute_name(field.name);
      std::string name = base;
      for (int i = 2; is_of_other_kind(name) || !names.insert(name).second; ++i) {
        name = base + "_" + std::to_string(i);
      }
      const auto known = std::ranges::find(result.columns, name, &E57Columns::One::name);
      const auto column = static_cast<std::size_t>(known - result.columns.begin());
      if (known == result.columns.end()) {
        result.columns.push_back({name, field.is_text() ? ScalarType::text : ScalarType::float64});
        ranges.emplace_back();
      }
      ranges[column].add(field);
      places.push_back(column);
    }
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    E57Columns::One& column = result.columns[i];
    column.type = column.type == ScalarType::text ? ScalarType::text : ranges[i].type();
  }
  return result;
}

std::string e57_field_name(std::string_view attribute) {
  const auto known = std::ranges::find(known_names, attribute, [](const auto& one) { return one.second; });
  if (known != known_names.end()) {
    return std::string(known->first);
  }
  // What XML allows in a name; anything beyond ASCII is.
  std::string name(attribute);
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  for (char& c : name) {
    c = is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' ? c : '_';
  }
  if (name.empty() || !is_letter(name.front())) {
    name.insert(name.begin(), '_');
  }
  return std::string(e57::attributes_prefix) + ":" + name;
}

}  // namespace burnish::io
