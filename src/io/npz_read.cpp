#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/formats.hpp"
#include "io/npy.hpp"
#include "io/zip.hpp"

// Several NumPy arrays in a ZIP archive, each a member with its name and the ending .npy.

namespace burnish::io {
namespace {

struct Array {
  ZipMember member;
  std::string name;
};

bool holds_points(const NpyHeader& header) {
  if (header.is_structured) {
    return std::ranges::count_if(header.fields, [](const RecordField& field) { return field.axis < 3; }) == 3;
  }
  return (header.shape.size() == 2 || header.shape.size() == 3) && header.shape.back() >= 3;
}

bool is_column_of(const NpyHeader& header, std::size_t rows) {
  constexpr std::uint64_t most_values = 65535;  // in a row
  return !header.is_structured && (header.shape.size() == 1 || header.shape.size() == 2) && header.shape[0] == rows &&
         (header.shape.size() == 1 || (header.shape[1] > 0 && header.shape[1] <= most_values));
}

/// Which array holds the points: the usual names first, then the order of the archive.
std::size_t rank(const std::string& name) {
  constexpr auto usual = std::to_array<std::string_view>(
      {"points", "xyz", "positions", "pos", "coords", "vertices", "point_cloud", "pointcloud", "arr_0"});
  return static_cast<std::size_t>(std::ranges::find(usual, name) - usual.begin());
}

/// The header of a member, or nothing if it is no array of numbers: archives hold texts and settings too.
std::optional<NpyHeader> header_of(BlockReader& array) {
  try {
    return read_npy_header(array);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

PointCloud read_npz(BlockReader& file) {
  std::vector<Array> arrays;
  for (ZipMember& member : zip_members(file)) {
    constexpr std::string_view ending = ".npy";
    if (member.name.ends_with(ending)) {
      const std::string name = member.name.substr(0, member.name.size() - ending.size());
      arrays.push_back({std::move(member), name});
    }
  }
  if (arrays.empty()) {
    file.fail("is a ZIP archive without NumPy arrays, or cut off; burnish reads no other archives");
  }
  std::ranges::stable_sort(arrays, {}, [](const Array& array) { return rank(array.name); });
  std::optional<PointCloud> cloud;
  std::size_t points = 0;
  for (; points < arrays.size() && !cloud; ++points) {
    BlockReader array(file.path(), read_zip_member(file, arrays[points].member), file.context());
    if (const auto header = header_of(array); header && holds_points(*header)) {
      cloud = read_npy_points(array, *header);
    }
  }
  if (!cloud) {
    file.fail("no array of the NumPy archive holds points, N × 3 or more values or records with x, y and z");
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (i + 1 == points) {
      continue;
    }
    BlockReader array(file.path(), read_zip_member(file, arrays[i].member), file.context());
    const auto header = header_of(array);
    if (header && is_column_of(*header, cloud->size()) && cloud->find_attribute(arrays[i].name) == nullptr) {
      cloud->attributes.push_back(read_npy_column(array, *header, arrays[i].name));
    }
  }
  return std::move(*cloud);
}

}  // namespace burnish::io
