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
  CLI::App* command = app.add_subcommand("convert", "Convert a cloud or mesh to another format");
  const auto options = std::make_shared<ConvertOptions>();
  command->add_option("IN", options->input, "A file in any format, which is detected from its content")->required();
  command->add_option("OUT", options->output, "The output; its ending selects the format")->required();
  add_selection_options(*command, common);
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "Formats: .ply .pcd .las .laz .copc.laz .e57 .xyz .txt .asc .csv .pts .ptx .npy .npz .bin (KITTI) .obj .off .stl "
      "(only with "
      "triangles)\n"
      "What the format of OUT cannot hold is left out and listed on standard error.\n"
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
