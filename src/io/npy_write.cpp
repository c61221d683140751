#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "io/formats.hpp"
#include "io/records.hpp"
#include "io/scalar.hpp"
#include "io/text_layout.hpp"

namespace burnish::io {
namespace {

std::string type_name(ScalarType type) {
  const char kind = is_float(type) ? 'f' : static_cast<int>(type) % 2 == 0 ? 'i' : 'u';  // they alternate in ScalarType
  return fmt::format("{}{}{}", scalar_size(type) == 1 ? '|' : '<', kind, scalar_size(type));
}

/// A name as a Python text: other signs than the plainest would have to be escaped.
std::string word_of(const std::string& name) {
  std::string word = name.empty() ? "unnamed" : name;
  std::ranges::replace_if(
      word, [](unsigned char c) { return c < ' ' || c > '~' || c == '\'' || c == '"' || c == '\\'; }, '_');
  return word;
}

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
    if (!names.insert(word_of(field.name)).second) {
      file.fail(fmt::format("NumPy cannot hold two columns {}", excerpt(word_of(field.name))));
    }
    text += fmt::format("('{}', '{}'{}), ", word_of(field.name), type_name(field.type),
                        field.count == 1 ? "" : fmt::format(", ({},)", field.count));
  }
  return text + "]";
}

}  // namespace

void write_npy(BlockWriter& file, const PointCloud& cloud) {
  check_record_columns(file, "NumPy", cloud);
  const std::vector<RecordField> fields = fields_of(cloud);
  const bool plain = is_plain(cloud, fields);
  const bool is_organised = cloud.height > 0 && cloud.size() == cloud.width * cloud.height;
  std::string shape =
      is_organised ? fmt::format("{}, {}", cloud.height, cloud.width) : fmt::format("{},", cloud.size());
  if (plain) {
    shape += fmt::format("{}{}", is_organised ? ", " : " ", fields.size());
  }
  std::string text =
      fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}), }}",
                  plain ? fmt::format("'{}'", type_name(fields[0].type)) : description_of(file, fields), shape);
  // Version 1 has two bytes for the length of the text, version 2 four. The values start at a multiple of 64 bytes.
  const bool is_long = text.size() > 65000;
  const std::size_t head = is_long ? 12 : 10;
  text.append(63 - (head + text.size()) % 64, ' ');
  text += '\n';
  const auto size = static_cast<std::uint32_t>(text.size());
  file.append("\x93NUMPY");
  file.append(is_long ? std::string_view("\2\0", 2) : std::string_view("\1\0", 2));
  file.append({reinterpret_cast<const char*>(&size), is_long ? 4U : 2U});
  file.append(text);
  file.expect_rows(cloud.size());
  write_records(file, fields, cloud);
}

}  // namespace burnish::io
