#include <fmt/format.h>

#include <memory>

#include "burnish/shapes.hpp"
#include "command.hpp"

namespace burnish::cli {
namespace {

struct SynthOptions {
  std::string shape;
  std::string output;
  std::size_t points = 50000;
  std::uint64_t seed = 1;
  bool at_random = false;
};

void synth(const SynthOptions& options, const Common& common) {
  common.terminal.keep_moving();
  check_output(options.output, common);
  const auto shape = make_shape(options.shape);
  PointCloud cloud;
  cloud.positions = options.at_random ? shape->sample_at_random(options.points, options.seed, common.context)
                                      : shape->sample(options.points, options.seed, common.context);
  cloud.comments.push_back(fmt::format("burnish synth {} --points {} --seed {}{}", options.shape, options.points,
                                       options.seed, options.at_random ? " --random" : ""));
  write_output(options.output, cloud, common);
  common.terminal.report(
      fmt::format("{}: {} on the shape {}", options.output, counted(cloud.size(), "point"), options.shape));
}

}  // namespace

void add_synth(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("synth", "Generate a clean cloud of an exactly known shape");
  const auto options = std::make_shared<SynthOptions>();
  const auto names = shape_names();
  command->add_option("SHAPE", options->shape, "The shape")
      ->required()
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->transform(one_of({names.begin(), names.end()}));
  command->add_option("OUT", options->output, "The output")->required();
  command->add_option("--points", options->points, "Number of points (default: 50000)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000000}).description(""));
  command->add_option("--seed", options->seed, "Seed of the random numbers (default: 1)")->type_name("N");
  command->add_flag("--random", options->at_random,
                    "Draw points independently, with clumps and gaps, instead of evenly");
  add_format_option(*command, common);
  add_common_options(*command, common, false);
  command->footer(
      "The shapes are about one unit in size: sphere, torus, cube, a machined part (sharp edges, fillets,\n"
      "a thin fin, holes) and an organic body. burnish evaluate RESULT --truth SHAPE measures against them.\n"
      "\n"
      "Examples:\n"
      "  burnish synth part clean.ply\n"
      "  burnish synth sphere sphere.xyz --points 2000 --random");
  command->callback([options, &common] { synth(*options, common); });
}

}  // namespace burnish::cli
