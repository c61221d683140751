#include "io/format_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "burnish/nearest_word.hpp"
#include "io/formats.hpp"

namespace burnish::io {
namespace {

std::unique_ptr<CloudWriter> blanks_writer(BlockWriter& file, const FileHeader& header) {
  return text_writer(file, header, ' ');
}

std::unique_ptr<CloudWriter> csv_writer(BlockWriter& file, const FileHeader& header) {
  return text_writer(file, header, ',');
}

template <PartsWriter open>
void write_as_one_part(BlockWriter& file, const PointCloud& cloud) {
  const std::unique_ptr<CloudWriter> writer = open(file, header_of(cloud));
  writer->write_part(cloud);
  writer->write_tail(cloud);
}

constexpr auto endings = std::to_array<OutputFormat>({
    {".ply", FormatCapabilities::ply, write_as_one_part<ply_writer>, ply_writer},
    {".pcd", FormatCapabilities::pcd, write_as_one_part<pcd_writer>, pcd_writer},
    {".las", FormatCapabilities::las, write_as_one_part<las_writer>, las_writer},
    {".laz", FormatCapabilities::las, write_as_one_part<laz_writer>, laz_writer},
    {".copc.laz", FormatCapabilities::las, write_copc},
    {".xyz", FormatCapabilities::text, write_as_one_part<blanks_writer>, blanks_writer},
    {".txt", FormatCapabilities::text, write_as_one_part<blanks_writer>, blanks_writer},
    {".asc", FormatCapabilities::text, write_as_one_part<blanks_writer>, blanks_writer},
    {".csv", FormatCapabilities::text, write_as_one_part<csv_writer>, csv_writer},
    {".e57", FormatCapabilities::e57, write_e57},
    {".pts", FormatCapabilities::pts, write_pts},
    {".ptx", FormatCapabilities::ptx, write_ptx},
    {".npy", FormatCapabilities::npy, write_npy},
    {".npz", FormatCapabilities::npy, write_npz},
    {".bin", FormatCapabilities::kitti, write_kitti},
    {".obj", FormatCapabilities::mesh, write_obj},
    {".off", FormatCapabilities::mesh, write_off},
    {".stl", FormatCapabilities::stl, write_stl},
});

}  // namespace

std::string ending_of(const std::filesystem::path& path) {
  constexpr std::string_view double_ending = ".copc.laz";
  std::string name = path.filename().string();
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name.ends_with(double_ending) ? std::string(double_ending) : std::filesystem::path(name).extension().string();
}

PartsReader parts_reader_of(Format format) {
  switch (format) {
    case Format::ply:
      return ply_parts;
    case Format::pcd:
      return pcd_parts;
    case Format::las:
      return las_parts;
    case Format::e57:
      return e57_parts;
    case Format::text:
      return text_parts;
    default:
      return nullptr;
  }
}

Reader reader_of(Format format) {
  switch (format) {
    case Format::ply:
      return read_ply;
    case Format::pcd:
      return read_pcd;
    case Format::las:
      return read_las;
    case Format::npy:
      return read_npy;
    case Format::npz:
      return read_npz;
    case Format::kitti:
      return read_kitti;
    case Format::obj:
      return read_obj;
    case Format::off:
      return read_off;
    case Format::stl:
      return read_stl;
    case Format::pts:
      return read_pts;
    case Format::ptx:
      return read_ptx;
    case Format::e57:
      return read_e57;
    case Format::text:
      break;
  }
  return read_text;
}

const OutputFormat& output_format_of(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  const auto found = std::ranges::find(endings, ending, &OutputFormat::ending);
  if (found == endings.end()) {
    std::vector<std::string> known;
    for (const OutputFormat& one : endings) {
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

}  // namespace burnish::io
