#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/convert_column.hpp"
#include "io/formats.hpp"
#include "io/las_layout.hpp"
#include "io/records.hpp"
#include "io/scalar.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {
namespace {

using Limits = std::numeric_limits<std::int32_t>;

/// Where the values of each field come from: an attribute, a converted copy of one, or nowhere.
struct Sources {
  std::vector<LasField> fields;
  std::vector<const Column*> columns;
};

/// A header for points that never were in a LAS file: version 1.4, point format 6, 7 with colours, 8 with infrared.
std::string new_header(const PointCloud& cloud) {
  std::string header(las::header_1_4, '\0');
  header.replace(0, 4, "LASF");
  const auto has = [&](const char* name) {
    const Column* const column = cloud.find_attribute(name);
    return column != nullptr && can_convert(*column, ScalarType::uint16, 0);
  };
  const bool has_colours = has("red") && has("green") && has("blue");
  const unsigned format = has_colours ? (has("nir") ? 8 : 7) : 6;
  put_las_number<std::uint16_t>(header, 6, 16);  // the coordinate system, if any, is told in WKT: these formats ask so
  put_las_number<std::uint8_t>(header, las::version_minor - 1, 1);
  put_las_number<std::uint8_t>(header, las::version_minor, 4);
  header.replace(58, 7, "burnish");
  put_las_number(header, las::header_size, static_cast<std::uint16_t>(header.size()));
  put_las_number(header, las::points_offset, static_cast<std::uint32_t>(header.size()));
  put_las_number(header, las::point_format, static_cast<std::uint8_t>(format));
  put_las_number(header, las::record_size, static_cast<std::uint16_t>(las_point_size(format)));
  return header;
}

struct Range {
  double low = 0;
  double high = 0;
};

Range range_of(const PointCloud& cloud, Eigen::Index axis) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Vec3& p : cloud.positions) {
    range.low = std::min(range.low, p[axis]);
    range.high = std::max(range.high, p[axis]);
  }
  return cloud.size() == 0 ? Range{} : range;
}

double stored(double value, double scale, double offset) { return std::round((value - offset) / scale); }

bool fits(const Range& range, double scale, double offset) {
  const auto is_inside = [&](double value) {
    const double integer = stored(value, scale, offset);
    return integer >= Limits::min() && integer <= Limits::max();
  };
  return is_inside(range.low) && is_inside(range.high);
}

/// Keeps scale and offset where all points fit, so that a point that did not move keeps its integers. Otherwise the
/// finest power of ten is taken that fits 32 bits.
void set_scale(const BlockWriter& file, const PointCloud& cloud, std::string& header) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Range range = range_of(cloud, static_cast<Eigen::Index>(axis));
    const auto scale = las_number<double>(header, las::scale + 8 * axis);
    if (scale != 0 && fits(range, scale, las_number<double>(header, las::offset + 8 * axis))) {
      continue;
    }
    const double half = (range.high - range.low) / 2;
    const double centre = range.low + half;
    // Not finer than what a double tells apart so far from zero: more digits would be invented.
    const double finest = std::max(half / Limits::max(), std::abs(centre) * std::numeric_limits<double>::epsilon());
    double new_scale = finest > 0 ? std::pow(10, std::ceil(std::log10(finest))) : 0.001;
    double new_offset = std::round(centre / (1e6 * new_scale)) * (1e6 * new_scale);
    while (std::isfinite(new_scale) && !fits(range, new_scale, new_offset)) {
      new_scale *= 10;
      new_offset = centre;
    }
    if (!std::isfinite(new_scale) || !std::isfinite(new_offset)) {
      file.fail("LAS cannot hold coordinates that large");
    }
    put_las_number(header, las::scale + 8 * axis, new_scale);
    put_las_number(header, las::offset + 8 * axis, new_offset);
  }
}

bool belongs_to(const Column& column, const LasField& field) {
  return column.name == field.name && values_a_row(column) == field.count &&
         can_convert(column, field.type, field.bits);
}

