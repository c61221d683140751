#include <fmt/format.h>

#include <memory>

#include "burnish/mesh_sampling.hpp"
#include "command.hpp"

namespace burnish::cli {
namespace {

struct SampleOptions {
  std::string mesh;
  std::string output;
  std::size_t points = 30000;
  std::uint64_t seed = 1;
  bool poisson_disk = false;
};

void sample(const SampleOptions& options, const Common& common) {
  common.terminal.keep_moving();
  check_output(options.output, common);
  const TriangleMesh mesh = mesh_of(read_input(options.mesh, common));
  if (mesh.triangles.empty()) {
    throw Error(options.mesh + ": has no faces; points are sampled from a mesh");
  }
  PointCloud cloud;
  double radius = 0.0;
  if (options.poisson_disk) {
    PoissonDiskSample sample = sample_poisson_disk(mesh, options.points, options.seed, common.context);
    cloud.positions = std::move(sample.positions);
    radius = sample.radius;
  } else {
    cloud.positions = sample_uniformly(mesh, options.points, options.seed, common.context);
  }
  cloud.comments.push_back(fmt::format("burnish sample {} --points {} --seed {}{}", options.mesh, options.points,
                                       options.seed, options.poisson_disk ? " --poisson-disk" : ""));
  write_output(options.output, cloud, common);
  if (common.json) {
    Json json = {{"mesh", options.mesh}, {"output", options.output}, {"points", cloud.size()}, {"seed", options.seed}};
    if (options.poisson_disk) {
      json["radius"] = radius;
    }
    print_json(json);
  } else {
    common.terminal.report(
        fmt::format("{}: {}{}", options.output, counted(cloud.size(), "point"),
                    options.poisson_disk ? fmt::format(", none nearer to each other than {:.4g}", radius) : ""));
  }
}

}  // namespace

void add_sample(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("sample", "Sample points from a mesh");
  const auto options = std::make_shared<SampleOptions>();
  command->add_option("MESH", options->mesh, "A mesh")->required();
  command->add_option("OUT", options->output, "Where to write the points")->required();
  command->add_option("--points", options->points, "Number of points (default: 30000)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000000}).description(""));
  command->add_flag(
      "--poisson-disk", options->poisson_disk,
      "Evenly spread: no two points nearer than a distance that is chosen to give about N points (within 1 %)");
  command->add_option("--seed", options->seed, "Seed of the random numbers (default: 1)")->type_name("N");
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "Without --poisson-disk points are drawn independently and uniformly, with clumps and gaps.\n"
      "\n"
      "Examples:\n"
      "  burnish sample mesh.off points.ply --points 5000\n"
      "  burnish sample mesh.off points.ply --points 5000 --poisson-disk");
  command->callback([options, &common] { sample(*options, common); });
}

}  // namespace burnish::cli
