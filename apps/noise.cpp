#include "burnish/noise.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>

#include "burnish/sampling.hpp"
#include "command.hpp"

namespace burnish::cli {
namespace {

struct NoiseOptions {
  std::string input;
  std::string output;
  std::optional<double> sigma;
  NoiseUnit unit = NoiseUnit::absolute;
  std::vector<std::string> model;
  std::uint64_t seed = 1;
};

NoiseModel model_of(const NoiseOptions& options) {
  std::optional<NoiseLength> sigma;
  if (options.sigma) {
    sigma = NoiseLength(*options.sigma, options.unit);
  }
  if (options.model.empty() && !sigma) {
    throw CLI::ValidationError("--sigma", "say how much noise: --sigma S, or --model KIND:OPTION=VALUE…");
  }
  NoiseModel model;
  try {
    for (const std::string& step : options.model.empty() ? std::vector<std::string>{"gaussian"} : options.model) {
      model.push_back(parse_noise(step, sigma, options.unit));
    }
  } catch (const Error& error) {
    throw CLI::ValidationError(options.model.empty() ? "--sigma" : "--model", error.what());
  }
  return model;
}

void noise(const NoiseOptions& options, const Common& common) {
  common.terminal.keep_moving();
  const NoiseModel model = model_of(options);
  check_output(options.output, common);
  NoisyCloud noisy = add_noise(read_input(options.input, common), model, options.seed, common.context);
  write_output(options.output, noisy.cloud, common);
  if (common.json) {
    print_json({{"input", options.input},
                {"output", options.output},
                {"points", noisy.cloud.size()},
                {"standard_deviation", noisy.standard_deviation},
                {"outliers", noisy.outliers.size()},
                {"seed", options.seed}});
  } else {
    common.terminal.report(
        fmt::format("{}: {} with noise of standard deviation {:.6g} per coordinate{}", options.output,
                    counted(noisy.cloud.size(), "point"), noisy.standard_deviation,
                    noisy.outliers.empty() ? "" : fmt::format(", {} outliers", noisy.outliers.size())));
  }
}

/// The kinds of noise and their options, for --help.
std::string describe_kinds() {
  std::string text = "Kinds of noise:\n";
  for (const NoiseKind& kind : noise_kinds()) {
    text += fmt::format("  {:<16} {}\n", kind.name, kind.meaning);
  }
  text +=
      "\nTheir options (a LENGTH is a number, in the unit of the file or that of --unit, or with its own unit, "
      "0.5spacing):\n";
  std::set<std::string> described;
  for (const NoiseKind& kind : noise_kinds()) {
    for (const NoiseOption& option : kind.options) {
      if (described.insert(option.name).second) {
        text += fmt::format("  {:<40} {}\n", fmt::format("{}={}", option.name, option.type), option.meaning);
      }
    }
  }
  return text;
}

}  // namespace

void add_noise(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("noise", "Add simulated sensor noise to a clean cloud");
  const auto options = std::make_shared<NoiseOptions>();
  command->add_option("IN", options->input, "The clean cloud")->required();
  command->add_option("OUT", options->output, "The noisy cloud")->required();
  command
      ->add_option("--sigma", options->sigma,
                   "Standard deviation of the noise, in the unit of the file unless --unit is given")
      ->type_name("S");
  add_choice<NoiseUnit>(
      *command, "--unit",
      [] {
        Choices<NoiseUnit> units;
        for (const std::string& name : noise_unit_names()) {
          units.emplace_back(name, noise_unit(name));
        }
        return units;
      }(),
      [options](NoiseUnit unit) { options->unit = unit; },
      "Unit of --sigma, and of lengths in --model without a unit: absolute, the unit of the file (default); the "
      "spacing "
      "of the points; the diameter of the cloud (the GLR paper's text); its square root (the paper's tables); the "
      "bounding-sphere radius (PU-Net)");
  command
      ->add_option("--model", options->model,
                   "Kind of noise and its options. If given several times, applied one after the other (default: "
                   "gaussian)")
      ->type_name("KIND[:OPTION=VALUE…]")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "Seed of the random numbers (default: 1)")->type_name("N");
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      describe_kinds() +
      "\n"
      "Examples:\n"
      "  burnish noise clean.ply noisy.ply --sigma 0.005                   5 mm, if the file is in metres\n"
      "  burnish noise clean.ply noisy.ply --sigma 0.5 --unit spacing      half the distance of neighbouring points\n"
      "  burnish noise clean.ply noisy.ply --sigma 0.5 --unit spacing --model student-t:degrees=4\n"
      "A tenth of the points with five times the noise, then 5 % outliers:\n"
      "  burnish noise clean.ply noisy.ply --model gaussian:sigma=0.01 --model gaussian:sigma=0.05:share=0.1 "
      "--model outliers:share=0.05\n"
      "A depth camera at 0,0,3: noise along its rays that grows with the square of the distance, then quantised "
      "depth:\n"
      "  burnish noise clean.ply noisy.ply --model gaussian:sigma=0.002:along=sight:growth=quadratic:viewpoint=0,0,3 "
      "--model quantise-depth:step=0.005:viewpoint=0,0,3\n"
      "\n"
      "docs/noise.md shows a picture of each.");
  command->callback([options, &common] { noise(*options, common); });
}

}  // namespace burnish::cli
