#include "io/las_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "core/math.hpp"
#include "io/convert_column.hpp"
#include "io/las_layout.hpp"

namespace burnish::io {
namespace {

using Limits = std::numeric_limits<std::int32_t>;

std::string new_header(const PointCloud& cloud) {
  std::string header(las::header_1_4, '\0');
  header.replace(0, 4, "LASF");
  const auto has = [&](const char* name) {
    const Column* const column = cloud.find_attribute(name);
    return column != nullptr && can_convert(*column, ScalarType::uint16, 0);
  };
  const bool has_colours = has("red") && has("green") && has("blue");
  const unsigned format = has_colours ? (has("nir") ? 8 : 7) : 6;
  put_little_endian<std::uint16_t>(header, 6,
                                   16);  // the coordinate system, if any, is given in WKT, as these formats require
  put_little_endian<std::uint8_t>(header, las::version_minor - 1, 1);
  put_little_endian<std::uint8_t>(header, las::version_minor, 4);
  header.replace(58, 7, "burnish");
  put_little_endian(header, las::header_size, static_cast<std::uint16_t>(header.size()));
  put_little_endian(header, las::points_offset, static_cast<std::uint32_t>(header.size()));
  put_little_endian(header, las::point_format, static_cast<std::uint8_t>(format));
  put_little_endian(header, las::record_size, static_cast<std::uint16_t>(las_point_size(format)));
  return header;
}

struct Range {
  double low = 0;
  double high = 0;
};

Range range_of(const Eigen::AlignedBox3d& box, std::size_t axis) {
  const auto a = static_cast<Eigen::Index>(axis);
  return box.isEmpty() ? Range{} : Range{box.min()[a], box.max()[a]};
}

bool fits(const Range& range, double scale, double offset) {
  const auto is_inside = [&](double value) {
    const double integer = las_stored(value, scale, offset);
    return integer >= Limits::min() && integer <= Limits::max();
  };
  return is_inside(range.low) && is_inside(range.high);
}

}  // namespace

std::string las_header_for(const BlockWriter& file, const PointCloud& cloud) {
  const auto kept = cloud.format_data.find(las::header_key);
  if (kept == cloud.format_data.end()) {
    return new_header(cloud);
  }
  const std::string& header = kept->second;
  if (header.size() < las::smallest_header ||
      little_endian<std::uint32_t>(header, las::points_offset) != header.size() ||
      little_endian<std::uint8_t>(header, las::point_format) > 10 ||
      little_endian<std::uint16_t>(header, las::record_size) <
          las_point_size(little_endian<std::uint8_t>(header, las::point_format)) ||
      (little_endian<std::uint8_t>(header, las::version_minor) >= 3 && header.size() < las::header_1_3) ||
      (little_endian<std::uint8_t>(header, las::version_minor) >= 4 && header.size() < las::header_1_4)) {
    file.fail("the LAS header kept with the cloud is damaged");
  }
  return header;
}

void set_las_scale(const BlockWriter& file, const Eigen::AlignedBox3d& box, std::string& header) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Range range = range_of(box, axis);
    const auto scale = little_endian<double>(header, las::scale + 8 * axis);
    if (scale != 0 && fits(range, scale, little_endian<double>(header, las::offset + 8 * axis))) {
      continue;
    }
    const double half = (range.high - range.low) / 2;
    const double centre = range.low + half;
    // Not finer than what a double resolves so far from zero: more digits would be invented.
    const double finest = std::max(half / Limits::max(), std::abs(centre) * std::numeric_limits<double>::epsilon());
    double new_scale = finest > 0 ? math::pow(10, std::ceil(math::log10(finest))) : 0.001;
    double new_offset = std::round(centre / (1e6 * new_scale)) * (1e6 * new_scale);
    while (std::isfinite(new_scale) && !fits(range, new_scale, new_offset)) {
      new_scale *= 10;
      new_offset = centre;
    }
    if (!std::isfinite(new_scale) || !std::isfinite(new_offset)) {
      file.fail("LAS cannot hold coordinates that large");
    }
    put_little_endian(header, las::scale + 8 * axis, new_scale);
    put_little_endian(header, las::offset + 8 * axis, new_offset);
  }
}

