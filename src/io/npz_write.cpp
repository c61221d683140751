#include <fmt/format.h>
#include <zlib.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats.hpp"
#include "io/npy.hpp"
#include "io/records.hpp"

// The points as array "points", every attribute as an array of its own name, in a ZIP archive without compression, as
// numpy.savez makes it. Sizes are in the fields of 64 bits, whether they need them or not: so there is one way only.

namespace burnish::io {
namespace {

/// An array: the bytes of the .npy file it would be.
struct Array {
  std::string name;
  std::string head;
  std::string_view values;
};

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string_view bytes_of(const Column& column) {
  return std::visit(
      []<class T>(const std::vector<T>& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
      },
      column.values);
}

std::uint32_t checksum(const Array& array) {
  const auto add = [](uLong sum, std::string_view bytes) {
    return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  };
  return static_cast<std::uint32_t>(add(add(0, array.head), array.values));
}

/// Appends a member, and its entry to the directory; `offset` is where it begins.
void append_member(BlockWriter& file, const Array& array, std::uint64_t offset, std::string& directory) {
  constexpr std::uint16_t version = 45;  // with fields of 64 bits
  constexpr std::uint16_t wide = 1;      // the kind of a field that holds them
  constexpr std::uint32_t in_wide_field = 0xFFFFFFFF;
  const std::uint64_t size = array.head.size() + array.values.size();
  const std::string name = array.name + ".npy";
  // Flags, method (stored), time and date (1 January 1980), checksum, sizes, length of the name.
  const std::string common = raw(std::uint16_t{0}) + raw(std::uint16_t{0}) + raw(std::uint16_t{0}) +
                             raw(std::uint16_t{0x21}) + raw(checksum(array)) + raw(in_wide_field) + raw(in_wide_field) +
                             raw(static_cast<std::uint16_t>(name.size()));
  const std::string sizes = raw(size) + raw(size);
  file.append("PK\3\4" + raw(version) + common + raw(std::uint16_t{20}) + name);
  file.append(raw(wide) + raw(std::uint16_t{16}) + sizes);
  file.append(array.head);
  file.append(array.values);
  // Length of the further field, of the comment; disk, two kinds of attributes, where the member begins.
  directory += "PK\1\2" + raw(version) + raw(version) + common + raw(std::uint16_t{28}) + raw(std::uint16_t{0}) +
               raw(std::uint16_t{0}) + raw(std::uint16_t{0}) + raw(std::uint32_t{0}) + raw(in_wide_field) + name;
  directory += raw(wide) + raw(std::uint16_t{24}) + sizes + raw(offset);
}

/// Appends the directory and the record that says where it is.
void append_directory(BlockWriter& file, const std::string& directory, std::uint64_t members, std::uint64_t offset) {
  file.append(directory);
  const std::uint64_t size = directory.size();
  file.append("PK\6\6" + raw(std::uint64_t{44}) + raw(std::uint16_t{45}) + raw(std::uint16_t{45}) +
              raw(std::uint32_t{0}) + raw(std::uint32_t{0}) + raw(members) + raw(members) + raw(size) + raw(offset));
  file.append("PK\6\7" + raw(std::uint32_t{0}) + raw(offset + size) + raw(std::uint32_t{1}));
  file.append("PK\5\6" + raw(std::uint32_t{0}) + raw(std::uint16_t{0xFFFF}) + raw(std::uint16_t{0xFFFF}) +
              raw(std::uint32_t{0xFFFFFFFF}) + raw(std::uint32_t{0xFFFFFFFF}) + raw(std::uint16_t{0}));
}

}  // namespace

void write_npz(BlockWriter& file, const PointCloud& cloud) {
  check_record_columns(file, "NumPy", cloud);
  const std::vector<RecordField> fields = fields_of(cloud);
  std::vector<float> single;
  if (fields[0].type == ScalarType::float32) {
    single.reserve(3 * cloud.size());
    for (const Vec3& p : cloud.positions) {
      for (const double coordinate : p) {
        single.push_back(static_cast<float>(coordinate));
      }
    }
  }
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const std::string_view points =
      fields[0].type == ScalarType::float32
          ? std::string_view(reinterpret_cast<const char*>(single.data()), single.size() * sizeof(float))
          : std::string_view(reinterpret_cast<const char*>(cloud.positions.data()), cloud.size() * sizeof(Vec3));
  const auto type = [](ScalarType scalar) { return fmt::format("'{}'", npy_type_name(scalar)); };
  std::vector<Array> arrays{{"points", npy_head(type(fields[0].type), npy_shape(cloud) + " 3"), points}};
  for (std::size_t i = 0; i < cloud.attributes.size(); ++i) {
    const Column& column = cloud.attributes[i];
    const std::string count = column.is_list ? fmt::format(" {}", fields[i + 3].count) : "";
    arrays.push_back({npy_name(column.name), npy_head(type(column.type()), fmt::format("{},{}", cloud.size(), count)),
                      bytes_of(column)});
  }
  std::set<std::string> names;
  std::string directory;
  std::uint64_t offset = 0;
  for (const Array& array : arrays) {
    if (!names.insert(array.name).second) {
      file.fail(fmt::format("NumPy cannot hold two arrays {}", excerpt(array.name)));
    }
    append_member(file, array, offset, directory);
    constexpr std::uint64_t fixed = 30 + 20;  // beside name, head and values
    offset += fixed + array.name.size() + 4 + array.head.size() + array.values.size();
  }
  append_directory(file, directory, arrays.size(), offset);
}

}  // namespace burnish::io
