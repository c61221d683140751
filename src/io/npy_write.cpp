#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "io/formats.hpp"
#include "io/npy.hpp"
#include "io/records.hpp"
#include "io/scalar.hpp"
#include "io/text_layout.hpp"

namespace burnish::io {
namespace {

/// True if the cloud is one plain array: values of one type, whose names say nothing.
bool is_plain(const PointCloud& cloud, const std::vector<RecordField>& fields) {
  for (std::size_t i = 0; i < cloud.attributes.size(); ++i) {
    const RecordField& field = fields[i + 3];
    if (field.type != fields[0].type || field.count != 1 || field.name != default_column_name(i + 3)) {
      return false;
    }
  }
  return true;
}

std::string description_of(const BlockWriter& file, const std::vector<RecordField>& fields) {
  std::set<std::string> names;
  std::string text = "[";
  for (const RecordField& field : fields) {
    if (!names.insert(npy_name(field.name)).second) {
      file.fail(fmt::format("NumPy cannot hold two columns {}", excerpt(npy_name(field.name))));
    }
    text += fmt::format("('{}', '{}'{}), ", npy_name(field.name), npy_type_name(field.type),
                        field.count == 1 ? "" : fmt::format(", ({},)", field.count));
  }
  return text + "]";
}

}  // namespace

std::string npy_head(const std::string& type, const std::string& shape) {
  std::string text = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}), }}", type, shape);
  // Version 1 has two bytes for the length of the text, version 2 four. The values start at a multiple of 64 bytes.
  const bool is_long = text.size() > 65000;
  const std::size_t head = is_long ? 12 : 10;
  text.append(63 - (head + text.size()) % 64, ' ');
  text += '\n';
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string result = "\x93NUMPY";
  result += is_long ? std::string_view("\2\0", 2) : std::string_view("\1\0", 2);
  result.append(reinterpret_cast<const char*>(&size), is_long ? 4U : 2U);
  return result + text;
}

std::string npy_type_name(ScalarType type) {
  const char kind = is_float(type) ? 'f' : static_cast<int>(type) % 2 == 0 ? 'i' : 'u';  // they alternate in ScalarType
  return fmt::format("{}{}{}", scalar_size(type) == 1 ? '|' : '<', kind, scalar_size(type));
}

std::string npy_name(const std::string& name) {
  std::string plain = name.empty() ? "unnamed" : name;
  std::ranges::replace_if(
      plain,
      [](unsigned char c) {
        return c < ' ' || c > '~' || std::string_view("'\"\\/").find(c) != std::string_view::npos;
      },
      '_');
  return plain;
}

std::string npy_shape(const PointCloud& cloud) {
  const bool is_organised = cloud.height > 0 && cloud.size() == cloud.width * cloud.height;
  return is_organised ? fmt::format("{}, {},", cloud.height, cloud.width) : fmt::format("{},", cloud.size());
}

void write_npy(BlockWriter& file, const PointCloud& cloud) {
  check_record_columns(file, "NumPy", cloud);
  const std::vector<RecordField> fields = fields_of(cloud);
  const bool plain = is_plain(cloud, fields);
  const std::string type = plain ? fmt::format("'{}'", npy_type_name(fields[0].type)) : description_of(file, fields);
  file.append(npy_head(type, plain ? fmt::format("{} {}", npy_shape(cloud), fields.size()) : npy_shape(cloud)));
  file.expect_rows(cloud.size());
  write_records(file, fields, cloud);
}

}  // namespace burnish::io