/// Finds a place for every attribute: the field of its name if its values fit exactly, otherwise extra bytes, which
/// are added to the header. `converted` keeps what had to be converted; it must not move.
Sources place_columns(const BlockWriter& file, const PointCloud& cloud, std::string& header,
                      std::vector<Column>& converted) {
  Sources sources;
  sources.fields = las_layout(header);
  sources.columns.resize(sources.fields.size(), nullptr);
  converted.reserve(cloud.attributes.size());
  std::vector<const Column*> extra;
  for (const Column& column : cloud.attributes) {
    const auto field =
        std::ranges::find_if(sources.fields, [&](const LasField& one) { return belongs_to(column, one); });
    if (field == sources.fields.end()) {
      extra.push_back(&column);
      continue;
    }
    const Column* source = &column;
    if (column.type() != field->type) {
      converted.push_back(convert(column, field->type));
      source = &converted.back();
    }
    sources.columns[static_cast<std::size_t>(field - sources.fields.begin())] = source;
  }
  if (!extra.empty() && cloud.size() > 0) {
    for (const Column* column : extra) {
      if (!las_extra_type(*column)) {
        file.fail(fmt::format("LAS cannot hold the column {}; write .ply instead", excerpt(column->name)));
      }
    }
    if (!add_las_extra_bytes(header, extra)) {
      file.fail("the columns are more than a LAS file can hold");
    }
    sources.fields = las_layout(header);  // the same fields, and the new ones behind
    sources.columns.insert(sources.columns.end(), extra.begin(), extra.end());
  }
  return sources;
}

void set_counts(const BlockWriter& file, const PointCloud& cloud, const Column* return_number, std::string& header) {
  std::array<std::uint64_t, 16> returns{};
  if (return_number != nullptr) {
    for (const std::uint8_t number : std::get<std::vector<std::uint8_t>>(return_number->values)) {
      ++returns.at(std::min<std::size_t>(number, 15));
    }
  }
  const bool is_new = las_number<std::uint8_t>(header, las::version_minor) >= 4;
  const bool is_old_format = las_number<std::uint8_t>(header, las::point_format) < 6;
  constexpr std::uint64_t largest = ~std::uint32_t{0};
  if (!is_new && cloud.size() > largest) {
    file.fail(fmt::format("this version of LAS cannot hold {} points", cloud.size()));
  }
  const bool has_old = !is_new || (is_old_format && cloud.size() <= largest);
  put_las_number(header, las::legacy_points, static_cast<std::uint32_t>(has_old ? cloud.size() : 0));
  for (std::size_t i = 0; i < 5; ++i) {
    put_las_number(header, las::legacy_returns + 4 * i, static_cast<std::uint32_t>(has_old ? returns[i + 1] : 0));
  }
  if (is_new) {
    put_las_number<std::uint64_t>(header, las::points, cloud.size());
    for (std::size_t i = 0; i < 15; ++i) {
      put_las_number(header, las::returns + 8 * i, returns[i + 1]);
    }
  }
}

void set_bounds(const PointCloud& cloud, std::string& header) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto scale = las_number<double>(header, las::scale + 8 * axis);
    const auto offset = las_number<double>(header, las::offset + 8 * axis);
    const Range range = range_of(cloud, static_cast<Eigen::Index>(axis));
    const double low = stored(range.low, scale, offset) * scale + offset;
    const double high = stored(range.high, scale, offset) * scale + offset;
    put_las_number(header, las::bounds + 16 * axis, cloud.size() == 0 ? 0 : high);
    put_las_number(header, las::bounds + 16 * axis + 8, cloud.size() == 0 ? 0 : low);
  }
}

/// What lies behind the points moves with their end.
void shift_trailer(std::string_view old, bool has_trailer, std::size_t points, std::string& header) {
  const unsigned minor = las_number<std::uint8_t>(header, las::version_minor);
  const std::uint64_t old_points = std::max<std::uint64_t>(
      las_number<std::uint32_t>(old, las::legacy_points), minor >= 4 ? las_number<std::uint64_t>(old, las::points) : 0);
  const std::uint64_t old_end = old.size() + old_points * las_number<std::uint16_t>(old, las::record_size);
  const std::uint64_t end = header.size() + std::uint64_t{points} * las_number<std::uint16_t>(header, las::record_size);
  const auto shift = [&](std::size_t place) {
    const auto start = las_number<std::uint64_t>(header, place);
    if (start >= old_end && start > 0) {
      put_las_number(header, place, has_trailer ? start - old_end + end : std::uint64_t{0});
    }
  };
  if (minor >= 3) {
    shift(las::waveform_start);
  }
  if (minor >= 4) {
    shift(las::extended_start);
    if (!has_trailer) {
      put_las_number<std::uint32_t>(header, las::extended_start + 8, 0);
    }
  }
}

