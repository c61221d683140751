#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <istream>
#include <string>
#include <utility>

#include "burnish/io.hpp"
#include "io/detect.hpp"
#include "io/formats.hpp"
#include "io/holding.hpp"

namespace burnish {
namespace {

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending;
}

using Reader = PointCloud (*)(io::BlockReader&);
using Writer = void (*)(io::BlockWriter&, const PointCloud&);

Reader reader_of(io::Format format) {
  switch (format) {
    case io::Format::ply:
      return io::read_ply;
    case io::Format::pcd:
      return io::read_pcd;
    case io::Format::las:
      return io::read_las;
    case io::Format::npy:
      return io::read_npy;
    case io::Format::npz:
      return io::read_npz;
    case io::Format::kitti:
      return io::read_kitti;
    case io::Format::obj:
      return io::read_obj;
    case io::Format::off:
      return io::read_off;
    case io::Format::stl:
      return io::read_stl;
    case io::Format::pts:
      return io::read_pts;
    case io::Format::ptx:
      return io::read_ptx;
    case io::Format::text:
      break;
  }
  return io::read_text;
}

void write_blanks(io::BlockWriter& file, const PointCloud& cloud) { io::write_text(file, cloud, ' '); }
void write_csv(io::BlockWriter& file, const PointCloud& cloud) { io::write_text(file, cloud, ','); }

struct Ending {
  std::string_view ending;
  Writer write;
  io::Holding holding;
};

constexpr auto endings = std::to_array<Ending>({
    {".ply", io::write_ply, io::Holding::ply},
    {".pcd", io::write_pcd, io::Holding::pcd},
    {".las", io::write_las, io::Holding::las},
    {".xyz", write_blanks, io::Holding::text},
    {".txt", write_blanks, io::Holding::text},
    {".asc", write_blanks, io::Holding::text},
    {".csv", write_csv, io::Holding::text},
    {".pts", io::write_pts, io::Holding::pts},
    {".ptx", io::write_ptx, io::Holding::ptx},
    {".npy", io::write_npy, io::Holding::npy},
    {".npz", io::write_npz, io::Holding::npy},
    {".bin", io::write_kitti, io::Holding::kitti},
    {".obj", io::write_obj, io::Holding::mesh},
    {".off", io::write_off, io::Holding::mesh},
    {".stl", io::write_stl, io::Holding::stl},
});

const Ending& find_ending(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  const auto found = std::ranges::find(endings, ending, &Ending::ending);
  if (found == endings.end()) {
    std::string known;
    for (const Ending& one : endings) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", one.ending);
    }
    throw Error(fmt::format("{}: cannot be written: {}; burnish writes {}", path.string(),
                            ending.empty() ? "the name has no ending" : fmt::format("the ending {} is unknown", ending),
                            known));
  }
  return *found;
}

}  // namespace

PointCloud read(const std::filesystem::path& path, const ExecutionContext& context) {
  io::BlockReader file(path, context);
  PointCloud cloud = reader_of(io::detect_format(file, ending_of(path)))(file);
  context.report("reading", 1);
  return cloud;
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
  PointCloud cloud = reader_of(io::detect_format(file, ending_of(name)))(file);
  context.report("reading", 1);
  return cloud;
}

void check_writable(const std::filesystem::path& path) {
  static_cast<void>(find_ending(path));
  check_file_writable(path);
}

void check_writable(const std::filesystem::path& path, const PointCloud& cloud) {
  if (const std::string reason = io::why_not_held(find_ending(path).holding, cloud); !reason.empty()) {
    throw Error(fmt::format("{}: cannot be written: {}", path.string(), reason));
  }
}

std::vector<std::string> fit_to_format(const std::filesystem::path& path, PointCloud& cloud) {
  return io::leave_out_what_cannot_be_held(find_ending(path).holding, cloud);
}

void write(const std::filesystem::path& path, const PointCloud& cloud, const ExecutionContext& context) {
  check_writable(path);
  check_writable(path, cloud);
  io::BlockWriter file(path, context);
  find_ending(path).write(file, cloud);
  file.finish();
}

void write(std::ostream& stream, const std::filesystem::path& name, const PointCloud& cloud,
           const ExecutionContext& context) {
  check_writable(name, cloud);
  io::BlockWriter file(stream, name, context);
  find_ending(name).write(file, cloud);
  file.finish();
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  const ExecutionContext context;
  io::BlockWriter file(path, context);
  file.append(bytes);
  file.finish();
}

void check_file_writable(const std::filesystem::path& path) { static_cast<void>(io::file_to_write(path)); }

}  // namespace burnish
