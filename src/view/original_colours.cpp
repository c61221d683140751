#include "view/original_colours.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <string>

#include "core/column_number.hpp"

namespace burnish {
namespace {

/// The plain column of that name, upper or lower case, whose values are numbers; nullptr if there is none.
const Column* find_numbers(const PointCloud& cloud, std::string_view name) {
  const auto same = [&](const Column& column) {
    return !column.is_list && column.type() != ScalarType::text &&
           std::ranges::equal(column.name, name, [](unsigned char a, char b) { return std::tolower(a) == b; });
  };
  const auto found = std::ranges::find_if(cloud.attributes, same);
  return found == cloud.attributes.end() ? nullptr : &*found;
}

std::uint8_t to_byte(double part_of_one) {
  // Written so that NaN becomes 0.
  return part_of_one > 0.0 ? static_cast<std::uint8_t>(std::lround(255.0 * std::min(part_of_one, 1.0))) : 0;
}

using Channels = std::array<const Column*, 3>;

/// The value that is full brightness: 1 for parts of one, 65535 for 16-bit colours, otherwise 255. Many programs store
/// bytes in the 16-bit colours of LAS, and whole numbers in floats. 0 if all is black: fields that nobody filled.
double full_brightness(const Channels& channels, std::span<const std::uint32_t> rows) {
  double largest = 0.0;
  for (const Column* channel : channels) {
    for (const std::uint32_t row : rows) {
      largest = std::max(largest, number_at(*channel, row));
    }
  }
  const bool parts = std::ranges::all_of(channels, [](const Column* channel) {
    return channel->type() == ScalarType::float32 || channel->type() == ScalarType::float64;
  });
  return largest <= 0.0 ? 0.0 : parts && largest <= 1.0 ? 1.0 : largest > 255.0 ? 65535.0 : 255.0;
}

std::vector<Rgb> by_channels(const Channels& channels, std::span<const std::uint32_t> rows, double full) {
  std::vector<Rgb> colours(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      colours[i][c] = to_byte(number_at(*channels[c], rows[i]) / full);
    }
  }
  return colours;
}

/// Four bytes, blue first, whatever type they are declared as.
std::vector<Rgb> by_packed(const Column& column, std::span<const std::uint32_t> rows) {
  std::vector<Rgb> colours;
  colours.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const std::uint32_t packed = column.type() == ScalarType::float32
                                     ? std::bit_cast<std::uint32_t>(std::get<std::vector<float>>(column.values)[row])
                                     : static_cast<std::uint32_t>(static_cast<std::int64_t>(number_at(column, row)));
    colours.push_back({static_cast<std::uint8_t>(packed >> 16), static_cast<std::uint8_t>(packed >> 8),
                       static_cast<std::uint8_t>(packed)});
  }
  return colours;
}

std::vector<Rgb> by_intensity(const Column& column, std::span<const std::uint32_t> rows) {
  std::vector<double> sorted;
  for (const std::uint32_t row : rows) {
    const double value = number_at(column, row);
    if (std::isfinite(value)) {
      sorted.push_back(value);
    }
  }
  if (sorted.empty()) {
    return {};
  }
  std::ranges::sort(sorted);
  const double low = sorted[sorted.size() / 100];
  const double high = sorted[sorted.size() - 1 - sorted.size() / 100];
  if (high <= low) {
    return {};
  }
  std::vector<Rgb> colours;
  colours.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const std::uint8_t grey = to_byte((number_at(column, row) - low) / (high - low));
    colours.push_back({grey, grey, grey});
  }
  return colours;
}

}  // namespace

std::vector<Rgb> original_colours(const PointCloud& cloud, std::span<const std::uint32_t> rows) {
  constexpr std::array<std::array<std::string_view, 3>, 3> names{
      {{"red", "green", "blue"}, {"diffuse_red", "diffuse_green", "diffuse_blue"}, {"r", "g", "b"}}};
  for (const auto& [red, green, blue] : names) {
    const Channels channels{find_numbers(cloud, red), find_numbers(cloud, green), find_numbers(cloud, blue)};
    if (std::ranges::any_of(channels, [](const Column* channel) { return channel == nullptr; })) {
      continue;
    }
    if (const double full = full_brightness(channels, rows); full > 0.0) {
      return by_channels(channels, rows, full);
    }
  }
  for (const char* name : {"rgb", "rgba"}) {
    const Column* packed = find_numbers(cloud, name);
    const auto is = [&](ScalarType type) { return packed != nullptr && packed->type() == type; };
    if (is(ScalarType::float32) || is(ScalarType::uint32) || is(ScalarType::int32)) {
      return by_packed(*packed, rows);
    }
  }
  const Column* intensity = find_numbers(cloud, "intensity");
  return intensity == nullptr ? std::vector<Rgb>{} : by_intensity(*intensity, rows);
}

}  // namespace burnish
