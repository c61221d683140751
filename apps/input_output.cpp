#include <fmt/format.h>

#include <iostream>

#include "burnish/io.hpp"
#include "command.hpp"

namespace burnish::cli {
namespace {

constexpr std::string_view standard = "-";

/// The name that tells the format; of standard output, one that stands for it in messages.
std::string name_of_output(const std::string& path, const Common& common) {
  return path == standard ? "standard output." + common.format : path;
}

}  // namespace

void add_format_option(CLI::App& command, Common& common) {
  command
      .add_option("--format", common.format,
                  "Format of standard output, where OUT is -: an ending such as las, xyz or ply (the default)")
      ->type_name("ENDING");
}

PointCloud read_input(const std::string& path, const Common& common) {
  return path == standard ? read(std::cin, "standard input", common.context) : read(path, common.context);
}

void check_output(const std::string& path, const Common& common) {
  if (path == standard && common.json) {
    throw CLI::ValidationError("--json", "standard output cannot hold both the cloud and a JSON object");
  }
  check_writable(name_of_output(path, common));
}

void check_output(const std::string& path, const PointCloud& cloud, const Common& common) {
  check_writable(name_of_output(path, common), cloud);
}

bool keeps_rows(const std::string& path, const Common& common) {
  PointCloud pixel;
  pixel.positions.emplace_back(1, 1, 1);
  pixel.width = pixel.height = 1;
  static_cast<void>(fit_to_format(name_of_output(path, common), pixel));
  return pixel.height > 0;
}

std::vector<std::string> write_output(const std::string& path, PointCloud& cloud, const Common& common) {
  const std::string name = name_of_output(path, common);
  std::vector<std::string> left_out = fit_to_format(name, cloud);
  if (path == standard) {
    write(std::cout, name, cloud, common.context);
  } else {
    write(path, cloud, common.context);
  }
  for (const std::string& what : left_out) {
    common.terminal.warn(fmt::format("{}: left out, because the format cannot hold it: {}", path, what));
  }
  return left_out;
}

}  // namespace burnish::cli
