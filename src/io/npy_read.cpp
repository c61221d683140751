#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "io/formats.hpp"
#include "io/npy.hpp"
#include "io/scalar.hpp"
#include "io/text_layout.hpp"

namespace burnish::io {
namespace {

float float_of_half(std::uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int fraction = half & 1023;
  const float sign = (half & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) {
    return fraction == 0 ? sign * INFINITY : NAN;
  }
  return sign * (exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                               : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25));
}

/// Reads `count` items one after the other; `use` gets their bytes, in 32 bits if they have 16 in the file, and how
/// many they are.
template <class Use>
void read_items(BlockReader& file, const NpyHeader& header, std::size_t item_size, std::uint64_t count, Use&& use) {
  std::vector<float> wide;
  while (count > 0) {
    const std::string_view block = file.fill(item_size);
    const std::size_t part = std::min<std::uint64_t>(block.size() / item_size, count);
    if (part == 0) {
      file.fail(fmt::format("the file ends at byte {} inside its values", file.offset()));
    }
    if (header.is_half) {
      wide.resize(part * item_size / 2);
      for (std::size_t i = 0; i < wide.size(); ++i) {
        std::uint16_t half = 0;
        std::memcpy(&half, block.data() + 2 * i, sizeof half);
        wide[i] = float_of_half(header.swap ? static_cast<std::uint16_t>(half << 8 | half >> 8) : half);
      }
      use(reinterpret_cast<const char*>(wide.data()), part);
    } else {
      use(block.data(), part);
    }
    file.skip(part * item_size);
    count -= part;
  }
}

/// Reads the values of fields that make up one item, or one row of an array, into the cloud.
void read_values(BlockReader& file, const NpyHeader& header, const std::vector<RecordField>& fields,
                 PointCloud& cloud) {
  const bool swap = header.swap && !header.is_half;
  const bool by_column = header.is_column_major && !header.is_structured;
  std::size_t row = 0;
  if (!by_column) {
    std::size_t size = header.item_size;
    std::size_t stride = header.item_size;
    if (!header.is_structured) {
      size = header.shape.size() < 2 ? size : size * header.shape.back();
      stride = header.is_half ? 2 * size : size;
    }
    read_items(file, header, size, cloud.size(), [&](const char* data, std::size_t count) {
      for (const RecordField& field : fields) {
        decode_field(field, data + field.offset, stride, row, count, swap, cloud);
      }
      row += count;
    });
    return;
  }
  const std::size_t stride = header.is_half ? 4 : header.item_size;
  for (const RecordField& field : fields) {
    row = 0;
    read_items(file, header, header.item_size, cloud.size(), [&](const char* data, std::size_t count) {
      decode_field(field, data, stride, row, count, swap, cloud);
      row += count;
    });
  }
}

void set_shape(const NpyHeader& header, std::size_t without, PointCloud& cloud) {
  if (header.shape.size() == without + 2 && !header.is_column_major) {
    cloud.height = header.shape[0];
    cloud.width = header.shape[1];
  }
}

std::string shape_of(const NpyHeader& header) { return fmt::format("{}", fmt::join(header.shape, " × ")); }

}  // namespace

PointCloud read_npy_points(BlockReader& file, const NpyHeader& header) {
  PointCloud cloud;
  std::vector<RecordField> fields = header.fields;
  std::size_t rows = header.rows(0);
  if (header.is_structured) {
    for (const std::size_t axis : {0U, 1U, 2U}) {
      if (std::ranges::count(fields, axis, &RecordField::axis) != 1) {
        file.fail(fmt::format("the NumPy array has not one field {}, so its points have no position", "xyz"[axis]));
      }
    }
    if (header.shape.size() > 2 || (header.shape.size() == 2 && header.is_column_major)) {
      file.fail(fmt::format("the NumPy array of {} records is not a row of points", shape_of(header)));
    }
    set_shape(header, 0, cloud);
  } else {
    constexpr std::uint64_t most_columns = 256;  // more are not columns of points
    const bool is_table = header.shape.size() == 2 || (header.shape.size() == 3 && !header.is_column_major);
    if (!is_table || header.shape.back() < 3 || header.shape.back() > most_columns) {
      file.fail(fmt::format("the NumPy array of {} values is no array of N × 3 or more, one row per point",
                            shape_of(header)));
    }
    const ScalarType type = fields.front().type;
    rows = header.rows(1);
    fields.clear();
    for (std::size_t i = 0; i < header.shape.back(); ++i) {
      fields.push_back({default_column_name(i), type, i * scalar_size(type), 1, std::min<std::size_t>(i, 3)});
    }
    set_shape(header, 1, cloud);
  }
  cloud.position_type = common_position_type(fields);
  make_columns(fields, rows, cloud);
  read_values(file, header, fields, cloud);
  return cloud;
}

Column read_npy_column(BlockReader& file, const NpyHeader& header, std::string name) {
  PointCloud cloud;
  const ScalarType type = header.fields.front().type;
  const std::size_t count = header.shape.size() == 2 ? header.shape[1] : 1;
  std::vector<RecordField> fields = {{std::move(name), type, 0, count, 3}};
  make_columns(fields, header.shape[0], cloud);
  if (!header.is_column_major || count == 1) {
    read_values(file, header, fields, cloud);
    return std::move(cloud.attributes.front());
  }
  // Column by column, each into its place in the rows of the list.
  std::vector<RecordField> parts;
  PointCloud columns;
  for (std::size_t i = 0; i < count; ++i) {
    parts.push_back({"", type, 0, 1, 3});
  }
  make_columns(parts, header.shape[0], columns);
  read_values(file, header, parts, columns);
  Column& list = cloud.attributes.front();
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          values[i] = std::get<std::vector<T>>(columns.attributes[i % count].values)[i / count];
        }
      },
      list.values);
  return std::move(list);
}

PointCloud read_npy(BlockReader& file) { return read_npy_points(file, read_npy_header(file)); }

}  // namespace burnish::io
