#include "io/las_layout.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "io/records.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

constexpr std::array<std::size_t, 11> point_sizes = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

// The types of extra bytes, in the order of their numbers from 1.
constexpr std::array<ScalarType, 10> extra_types = {
    ScalarType::uint8, ScalarType::int8,   ScalarType::uint16, ScalarType::int16,   ScalarType::uint32,
    ScalarType::int32, ScalarType::uint64, ScalarType::int64,  ScalarType::float32, ScalarType::float64};

bool has_waves(unsigned format) { return format == 4 || format == 5 || format == 9 || format == 10; }
bool has_colours(unsigned format) {
  return format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10;
}

void add_old_start(std::vector<LasField>& fields, unsigned format) {
  using enum ScalarType;
  fields.insert(fields.end(), {{"intensity", uint16, 12, 1, 0, 0},
                               {"return_number", uint8, 14, 1, 0, 3},
                               {"number_of_returns", uint8, 14, 1, 3, 3},
                               {"scan_direction_flag", uint8, 14, 1, 6, 1},
                               {"edge_of_flight_line", uint8, 14, 1, 7, 1},
                               {"classification", uint8, 15, 1, 0, 5},
                               {"synthetic", uint8, 15, 1, 5, 1},
                               {"key_point", uint8, 15, 1, 6, 1},
                               {"withheld", uint8, 15, 1, 7, 1},
                               {"scan_angle_rank", int8, 16, 1, 0, 0},
                               {"user_data", uint8, 17, 1, 0, 0},
                               {"point_source_id", uint16, 18, 1, 0, 0}});
  if (format != 0 && format != 2) {
    fields.push_back({"gps_time", float64, 20, 1, 0, 0});
  }
}

void add_new_start(std::vector<LasField>& fields) {
  using enum ScalarType;
  fields.insert(fields.end(), {{"intensity", uint16, 12, 1, 0, 0},
                               {"return_number", uint8, 14, 1, 0, 4},
                               {"number_of_returns", uint8, 14, 1, 4, 4},
                               {"synthetic", uint8, 15, 1, 0, 1},
                               {"key_point", uint8, 15, 1, 1, 1},
                               {"withheld", uint8, 15, 1, 2, 1},
                               {"overlap", uint8, 15, 1, 3, 1},
                               {"scanner_channel", uint8, 15, 1, 4, 2},
                               {"scan_direction_flag", uint8, 15, 1, 6, 1},
                               {"edge_of_flight_line", uint8, 15, 1, 7, 1},
                               {"classification", uint8, 16, 1, 0, 0},
                               {"user_data", uint8, 17, 1, 0, 0},
                               {"scan_angle", int16, 18, 1, 0, 0},
                               {"point_source_id", uint16, 20, 1, 0, 0},
                               {"gps_time", float64, 22, 1, 0, 0}});
}

std::vector<LasField> standard_fields(unsigned format) {
  using enum ScalarType;
  std::vector<LasField> fields;
  if (format < 6) {
    add_old_start(fields, format);
  } else {
    add_new_start(fields);
  }
  std::size_t offset = fields.back().offset + scalar_size(fields.back().type);
  const auto add = [&](std::string name, ScalarType type) {
    fields.push_back({std::move(name), type, offset, 1, 0, 0});
    offset += scalar_size(type);
  };
  if (has_colours(format)) {
    add("red", uint16);
    add("green", uint16);
    add("blue", uint16);
  }
  if (format == 8 || format == 10) {
    add("nir", uint16);
  }
  if (has_waves(format)) {
    add("wavepacket_index", uint8);
    add("wavepacket_offset", uint64);
    add("wavepacket_size", uint32);
    add("return_point_wave_location", float32);
    add("x_t", float32);
    add("y_t", float32);
    add("z_t", float32);
  }
  return fields;
}

std::string_view text_at(std::string_view bytes, std::size_t place, std::size_t size) {
  const std::string_view text = bytes.substr(place, size);
  return text.substr(0, text.find('\0'));
}

bool is_extra_bytes(const LasRecord& record) { return record.user == "LASF_Spec" && record.id == las::extra_bytes_id; }

std::string descriptor_of(std::string_view name, unsigned type, std::size_t count) {
  std::string bytes(las::descriptor, '\0');
  put_little_endian(bytes, 2, static_cast<std::uint8_t>(type));
  put_little_endian(bytes, 3, static_cast<std::uint8_t>(type == 0 ? count : 0));
  constexpr std::size_t longest_name = 32;
  std::memcpy(bytes.data() + 4, name.data(), std::min(name.size(), longest_name));
  return bytes;
}

/// The descriptions of extra bytes, without those that do not fit into the records.
std::vector<LasField> described_fields(std::string_view header) {
  const unsigned format = little_endian<std::uint8_t>(header, las::point_format);
  const std::size_t record_size = little_endian<std::uint16_t>(header, las::record_size);
  std::vector<LasField> fields;
  std::size_t offset = las_point_size(format);
  for (const LasRecord& record : las_records(header)) {
    if (!is_extra_bytes(record)) {
      continue;
    }
    for (std::size_t i = 0; i + las::descriptor <= record.size; i += las::descriptor) {
      const std::string_view bytes = header.substr(record.begin + i, las::descriptor);
      const unsigned type = little_endian<std::uint8_t>(bytes, 2);
      LasField field;
      field.name = text_at(bytes, 4, 32);
      field.offset = offset;
      field.descriptor = record.begin + i;
      if (type == 0) {  // bytes whose meaning is not described
        field.count = little_endian<std::uint8_t>(bytes, 3);
      } else if (type <= 30) {  // ten types, of one value, two or three
        field.type = extra_types[(type - 1) % extra_types.size()];
        field.count = 1 + (type - 1) / extra_types.size();
      } else {
        return fields;
      }
      offset += field.count * scalar_size(field.type);
      if (offset > record_size) {
        return fields;
      }
      if (field.count > 0) {
        fields.push_back(std::move(field));
      }
    }
    return fields;  // there is one such record
  }
  return fields;
}

}  // namespace

