#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "io/convert_column.hpp"
#include "io/formats.hpp"
#include "io/las_header.hpp"
#include "io/las_layout.hpp"
#include "io/records.hpp"
#include "io/scalar.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {
namespace {

/// Where the values of each field come from: an attribute, a converted copy of one, or nowhere.
struct Sources {
  std::vector<LasField> fields;
  std::vector<const Column*> columns;
};

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
        const auto integer = static_cast<std::int32_t>(
            las_stored(cloud.positions[row + i][static_cast<Eigen::Index>(axis)], scale, offset));
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

}  // namespace

void write_las(BlockWriter& file, const PointCloud& cloud) {
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (!is_finite(cloud.positions[i])) {
      file.fail(
          fmt::format("LAS cannot hold point {}, whose coordinates are not finite; write .ply or .pcd instead", i + 1));
    }
  }
  check_record_columns(file, "LAS", cloud);
  const std::string old = las_header_for(file, cloud);
  const auto trailer = cloud.format_data.find(las::trailer_key);
  const bool has_trailer = trailer != cloud.format_data.end();
  std::string header = old;
  std::vector<Column> converted;
  const Sources sources = place_columns(file, cloud, header, converted);
  const auto returns = std::ranges::find(sources.fields, "return_number", &LasField::name) - sources.fields.begin();
  set_las_scale(file, cloud, header);
  set_las_bounds(cloud, header);
  shift_las_trailer(old, has_trailer, cloud.size(), header);
  set_las_counts(file, cloud, sources.columns[static_cast<std::size_t>(returns)], header);
  file.expect_rows(cloud.size());
  file.append(header);
  write_points(file, header, sources, cloud);
  if (has_trailer) {
    file.append(trailer->second);
  }
}

}  // namespace burnish::io
