#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "truth.hpp"

namespace burnish::cli {
namespace {

void evaluate(const std::string& path, const std::vector<std::string>& truths, const Common& common) {
  common.terminal.keep_moving();
  const PointCloud result = read_input(path, common);
  Json json = {{"result", path}, {"comparisons", Json::array()}};
  for (const std::string& name : truths) {
    const Truth truth = read_truth(name, common.context);
    const Measurement measured = measure(result.positions, truth, common.context);
    if (common.json) {
      Json entry = {
          {"truth", name}, {"kind", kind_of(truth)}, {"points", measured.points}, {"left_out", measured.left_out}};
      for (const NamedMetric& metric : measured.metrics) {
        entry[metric.name] = metric.value;
      }
      json["comparisons"].push_back(entry);
      continue;
    }
    fmt::print("{} against the {} {}, {}{}\n", path, kind_of(truth), name, counted(measured.points, "point"),
               measured.left_out > 0 ? fmt::format(" ({} not finite, left out)", measured.left_out) : "");
    for (const NamedMetric& metric : measured.metrics) {
      fmt::print("  {:<19}{:>12.6g}  {}\n", metric.name, metric.value, metric.meaning);
    }
  }
  if (common.json) {
    print_json(json);
  }
}

}  // namespace

void add_evaluate(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("evaluate", "Measure the error of a cloud");
  const auto path = std::make_shared<std::string>();
  const auto truths = std::make_shared<std::vector<std::string>>();
  command->add_option("RESULT", *path, "The cloud to measure")->required();
  command
      ->add_option("--truth", *truths,
                   "A clean cloud, a mesh, or the name of a synth shape; may be given more than once")
      ->required()
      ->type_name("CLOUD|MESH|SHAPE")
      ->allow_extra_args(false);
  add_common_options(*command, common, true);
  command->footer(
      "Examples:\n"
      "  burnish evaluate smooth.ply --truth clean.ply\n"
      "  burnish evaluate smooth.ply --truth clean.ply --truth mesh.off --json\n"
      "  burnish evaluate smooth.ply --truth part");
  command->callback([path, truths, &common] { evaluate(*path, *truths, common); });
}

}  // namespace burnish::cli
