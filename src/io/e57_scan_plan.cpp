#include "io/e57_scan_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/column_number.hpp"
#include "io/e57_coordinates.hpp"

namespace burnish::io {
namespace {

constexpr std::size_t rows_at_once = 4096;
constexpr double completely_invalid = 2;  // an invalid state

E57Field new_field(std::string name, const Column& column) {
  E57Field field;
  field.name = std::move(name);
  std::visit(
      [&]<class T>(const std::vector<T>&) {
        using Limits = std::numeric_limits<T>;
        if constexpr (std::is_same_v<T, float>) {
          field.kind = E57Field::Kind::float32;
        } else if constexpr (std::is_same_v<T, std::string>) {
          field.kind = E57Field::Kind::text;
        } else if constexpr (std::is_integral_v<T>) {
          field.kind = E57Field::Kind::integer;
          field.minimum = std::int64_t{Limits::min()};
          field.maximum = static_cast<std::int64_t>(
              std::min<std::uint64_t>(Limits::max(), std::numeric_limits<std::int64_t>::max()));
        }
      },
      column.values);
  return field;
}

bool is_text(const Column& column) { return column.type() == ScalarType::text; }

void widen(E57Field& field, double low, double high) {
  field.minimum = std::min(field.minimum, static_cast<std::int64_t>(low));
  field.maximum = std::max(field.maximum, static_cast<std::int64_t>(high));
}

double stored(const E57Field& field, double value) {
  return field.kind == E57Field::Kind::scaled_integer ? std::round((value - field.offset) / field.scale) : value;
}

/// What holds for all values of a field.
struct Values {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool are_finite = true;
  bool are_whole = true;
  bool are_floats = true;

  void add(double value) {
    are_finite = are_finite && std::isfinite(value);
    are_whole = are_whole && std::trunc(value) == value;
    are_floats = are_floats && (static_cast<double>(static_cast<float>(value)) == value || std::isnan(value));
    low = std::min(low, value);
    high = std::max(high, value);
  }

  [[nodiscard]] bool are_integers() const {
    constexpr double exact = 9007199254740992.0;  // beyond 2^53 not every integer is a double
    return are_finite && are_whole && low >= -exact && high <= exact;
  }
};

}  // namespace

E57ScanPlan::E57ScanPlan(const PointCloud& cloud, const E57Scan& scan, std::size_t begin, std::size_t end,
                         const std::vector<const Column*>& of_fields, const std::vector<Extra>& extra)
    : cloud_(cloud), pose_(scan.pose), begin_(begin), end_(end) {
  const E57Coordinates& places = scan.coordinates;
  is_spherical_ = places.is_spherical;
  for (std::size_t axis = 0; axis < 3 && places.has_normals(); ++axis) {
    normal_columns_[axis] = of_fields[places.normals[axis]];
  }
  const bool rotates_normals = pose_.rotates && std::ranges::find(normal_columns_, nullptr) == normal_columns_.end();
  bool has_float_axes = true;
  for (std::size_t i = 0; i < scan.fields.size(); ++i) {
    const E57Field& field = scan.fields[i];
    FieldSource source;
    source.column = of_fields[i];
    source.is_state = i == places.invalid_state;
    source.normal =
        rotates_normals ? std::ranges::find(places.normals, i) - std::begin(places.normals) : FieldSource::none;
    if (const std::optional<E57Axis> axis = e57_axis(field.name)) {
      source.axis = axis->axis;
      source.is_spherical = axis->is_spherical;
      has_spherical_ = has_spherical_ || axis->is_spherical;
      has_float_axes = has_float_axes && field.is_float();
    } else if (source.column == nullptr && !source.is_state) {
      continue;
    }
    const bool is_as_before = source.column == nullptr || is_text(*source.column) == field.is_text();
    add(is_as_before ? field : new_field(field.name, *source.column), source);
  }
  if (places.invalid_state == E57Coordinates::none) {
    const auto points = std::span(cloud.positions).subspan(begin, end - begin);
    keeps_nan_ = has_float_axes || std::ranges::all_of(points, is_finite);
    if (!keeps_nan_) {
      E57Field state{places.is_spherical ? "sphericalInvalidState" : "cartesianInvalidState", E57Field::Kind::integer,
                     0, static_cast<std::int64_t>(completely_invalid)};
      FieldSource source;
      source.is_state = true;
      add(state, source);
    }
  }
  for (const Extra& one : extra) {
    FieldSource source;
    source.column = one.column;
    add(new_field(one.name, *one.column), source);
  }
  fit_fields();
}

void E57ScanPlan::add(const E57Field& field, const FieldSource& source) {
  fields_.push_back(field);
  sources_.push_back(source);
}

void E57ScanPlan::fit_fields() {
  std::vector<Values> stored_values(fields_.size());
  std::vector<double> values;
  for (std::size_t row = 0; row < points(); row += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, points() - row);
    prepare(row, count);
    values.resize(count);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (!has_integers(i) && !fields_[i].is_text()) {
        values_of(i, values);
        for (const double value : values) {
          stored_values[i].add(stored(fields_[i], value));
        }
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (is_finite(cloud_.positions[begin_ + row + i])) {
        bounds_.extend(cartesian_[i]);
        if (has_spherical_) {
          spherical_bounds_.extend(spherical_[i]);
        }
      }
    }
  }
  for (std::size_t i = 0; i < fields_.size() && points() > 0; ++i) {
    E57Field& field = fields_[i];
    const Values& all = stored_values[i];
    if (field.is_text()) {
      continue;
    }
    if (has_integers(i)) {
      const auto [low, high] = integer_range(*sources_[i].column);
      field.minimum = std::min(field.minimum, low);
      field.maximum = std::max(field.maximum, high);
    } else if (!field.is_float() && all.are_integers()) {
      widen(field, all.low, all.high);
    } else if (!field.is_float() ||
               (field.kind == E57Field::Kind::float32 && sources_[i].column != nullptr && !all.are_floats)) {
      field.kind = E57Field::Kind::float64;
    }
  }
}

