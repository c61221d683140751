#include "io/las_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "io/convert_column.hpp"
#include "io/records.hpp"
#include "io/scalar.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {
namespace {

bool belongs_to(const Column& column, const LasField& field) {
  return column.name == field.name && values_a_row(column) == field.count &&
         can_convert(column, field.type, field.bits);
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

}  // namespace

LasPoints::LasPoints(const BlockWriter& file, const PointCloud& cloud, std::string& header, std::uint64_t first)
    : cloud_(cloud) {
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (!is_finite(cloud.positions[i])) {
      file.fail(fmt::format("LAS cannot hold point {}, whose coordinates are not finite; write .ply or .pcd instead",
                            first + i + 1));
    }
  }
  check_record_columns(file, "LAS", cloud);
  place_columns(file, header);
}

void LasPoints::place_columns(const BlockWriter& file, std::string& header) {
  fields_ = las_layout(header);
  columns_.resize(fields_.size(), nullptr);
  converted_.reserve(cloud_.attributes.size());  // they must not move
  std::vector<const Column*> extra;
  for (const Column& column : cloud_.attributes) {
    const auto field = std::ranges::find_if(fields_, [&](const LasField& one) { return belongs_to(column, one); });
    if (field == fields_.end()) {
      extra.push_back(&column);
      continue;
    }
    const Column* source = &column;
    if (column.type() != field->type) {
      converted_.push_back(convert(column, field->type));
      source = &converted_.back();
    }
    columns_[static_cast<std::size_t>(field - fields_.begin())] = source;
  }
  if (!extra.empty() && cloud_.size() > 0) {
    for (const Column* column : extra) {
      if (!las_extra_type(*column)) {
        file.fail(fmt::format("LAS cannot hold the column {}; write .ply instead", excerpt(column->name)));
      }
    }
    if (!add_las_extra_bytes(header, extra)) {
      file.fail("the columns are more than a LAS file can hold");
    }
    fields_ = las_layout(header);  // the same fields, and the new ones behind
    columns_.insert(columns_.end(), extra.begin(), extra.end());
  }
}

void LasPoints::encode(std::string_view header, std::size_t row, std::size_t count, char* data) const {
  const std::size_t record_size = little_endian<std::uint16_t>(header, las::record_size);
  std::memset(data, 0, count * record_size);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto scale = little_endian<double>(header, las::scale + 8 * axis);
    const auto offset = little_endian<double>(header, las::offset + 8 * axis);
    for (std::size_t i = 0; i < count; ++i) {
      const auto integer = static_cast<std::int32_t>(
          las_stored(cloud_.positions[row + i][static_cast<Eigen::Index>(axis)], scale, offset));
      std::memcpy(data + i * record_size + 4 * axis, &integer, sizeof integer);
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i] != nullptr) {
      encode_field(fields_[i], *columns_[i], row, count, record_size, data);
    }
  }
}

void LasPoints::add_returns(LasReturns& returns) const {
  const auto field = std::ranges::find(fields_, "return_number", &LasField::name) - fields_.begin();
  if (const Column* const column = columns_[static_cast<std::size_t>(field)]; column != nullptr) {
    for (const std::uint8_t number : std::get<std::vector<std::uint8_t>>(column->values)) {
      ++returns.at(std::min<std::size_t>(number, 15));
    }
  }
}

}  // namespace burnish::io
