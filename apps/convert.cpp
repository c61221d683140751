#include <fmt/format.h>

#include <memory>

#include "command.hpp"

namespace burnish::cli {
namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
};

void convert(const ConvertOptions& options, const Common& common) {
  common.terminal.keep_moving();
  check_output(options.output, common);
  PointCloud cloud = read_input(options.input, common);
  const std::vector<std::string> left_out = write_output(options.output, cloud, common);
  if (common.json) {
    print_json({{"input", options.input},
                {"output", options.output},
                {"points", cloud.size()},
                {"attributes", cloud.attributes.size()},
                {"left_out", left_out}});
  } else {
    common.terminal.report(fmt::format("{}: {} with {}", options.output, counted(cloud.size(), "point"),
                                       counted(cloud.attributes.size(), "attribute")));
  }
}

}  // namespace

void add_convert(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("convert", "Write a cloud or mesh in another format");
  const auto options = std::make_shared<ConvertOptions>();
  command->add_option("IN", options->input, "Any file burnish reads; its format is found from its content")->required();
  command->add_option("OUT", options->output, "Where to write it; its ending names the format")->required();
  add_selection_options(*command, common);
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "Formats: .ply .pcd .las .laz .copc.laz .e57 .xyz .txt .asc .csv .pts .ptx .npy .npz .bin (KITTI) .obj .off .stl "
      "(only with "
      "triangles)\n"
      "What the format of OUT cannot hold is left out, and named on standard error.\n"
      "\n"
      "Examples:\n"
      "  burnish convert scan.las scan.pcd\n"
      "  burnish convert survey.laz survey.copc.laz\n"
      "  burnish convert survey.copc.laz overview.ply --spacing 2\n"
      "  burnish convert survey.copc.laz overview.ply --levels 3\n"
      "  burnish convert - - --format csv < scan.ply > scan.csv");
  command->callback([options, &common] { convert(*options, common); });
}

}  // namespace burnish::cli