std::vector<LasRecord> las_records(std::string_view header) {
  std::vector<LasRecord> records;
  std::size_t at = little_endian<std::uint16_t>(header, las::header_size);
  const auto count = little_endian<std::uint32_t>(header, las::record_count);
  for (std::uint32_t i = 0; i < count && at + las::record_head <= header.size(); ++i) {
    LasRecord record;
    record.user = text_at(header, at + 2, 16);
    record.id = little_endian<std::uint16_t>(header, at + 18);
    record.begin = at + las::record_head;
    record.size = little_endian<std::uint16_t>(header, at + 20);
    if (record.size > header.size() - record.begin) {
      break;
    }
    at = record.begin + record.size;
    records.push_back(record);
  }
  return records;
}

std::string las_record(std::string_view user, std::uint16_t id, std::string_view content) {
  std::string record(las::record_head + content.size(), '\0');
  std::ranges::copy(user, record.begin() + 2);
  put_little_endian(record, 18, id);
  put_little_endian(record, 20, static_cast<std::uint16_t>(content.size()));
  std::ranges::copy(content, record.begin() + las::record_head);
  return record;
}

std::size_t las_point_size(unsigned format) { return point_sizes.at(format); }

std::vector<LasField> las_layout(std::string_view header) {
  const unsigned format = little_endian<std::uint8_t>(header, las::point_format);
  std::vector<LasField> fields = standard_fields(format);
  std::size_t used = las_point_size(format);
  for (LasField& field : described_fields(header)) {
    used = field.offset + field.count * scalar_size(field.type);
    fields.push_back(std::move(field));
  }
  const std::size_t record_size = little_endian<std::uint16_t>(header, las::record_size);
  if (used < record_size) {
    fields.push_back({"extra_bytes", ScalarType::uint8, used, record_size - used, 0, 0});
  }
  // Names others gave may be those of a standard field, a coordinate or each other.
  std::set<std::string> names = {"x", "y", "z"};
  for (LasField& field : fields) {
    const std::string name = field.name.empty() ? "extra" : field.name;
    field.name = name;
    for (int i = 2; !names.insert(field.name).second; ++i) {
      field.name = name + "_" + std::to_string(i);
    }
  }
  return fields;
}

std::optional<unsigned> las_extra_type(const Column& column) {
  const std::size_t count = values_a_row(column);
  if (column.type() == ScalarType::text || count == 0 || count > 255) {
    return std::nullopt;
  }
  if (count > 3) {
    return column.type() == ScalarType::uint8 ? std::optional(0U) : std::nullopt;
  }
  const auto index = std::ranges::find(extra_types, column.type()) - extra_types.begin();
  return static_cast<unsigned>(1 + static_cast<std::size_t>(index) + (count - 1) * extra_types.size());
}

bool add_las_extra_bytes(std::string& header, const std::vector<const Column*>& columns) {
  std::string descriptors;
  std::size_t record_size = little_endian<std::uint16_t>(header, las::record_size);
  for (const LasField& field : las_layout(header)) {
    if (field.descriptor > 0) {
      descriptors += header.substr(field.descriptor, las::descriptor);
    } else if (field.offset >= las_point_size(little_endian<std::uint8_t>(header, las::point_format))) {
      if (field.count > 255) {
        return false;
      }
      descriptors += descriptor_of(field.name, 0, field.count);
    }
  }
  for (const Column* column : columns) {
    descriptors += descriptor_of(column->name, las_extra_type(*column).value(), values_a_row(*column));
    record_size += values_a_row(*column) * scalar_size(column->type());
  }
  constexpr std::size_t largest = 65535;  // of a record's content, and of a point record
  if (descriptors.size() > largest || record_size > largest) {
    return false;
  }
  std::size_t end = little_endian<std::uint16_t>(header, las::header_size);
  std::size_t begin = 0;
  for (const LasRecord& record : las_records(header)) {
    end = record.begin + record.size;
    if (begin == 0 && is_extra_bytes(record)) {
      put_little_endian(header, record.begin - las::record_head + 20, static_cast<std::uint16_t>(descriptors.size()));
      header.replace(record.begin, record.size, descriptors);
      begin = record.begin;
      break;
    }
  }
  if (begin == 0) {
    header.insert(end, las_record("LASF_Spec", las::extra_bytes_id, descriptors));
    put_little_endian(header, las::record_count, little_endian<std::uint32_t>(header, las::record_count) + 1);
  }
  put_little_endian(header, las::points_offset, static_cast<std::uint32_t>(header.size()));
  put_little_endian(header, las::record_size, static_cast<std::uint16_t>(record_size));
  return true;
}

}  // namespace burnish::io
