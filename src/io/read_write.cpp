#include <fmt/format.h>

#include <istream>
#include <optional>
#include <string>
#include <utility>

#include "burnish/io.hpp"
#include "io/copc_read.hpp"
#include "io/format_table.hpp"
#include "io/las_start.hpp"

namespace burnish {

PointCloud read(const std::filesystem::path& path, const ExecutionContext& context) {
  io::BlockReader file(path, context);
  PointCloud cloud = io::reader_of(io::detect_format(file, io::ending_of(path)))(file);
  context.report("reading", 1);
  return cloud;
}

PointCloud read(const std::filesystem::path& path, const Selection& selection, const ExecutionContext& context) {
  io::BlockReader file(path, context);
  const io::Format format = io::detect_format(file, io::ending_of(path));
  PointCloud cloud;
  std::optional<io::LasStart> start;
  if (format == io::Format::las) {
    start = io::read_las_start(file);
  }
  if (start && io::is_copc(*start)) {
    cloud = io::read_all(*io::copc_parts(file, std::move(*start), selection));
  } else {
    if (selection.has_levels()) {
      file.fail("is not a COPC file; only these have levels of different spacing");
    }
    file.seek(0);
    cloud = io::reader_of(format)(file);
  }
  if (selection.has_box()) {
    std::vector<bool> keep;
    for (const Vec3& p : cloud.positions) {
      keep.push_back((p.array() >= selection.low.array()).all() && (p.array() <= selection.high.array()).all());
    }
    keep_points(cloud, keep);
  }
  context.report("reading", 1);
  return cloud;
}

std::vector<Level> levels_of(const std::filesystem::path& path, const ExecutionContext& context) {
  io::BlockReader file(path, context);
  return io::detect_format(file, io::ending_of(path)) == io::Format::las ? io::copc_levels(file) : std::vector<Level>();
}

PointCloud read(std::istream& stream, const std::filesystem::path& name, const ExecutionContext& context) {
  constexpr std::size_t part = std::size_t{1} << 20;
  std::vector<char> content;
  while (stream) {
    context.report("reading", 0);
    const std::size_t before = content.size();
    content.resize(before + part);
    stream.read(content.data() + before, static_cast<std::streamsize>(part));
    content.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  context.report("reading", 0);  // what stopped the reading may be the wish to stop
  if (!stream.eof()) {
    throw Error(fmt::format("{}: cannot be read", name.string()));
  }
  io::BlockReader file(name, std::move(content), context);
  PointCloud cloud = io::reader_of(io::detect_format(file, io::ending_of(name)))(file);
  context.report("reading", 1);
  return cloud;
}

void check_writable(const std::filesystem::path& path) {
  static_cast<void>(io::output_format_of(path));
  check_file_writable(path);
}

void check_writable(const std::filesystem::path& path, const PointCloud& cloud) {
  if (const std::string reason = io::why_not_held(io::output_format_of(path).capabilities, cloud); !reason.empty()) {
    throw Error(fmt::format("{}: cannot be written: {}", path.string(), reason));
  }
}

std::vector<std::string> fit_to_format(const std::filesystem::path& path, PointCloud& cloud) {
  return io::leave_out_what_cannot_be_held(io::output_format_of(path).capabilities, cloud);
}

void write(const std::filesystem::path& path, const PointCloud& cloud, const ExecutionContext& context) {
  check_writable(path);
  check_writable(path, cloud);
  io::BlockWriter file(path, context);
  io::output_format_of(path).write(file, cloud);
  file.finish();
}

void write(std::ostream& stream, const std::filesystem::path& name, const PointCloud& cloud,
           const ExecutionContext& context) {
  check_writable(name, cloud);
  io::BlockWriter file(stream, name, context);
  io::output_format_of(name).write(file, cloud);
  file.finish();
}

std::string read_file(const std::filesystem::path& path) {
  const ExecutionContext context;
  io::BlockReader file(path, context);
  return std::string(file.fill(static_cast<std::size_t>(file.size())));
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  const ExecutionContext context;
  io::BlockWriter file(path, context);
  file.append(bytes);
  file.finish();
}

void check_file_writable(const std::filesystem::path& path) { static_cast<void>(io::file_to_write(path)); }

}  // namespace burnish
