#include "io/in_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "io/format_table.hpp"
#include "io/las_layout.hpp"

namespace burnish::io {

PointCloud read_all(CloudParts& parts) {
  PointCloud cloud = parts.next(parts.points());
  parts.read_tail(cloud);
  return cloud;
}

FileHeader header_of(const PointCloud& cloud) {
  FileHeader header;
  header.points = cloud.size();
  for (const Vec3& p : cloud.positions) {
    if (is_finite(p)) {
      header.box.extend(p);
    }
  }
  for (const Table& table : cloud.tables) {
    Table shape{table.name, table.rows, {}};
    for (const Column& column : table.columns) {
      Column empty;
      empty.name = column.name;
      empty.is_list = column.is_list;
      empty.list_size_type = column.list_size_type;
      std::visit([&]<class T>(const std::vector<T>&) { empty.values = std::vector<T>(); }, column.values);
      shape.columns.push_back(std::move(empty));
    }
    header.tables.push_back(std::move(shape));
  }
  header.has_trailer = cloud.format_data.contains(las::trailer_key);
  return header;
}

std::string why_not_in_parts(const std::filesystem::path& input, const std::filesystem::path& output,
                             const ExecutionContext& context) {
  const OutputFormat& ending = output_format_of(output);
  BlockReader file(input, context);
  const Format format = detect_format(file, ending_of(input));
  const PartsReader open = parts_reader_of(format);
  if (open == nullptr) {
    return "is of a format that can only be read as a whole; PLY, PCD, LAS, LAZ, E57 and text can be read in parts";
  }
  if (ending.in_parts == nullptr) {
    return fmt::format(
        "is to be written as {}, which can only be written as a whole; .ply, .pcd, .las, .laz and text can be "
        "written in parts",
        ending.ending);
  }
  if (ending.capabilities == FormatCapabilities::las && format != Format::las) {
    return "is not LAS: only from LAS and LAZ can these be written in parts; write .ply and convert that";
  }
  if (format == Format::text) {
    return "";
  }
  const std::unique_ptr<CloudParts> parts = open(file);
  if (parts->holds_all()) {
    return "is compressed: only uncompressed PCD can be read in parts";
  }
  if (ending.capabilities == FormatCapabilities::pcd && parts->has_unequal_lists()) {
    return "has lists, and whether PCD can hold them is known only after reading all of it; write .ply instead";
  }
  return "";
}

CloudSize size_of_cloud(const std::filesystem::path& path) {
  const ExecutionContext silent;
  BlockReader file(path, silent);
  const Format format = detect_format(file, ending_of(path));
  if (format == Format::ply || format == Format::pcd || format == Format::las || format == Format::e57) {
    const std::unique_ptr<CloudParts> parts = parts_reader_of(format)(file);
    return {parts->points(), std::max(file.size(), parts->decompressed_bytes())};
  }
  if (format == Format::text || format == Format::pts) {
    constexpr std::size_t enough = 65536;
    const std::string_view head = file.fill(enough);
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(head, '\n')) + 1;
    return {file.size() / std::max<std::uint64_t>(1, head.size() / lines), file.size()};
  }
  constexpr std::uint64_t least_bytes_of_point = 12;  // three floats
  return {file.size() / least_bytes_of_point, file.size()};
}

PartsFile::PartsFile(const std::filesystem::path& path, const ExecutionContext& context) : file_(path, context) {
  const PartsReader open = parts_reader_of(detect_format(file_, ending_of(path)));
  if (open == nullptr) {
    file_.fail("cannot be read in parts");
  }
  parts_ = open(file_);
}

std::unique_ptr<CloudWriter> open_writer(const std::filesystem::path& path, BlockWriter& file,
                                         const FileHeader& header) {
  const OutputFormat& ending = output_format_of(path);
  if (ending.in_parts == nullptr) {
    file.fail("cannot be written in parts");
  }
  return ending.in_parts(file, header);
}

}  // namespace burnish::io
