#include "burnish/noise.hpp"

#include <fmt/format.h>

#include <memory>

#include "command.hpp"

namespace burnish::cli {
namespace {

struct Options {
  std::string input;
  std::string output;
  NoiseSettings settings;
};

void noise(const Options& options, const Common& common) {
  check_output(options.output, common);
  NoisyCloud noisy = add_noise(read_input(options.input, common), options.settings, common.context);
  write_output(options.output, noisy.cloud, common);
  if (common.json) {
    print_json({{"input", options.input},
                {"output", options.output},
                {"points", noisy.cloud.size()},
                {"standard_deviation", noisy.standard_deviation},
                {"outliers", noisy.outliers},
                {"seed", options.settings.seed}});
  } else {
    common.terminal.tell(fmt::format("{}: {} points moved by noise of standard deviation {:.6g}{}", options.output,
                                     noisy.cloud.size(), noisy.standard_deviation,
                                     noisy.outliers > 0 ? fmt::format(", {} thrown far off", noisy.outliers) : ""));
  }
}

}  // namespace

void add_noise(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("noise", "Add noise to a clean cloud");
  const auto options = std::make_shared<Options>();
  NoiseSettings& settings = options->settings;
  command->add_option("IN", options->input, "The clean cloud")->required();
  command->add_option("OUT", options->output, "Where to write the noisy one")->required();
  command->add_option("--sigma", settings.sigma, "Standard deviation of each coordinate, times the scale")
      ->type_name("S")
      ->required();
  add_choice<NoiseScale>(
      *command, "--scale",
      {{"diameter", NoiseScale::diameter},
       {"sqrt-diameter", NoiseScale::sqrt_diameter},
       {"sphere", NoiseScale::sphere},
       {"absolute", NoiseScale::absolute}},
      [&settings](NoiseScale scale) { settings.scale = scale; },
      "What sigma is a multiple of: the diameter (the default; what the GLR paper says), its square root (what the "
      "paper's tables use), the bounding-sphere radius (PU-Net), or the unit of the file");
  add_choice<NoiseKind>(
      *command, "--kind",
      {{"gaussian", NoiseKind::gaussian}, {"laplacian", NoiseKind::laplacian}, {"uniform", NoiseKind::uniform}},
      [&settings](NoiseKind kind) { settings.kind = kind; }, "Distribution (default: gaussian)");
  command->add_option("--outliers", settings.outliers, "Part of the points thrown anywhere into the bounding box")
      ->type_name("X");
  command->add_option("--seed", settings.seed, "Another seed, another noise (default: 1)")->type_name("N");
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "Examples:\n"
      "  burnish noise clean.ply noisy.ply --sigma 0.005\n"
      "  burnish noise clean.ply noisy.ply --sigma 0.01 --scale sphere --outliers 0.02");
  command->callback([options, &common] { noise(*options, common); });
}

}  // namespace burnish::cli
