#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "burnish/io.hpp"
#include "io/detect.hpp"
#include "io/formats.hpp"

namespace burnish {
namespace {

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending;
}

bool is_text_ending(const std::string& ending) { return ending == ".xyz" || ending == ".txt" || ending == ".asc"; }

}  // namespace

PointCloud read(const std::filesystem::path& path, const ExecutionContext& context) {
  io::BlockReader file(path, context);
  PointCloud cloud;
  switch (io::detect_format(file, ending_of(path))) {
    case io::Format::ply:
      cloud = io::read_ply(file);
      break;
    case io::Format::off:
      cloud = io::read_off(file);
      break;
    case io::Format::text:
      cloud = io::read_text(file);
      break;
  }
  context.report("reading", 1);
  return cloud;
}

void check_writable(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  if (!is_text_ending(ending) && ending != ".ply" && ending != ".csv") {
    throw Error(
        fmt::format("{}: cannot be written: {}; burnish writes .ply, .xyz, .txt, .asc and .csv files", path.string(),
                    ending.empty() ? "the name has no ending" : fmt::format("the ending {} is unknown", ending)));
  }
  static_cast<void>(io::file_to_write(path));
}

void write(const std::filesystem::path& path, const PointCloud& cloud, const ExecutionContext& context) {
  check_writable(path);
  const std::string ending = ending_of(path);
  io::BlockWriter file(path, context);
  if (ending == ".ply") {
    io::write_ply(file, cloud);
  } else {
    io::write_text(file, cloud, is_text_ending(ending) ? ' ' : ',');
  }
  file.finish();
}

}  // namespace burnish
