#include "io/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "io/scalar.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {
namespace {

template <class Byte, class AnyColumn>
Byte* bytes_of(AnyColumn& column) {
  return std::visit([](auto& values) { return reinterpret_cast<Byte*>(values.data()); }, column.values);
}

}  // namespace

std::size_t RecordField::size() const { return count * scalar_size(type); }

std::size_t axis_of(const RecordField& field, const std::vector<RecordField>& before) {
  constexpr std::size_t none = 3;
  if (field.count != 1 || field.name.size() != 1) {
    return none;
  }
  const std::size_t lower = std::string_view("xyz").find(field.name[0]);
  const std::size_t upper = std::string_view("XYZ").find(field.name[0]);
  const std::size_t axis = std::min({lower, upper, none});
  return std::ranges::find(before, axis, &RecordField::axis) == before.end() ? axis : none;
}

ScalarType common_position_type(const std::vector<RecordField>& fields) {
  std::vector<ScalarType> types;
  for (const RecordField& field : fields) {
    if (field.axis < 3) {
      types.push_back(field.type);
    }
  }
  const bool same = std::ranges::all_of(types, [&](ScalarType type) { return type == types.front(); });
  return same && !types.empty() ? types.front() : ScalarType::float64;
}

Column make_column(std::string name, ScalarType type, std::size_t count, std::size_t rows) {
  Column column;
  column.name = std::move(name);
  column.values = make_values(type);
  std::visit([&](auto& values) { values.resize(rows * count); }, column.values);
  if (count != 1) {
    column.is_list = true;
    column.list_size_type = count <= 255 ? ScalarType::uint8 : ScalarType::uint32;
    column.list_ends.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      column.list_ends[row] = (row + 1) * count;
    }
  }
  return column;
}

void make_columns(std::vector<RecordField>& fields, std::size_t rows, PointCloud& cloud) {
  cloud.positions.resize(rows);
  for (RecordField& field : fields) {
    if (field.axis == 3) {
      field.attribute = cloud.attributes.size();
      cloud.attributes.push_back(make_column(field.name, field.type, field.count, rows));
    }
  }
}

void decode_field(const RecordField& field, const char* data, std::size_t stride, std::size_t row, std::size_t count,
                  bool swap, PointCloud& cloud) {
  if (field.axis < 3) {
    Strided<char> target = axis_values(cloud, field.axis);
    target.data += row * target.stride;
    copy_strided({data, stride, field.type}, target, count, swap);
    return;
  }
  const std::size_t size = scalar_size(field.type);
  char* const target = bytes_of<char>(cloud.attributes[field.attribute]) + row * field.size();
  for (std::size_t i = 0; i < field.count; ++i) {
    copy_strided({data + i * size, stride, field.type}, {target + i * size, field.size(), field.type}, count, swap);
  }
}

void read_records(BlockReader& file, const std::vector<RecordField>& fields, std::size_t record_size, bool swap,
                  PointCloud& cloud) {
  for (std::size_t row = 0; row < cloud.size();) {
    const std::string_view block = file.fill(record_size);
    const std::size_t count = std::min(block.size() / record_size, cloud.size() - row);
    if (count == 0) {
      file.fail(fmt::format("the file ends at byte {} inside point {} of {}", file.size(), row + 1, cloud.size()));
    }
    for (const RecordField& field : fields) {
      decode_field(field, block.data() + field.offset, record_size, row, count, swap, cloud);
    }
    file.skip(count * record_size);
    row += count;
  }
}

std::vector<RecordField> fields_of(const PointCloud& cloud) {
  // Denoised positions are no integers, whatever they were before.
  const ScalarType type = cloud.position_type == ScalarType::float32 ? ScalarType::float32 : ScalarType::float64;
  std::vector<RecordField> fields;
  std::size_t offset = 0;
  const auto add = [&](RecordField field) {
    field.offset = offset;
    offset += field.size();
    fields.push_back(std::move(field));
  };
  for (const std::size_t axis : {0U, 1U, 2U}) {
    add({std::string(1, "xyz"[axis]), type, 0, 1, axis});
  }
  for (const Column& column : cloud.attributes) {
    add({column.name, column.type(), 0, std::max<std::size_t>(1, values_a_row(column)), 3});
  }
  return fields;
}

void write_records(BlockWriter& file, const std::vector<RecordField>& fields, const PointCloud& cloud) {
  const std::size_t record_size = fields.back().offset + fields.back().size();
  const std::size_t rows_at_once = std::max<std::size_t>(1, BlockWriter::block_size / record_size);
  for (std::size_t row = 0; row < cloud.size();) {
    const std::size_t count = std::min(rows_at_once, cloud.size() - row);
    char* const record = file.room(count * record_size);
    std::size_t attribute = 0;
    for (const RecordField& field : fields) {
      char* const target = record + field.offset;
      if (field.axis < 3) {
        Strided<const char> source = axis_values(cloud, field.axis);
        source.data += row * source.stride;
        copy_strided(source, {target, record_size, field.type}, count, false);
        continue;
      }
      const std::size_t size = scalar_size(field.type);
      const char* const source = bytes_of<const char>(cloud.attributes[attribute++]);
      for (std::size_t i = 0; i < field.count; ++i) {
        copy_strided({source + row * field.size() + i * size, field.size(), field.type},
                     {target + i * size, record_size, field.type}, count, false);
      }
    }
    file.take(count * record_size);
    file.rows_done(count);
    row += count;
  }
}

std::size_t values_a_row(const Column& column) {
  if (!column.is_list) {
    return 1;
  }
  const std::size_t values = std::visit([](const auto& v) { return v.size(); }, column.values);
  const std::size_t count = column.list_ends.empty() ? 0 : column.list_ends.front();
  std::size_t expected = 0;
  for (const std::size_t end : column.list_ends) {
    expected += count;
    if (end != expected || end > values) {
      return 0;
    }
  }
  return count;
}

void check_record_columns(const BlockWriter& file, std::string_view format, const PointCloud& cloud) {
  for (const Column& column : cloud.attributes) {
    if (column.type() == ScalarType::text) {
      file.fail(fmt::format("{} cannot hold the text column {}; write .csv instead", format, excerpt(column.name)));
    }
    if (column.rows() != cloud.size()) {
      file.fail(fmt::format("column {} has {} rows, expected {}", excerpt(column.name), column.rows(), cloud.size()));
    }
    if (values_a_row(column) == 0 && cloud.size() > 0) {
      file.fail(fmt::format("{} cannot hold the list column {}, whose rows differ in length; write .ply instead",
                            format, excerpt(column.name)));
    }
  }
}

}  // namespace burnish::io
