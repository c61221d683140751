#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "burnish/io.hpp"
#include "burnish/nearest_word.hpp"
#include "io/copc_read.hpp"
#include "io/detect.hpp"
#include "io/formats.hpp"
#include "io/holding.hpp"
#include "io/in_parts.hpp"
#include "io/las_layout.hpp"

namespace burnish {
namespace {

std::string ending_of(const std::filesystem::path& path) {
  constexpr std::string_view double_ending = ".copc.laz";
  std::string name = path.filename().string();
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name.ends_with(double_ending) ? std::string(double_ending) : std::filesystem::path(name).extension().string();
}

using Reader = PointCloud (*)(io::BlockReader&);
using Writer = void (*)(io::BlockWriter&, const PointCloud&);
using PartsReader = std::unique_ptr<io::CloudParts> (*)(io::BlockReader&);
using PartsWriter = std::unique_ptr<io::CloudWriter> (*)(io::BlockWriter&, const io::Whole&);

/// How a format is read in parts, or nullptr if it cannot be.
PartsReader parts_reader_of(io::Format format) {
  switch (format) {
    case io::Format::ply:
      return io::ply_parts;
    case io::Format::pcd:
      return io::pcd_parts;
    case io::Format::las:
      return io::las_parts;
    case io::Format::e57:
      return io::e57_parts;
    case io::Format::text:
      return io::text_parts;
    default:
      return nullptr;
  }
}

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
    case io::Format::e57:
      return io::read_e57;
    case io::Format::text:
      break;
  }
  return io::read_text;
}

std::unique_ptr<io::CloudWriter> blanks_writer(io::BlockWriter& file, const io::Whole& whole) {
  return io::text_writer(file, whole, ' ');
}

std::unique_ptr<io::CloudWriter> csv_writer(io::BlockWriter& file, const io::Whole& whole) {
  return io::text_writer(file, whole, ',');
}

template <PartsWriter open>
void write_as_one_part(io::BlockWriter& file, const PointCloud& cloud) {
  const std::unique_ptr<io::CloudWriter> writer = open(file, io::whole_of(cloud));
  writer->write_part(cloud);
  writer->write_tail(cloud);
}

struct Ending {
  std::string_view ending;
  io::Holding holding;
  Writer write;
  PartsWriter in_parts = nullptr;  ///< if that is possible
};

constexpr auto endings = std::to_array<Ending>({
    {".ply", io::Holding::ply, write_as_one_part<io::ply_writer>, io::ply_writer},
    {".pcd", io::Holding::pcd, write_as_one_part<io::pcd_writer>, io::pcd_writer},
    {".las", io::Holding::las, write_as_one_part<io::las_writer>, io::las_writer},
    {".laz", io::Holding::las, write_as_one_part<io::laz_writer>, io::laz_writer},
    {".copc.laz", io::Holding::las, io::write_copc},
    {".xyz", io::Holding::text, write_as_one_part<blanks_writer>, blanks_writer},
    {".txt", io::Holding::text, write_as_one_part<blanks_writer>, blanks_writer},
    {".asc", io::Holding::text, write_as_one_part<blanks_writer>, blanks_writer},
    {".csv", io::Holding::text, write_as_one_part<csv_writer>, csv_writer},
    {".e57", io::Holding::e57, io::write_e57},
    {".pts", io::Holding::pts, io::write_pts},
    {".ptx", io::Holding::ptx, io::write_ptx},
    {".npy", io::Holding::npy, io::write_npy},
    {".npz", io::Holding::npy, io::write_npz},
    {".bin", io::Holding::kitti, io::write_kitti},
    {".obj", io::Holding::mesh, io::write_obj},
    {".off", io::Holding::mesh, io::write_off},
    {".stl", io::Holding::stl, io::write_stl},
});

const Ending& find_ending(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  const auto found = std::ranges::find(endings, ending, &Ending::ending);
  if (found == endings.end()) {
    std::vector<std::string> known;
    for (const Ending& one : endings) {
      known.emplace_back(one.ending);
    }
    const std::string suggestion = did_you_mean(ending, known);
    throw Error(fmt::format("{}: cannot be written: {}{}{} {}", path.string(),
                            ending.empty() ? "the name has no ending" : fmt::format("the ending {} is unknown", ending),
                            suggestion, suggestion.empty() ? "; burnish writes" : " burnish writes",
                            fmt::join(known, ", ")));
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

PointCloud read(const std::filesystem::path& path, const Selection& selection, const ExecutionContext& context) {
  io::BlockReader file(path, context);
  const io::Format format = io::detect_format(file, ending_of(path));
  PointCloud cloud;
  std::optional<io::LasStart> start;
  if (format == io::Format::las) {
    start = io::read_las_start(file);
  }
  if (start && io::is_copc(*start)) {
    cloud = io::read_all(*io::copc_parts(file, std::move(*start), selection));
  } else {
    if (selection.has_levels()) {
      file.fail("is no COPC file, and only these have levels of different spacing");
    }
    file.seek(0);
    cloud = reader_of(format)(file);
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
  return io::detect_format(file, ending_of(path)) == io::Format::las ? io::copc_levels(file) : std::vector<Level>();
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

namespace io {

PointCloud read_all(CloudParts& parts) {
  PointCloud cloud = parts.next(parts.points());
  parts.read_tail(cloud);
  return cloud;
}

Whole whole_of(const PointCloud& cloud) {
  Whole whole;
  whole.points = cloud.size();
  for (const Vec3& p : cloud.positions) {
    if (is_finite(p)) {
      whole.box.extend(p);
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
    whole.tables.push_back(std::move(shape));
  }
  whole.has_trailer = cloud.format_data.contains(las::trailer_key);
  return whole;
}

std::string why_not_in_parts(const std::filesystem::path& input, const std::filesystem::path& output,
                             const ExecutionContext& context) {
  const Ending& ending = find_ending(output);
  BlockReader file(input, context);
  const Format format = detect_format(file, ending_of(input));
  const PartsReader open = parts_reader_of(format);
  if (open == nullptr) {
    return "is of a format that can only be read as a whole; PLY, PCD, LAS, LAZ, E57 and text can be read in parts";
  }
  if (ending.in_parts == nullptr) {
    return fmt::format(
        "is to become {}, which can only be written as a whole; .ply, .pcd, .las, .laz and text can be "
        "written in parts",
        ending.ending);
  }
  if (ending.holding == Holding::las && format != Format::las) {
    return "is not LAS: only from LAS and LAZ can these be written in parts; write .ply and convert that";
  }
  if (format == Format::text) {
    return "";
  }
  const std::unique_ptr<CloudParts> parts = open(file);
  if (parts->holds_all()) {
    return "is compressed: only uncompressed PCD can be read in parts";
  }
  if (ending.holding == Holding::pcd && parts->has_unequal_lists()) {
    return "has lists, and only all of it tells whether PCD can hold them; write .ply instead";
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

std::unique_ptr<CloudWriter> open_writer(const std::filesystem::path& path, BlockWriter& file, const Whole& whole) {
  const Ending& ending = find_ending(path);
  if (ending.in_parts == nullptr) {
    file.fail("cannot be written in parts");
  }
  return ending.in_parts(file, whole);
}

}  // namespace io
}  // namespace burnish