void encode_field(const LasField& field, const Column& column, std::size_t row, std::size_t count, std::size_t stride,
                  char* data) {
  if (field.bits > 0) {
    const auto& values = std::get<std::vector<std::uint8_t>>(column.values);
    for (std::size_t i = 0; i < count; ++i) {
      char& byte = data[i * stride + field.offset];
      byte = static_cast<char>(static_cast<unsigned char>(byte) | (values[row + i] << field.shift));
    }
    return;
  }
  const std::size_t size = scalar_size(field.type);
  const char* const source =
      std::visit([](const auto& values) { return reinterpret_cast<const char*>(values.data()); }, column.values);
  for (std::size_t k = 0; k < field.count; ++k) {
    copy_strided({source + (row * field.count + k) * size, field.count * size, field.type},
                 {data + field.offset + k * size, stride, field.type}, count, false);
  }
}

void write_points(BlockWriter& file, std::string_view header, const Sources& sources, const PointCloud& cloud) {
  const std::size_t record_size = las_number<std::uint16_t>(header, las::record_size);
  const std::size_t rows_at_once = std::max<std::size_t>(1, BlockWriter::block_size / record_size);
  for (std::size_t row = 0; row < cloud.size();) {
    const std::size_t count = std::min(rows_at_once, cloud.size() - row);
    char* const data = file.room(count * record_size);
    std::memset(data, 0, count * record_size);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto scale = las_number<double>(header, las::scale + 8 * axis);
      const auto offset = las_number<double>(header, las::offset + 8 * axis);
      for (std::size_t i = 0; i < count; ++i) {
        const auto integer =
            static_cast<std::int32_t>(stored(cloud.positions[row + i][static_cast<Eigen::Index>(axis)], scale, offset));
        std::memcpy(data + i * record_size + 4 * axis, &integer, sizeof integer);
      }
    }
    for (std::size_t i = 0; i < sources.columns.size(); ++i) {
      if (sources.columns[i] != nullptr) {
        encode_field(sources.fields[i], *sources.columns[i], row, count, record_size, data);
      }
    }
    file.take(count * record_size);
    file.rows_done(count);
    row += count;
  }
}

std::string header_for(const BlockWriter& file, const PointCloud& cloud) {
  const auto kept = cloud.format_data.find(las::header_key);
  if (kept == cloud.format_data.end()) {
    return new_header(cloud);
  }
  const std::string& header = kept->second;
  if (header.size() < las::smallest_header || las_number<std::uint32_t>(header, las::points_offset) != header.size() ||
      las_number<std::uint8_t>(header, las::point_format) > 10 ||
      las_number<std::uint16_t>(header, las::record_size) <
          las_point_size(las_number<std::uint8_t>(header, las::point_format)) ||
      (las_number<std::uint8_t>(header, las::version_minor) >= 3 && header.size() < las::header_1_3) ||
      (las_number<std::uint8_t>(header, las::version_minor) >= 4 && header.size() < las::header_1_4)) {
    file.fail("the LAS header kept with the cloud is damaged");
  }
  return header;
}

}  // namespace

void write_las(BlockWriter& file, const PointCloud& cloud) {
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (!is_finite(cloud.positions[i])) {
      file.fail(
          fmt::format("LAS cannot hold point {}, whose coordinates are not finite; write .ply or .pcd instead", i + 1));
    }
  }
  check_record_columns(file, "LAS", cloud);
  const std::string old = header_for(file, cloud);
  const auto trailer = cloud.format_data.find(las::trailer_key);
  const bool has_trailer = trailer != cloud.format_data.end();
  std::string header = old;
  std::vector<Column> converted;
  const Sources sources = place_columns(file, cloud, header, converted);
  const auto returns = std::ranges::find(sources.fields, "return_number", &LasField::name) - sources.fields.begin();
  set_scale(file, cloud, header);
  set_bounds(cloud, header);
  shift_trailer(old, has_trailer, cloud.size(), header);
  set_counts(file, cloud, sources.columns[static_cast<std::size_t>(returns)], header);
  file.expect_rows(cloud.size());
  file.append(header);
  write_points(file, header, sources, cloud);
  if (has_trailer) {
    file.append(trailer->second);
  }
}

}  // namespace burnish::io