void set_las_bounds(const Eigen::AlignedBox3d& box, std::string& header) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto scale = little_endian<double>(header, las::scale + 8 * axis);
    const auto offset = little_endian<double>(header, las::offset + 8 * axis);
    const Range range = range_of(box, axis);
    const double low = las_stored(range.low, scale, offset) * scale + offset;
    const double high = las_stored(range.high, scale, offset) * scale + offset;
    put_little_endian(header, las::bounds + 16 * axis, box.isEmpty() ? 0 : high);
    put_little_endian(header, las::bounds + 16 * axis + 8, box.isEmpty() ? 0 : low);
  }
}

void shift_las_trailer(std::string_view old, bool has_trailer, std::uint64_t end, std::string& header) {
  const unsigned minor = little_endian<std::uint8_t>(header, las::version_minor);
  const std::uint64_t old_points =
      std::max<std::uint64_t>(little_endian<std::uint32_t>(old, las::legacy_points),
                              minor >= 4 ? little_endian<std::uint64_t>(old, las::points) : 0);
  const std::uint64_t old_end = old.size() + old_points * little_endian<std::uint16_t>(old, las::record_size);
  const auto shift = [&](std::size_t place) {
    const auto start = little_endian<std::uint64_t>(old, place);
    if (start >= old_end && start > 0) {
      put_little_endian(header, place, has_trailer ? start - old_end + end : std::uint64_t{0});
    }
  };
  if (minor >= 3) {
    shift(las::waveform_start);
  }
  if (minor >= 4) {
    shift(las::extended_start);
    if (!has_trailer) {
      put_little_endian<std::uint32_t>(header, las::extended_start + 8, 0);
    }
  }
}

LasReturns las_returns_of(std::string_view header, std::uint64_t points, const LasReturns& otherwise) {
  const bool is_new = little_endian<std::uint8_t>(header, las::version_minor) >= 4;
  const std::uint64_t counted = is_new ? little_endian<std::uint64_t>(header, las::points)
                                       : little_endian<std::uint32_t>(header, las::legacy_points);
  if (counted != points) {
    return otherwise;
  }
  LasReturns returns{};
  for (std::size_t i = 0; i < (is_new ? 15U : 5U); ++i) {
    returns[i + 1] = is_new ? little_endian<std::uint64_t>(header, las::returns + 8 * i)
                            : little_endian<std::uint32_t>(header, las::legacy_returns + 4 * i);
  }
  return returns;
}

void set_las_counts(const BlockWriter& file, std::uint64_t points, const LasReturns& returns, std::string& header) {
  const bool is_new = little_endian<std::uint8_t>(header, las::version_minor) >= 4;
  const bool is_old_format = little_endian<std::uint8_t>(header, las::point_format) < 6;
  constexpr std::uint64_t largest = ~std::uint32_t{0};
  if (!is_new && points > largest) {
    file.fail(fmt::format("this version of LAS cannot hold {} points", points));
  }
  const bool has_old = !is_new || (is_old_format && points <= largest);
  put_little_endian(header, las::legacy_points, static_cast<std::uint32_t>(has_old ? points : 0));
  for (std::size_t i = 0; i < 5; ++i) {
    put_little_endian(header, las::legacy_returns + 4 * i, static_cast<std::uint32_t>(has_old ? returns[i + 1] : 0));
  }
  if (is_new) {
    put_little_endian<std::uint64_t>(header, las::points, points);
    for (std::size_t i = 0; i < 15; ++i) {
      put_little_endian(header, las::returns + 8 * i, returns[i + 1]);
    }
  }
}

}  // namespace burnish::io