std::pair<std::int64_t, std::int64_t> E57ScanPlan::integer_range(const Column& column) const {
  return std::visit(
      [&]<class T>(const std::vector<T>& values) {
        std::pair<std::int64_t, std::int64_t> range{0, 0};
        if constexpr (std::is_integral_v<T>) {
          const auto [low, high] = std::ranges::minmax(std::span(values).subspan(begin_, end_ - begin_));
          range = {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
        }
        return range;
      },
      column.values);
}

bool E57ScanPlan::has_integers(std::size_t field) const {
  const FieldSource& source = sources_[field];
  return fields_[field].kind == E57Field::Kind::integer && source.column != nullptr && !source.is_state &&
         source.normal == FieldSource::none &&
         std::visit([]<class T>(const std::vector<T>&) { return std::is_integral_v<T>; }, source.column->values);
}

void E57ScanPlan::prepare(std::size_t row, std::size_t count) {
  row_ = begin_ + row;
  cartesian_.resize(count);
  spherical_.resize(has_spherical_ ? count : 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3& p = cloud_.positions[row_ + i];
    const bool is_hidden = !is_finite(p) && !keeps_nan_;
    const Vec3 kept = is_finite(p) ? pose_.undo(p) : is_hidden ? from_nan(p) : p;
    const bool is_spherical = is_hidden && is_spherical_;  // as it was read
    cartesian_[i] = is_spherical ? from_spherical(kept) : kept;
    if (has_spherical_) {
      spherical_[i] = is_spherical ? kept : to_spherical(kept);
    }
  }
}

void E57ScanPlan::values_of(std::size_t field, std::span<double> values) const {
  const FieldSource& source = sources_[field];
  if (source.normal != FieldSource::none) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Vec3 normal;
      for (const Eigen::Index axis : {0, 1, 2}) {
        normal[axis] = number_at(*normal_columns_[static_cast<std::size_t>(axis)], row_ + i);
      }
      values[i] = (pose_.rotation.transpose() * normal)[source.normal];
    }
  } else if (source.is_state) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double state = source.column == nullptr ? 0 : number_at(*source.column, row_ + i);
      values[i] = state == 0 && !is_finite(cloud_.positions[row_ + i]) ? completely_invalid : state;
    }
  } else if (source.column != nullptr) {
    std::visit(
        [&]<class T>(const std::vector<T>& all) {
          if constexpr (std::is_arithmetic_v<T>) {
            std::transform(all.begin() + static_cast<std::ptrdiff_t>(row_),
                           all.begin() + static_cast<std::ptrdiff_t>(row_ + values.size()), values.begin(),
                           [](T value) { return static_cast<double>(value); });
          }
        },
        source.column->values);
  } else {
    const std::vector<Vec3>& points = source.is_spherical ? spherical_ : cartesian_;
    // Azimuths from 0 to 2π, where integers cannot hold others.
    const E57Field& f = fields_[field];
    const bool is_turned = source.is_spherical && source.axis == 1 && !f.is_float() &&
                           static_cast<double>(f.minimum) * f.scale + f.offset >= 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = points[i][source.axis];
      values[i] = is_turned && value < 0 ? value + 2 * std::numbers::pi : value;
    }
  }
}

void E57ScanPlan::integers(std::size_t field, std::span<std::int64_t> values) {
  if (has_integers(field)) {
    std::visit(
        [&]<class T>(const std::vector<T>& all) {
          if constexpr (std::is_integral_v<T>) {
            std::transform(all.begin() + static_cast<std::ptrdiff_t>(row_),
                           all.begin() + static_cast<std::ptrdiff_t>(row_ + values.size()), values.begin(),
                           [](T value) { return static_cast<std::int64_t>(value); });
          }
        },
        sources_[field].column->values);
    return;
  }
  std::vector<double> all(values.size());
  values_of(field, all);
  std::ranges::transform(all, values.begin(),
                         [&](double value) { return static_cast<std::int64_t>(stored(fields_[field], value)); });
}

std::span<const std::string> E57ScanPlan::texts(std::size_t field, std::size_t row, std::size_t count) const {
  return std::span(std::get<std::vector<std::string>>(sources_[field].column->values)).subspan(begin_ + row, count);
}

void E57ScanPlan::floats(std::size_t field, std::span<double> values) { values_of(field, values); }

}  // namespace burnish::io
