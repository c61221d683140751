#include <fmt/format.h>

#include <iostream>

#include "burnish/mesh.hpp"
#include "command.hpp"
#include "option_values.hpp"

namespace burnish::cli {
namespace {

constexpr std::string_view standard = "-";

/// The name whose ending is the format; of standard output, one that stands for it in messages.
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

void add_selection_options(CLI::App& command, Common& common) {
  command
      .add_option_function<std::string>(
          "--box",
          [&common](const std::string& text) {
            const Box box = parse_box(text);
            common.selection.low = box.low;
            common.selection.high = box.high;
          },
          "Only points in a box, given by two opposite corners (--box=… if the first number is negative). Of a COPC "
          "file only that part is read")
      ->type_name("X,Y,Z,X,Y,Z");
  command
      .add_option("--spacing", common.selection.spacing,
                  "COPC: only the levels down to this spacing (info shows the levels)")
      ->type_name("LENGTH")
      ->check(above_zero());
  command.add_option("--levels", common.selection.levels, "COPC: only this many levels of the octree, from its root")
      ->type_name("NUMBER")
      ->check(above_zero());
}

std::string counted(std::size_t count, const std::string& thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

PointCloud read_input(const std::string& path, const Common& common) {
  if (path == standard) {
    if (common.has_selection()) {
      throw CLI::ValidationError("--box, --spacing, --levels", "they take a file, not standard input");
    }
    return read(std::cin, "standard input", common.context);
  }
  return common.has_selection() ? read(path, common.selection, common.context) : read(path, common.context);
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

bool keeps_faces(const std::string& path, const Common& common) {
  PointCloud triangle = cloud_of({{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, {{0, 1, 2}}});
  static_cast<void>(fit_to_format(name_of_output(path, common), triangle));
  return !triangle.tables.empty();
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
