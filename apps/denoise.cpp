#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apart.hpp"
#include "command.hpp"
#include "methods.hpp"

namespace burnish::cli {
namespace {

struct Options {
  std::string input;
  std::string output;
  std::string method;  ///< empty: auto, unless a parameter of GLR is given
  MethodOptions parameters;
};

/// The method named, or the one that the parameters belong to.
const Method& chosen_method(const Options& options) {
  if (!options.method.empty()) {
    return find_method(options.method);
  }
  const Method& glr = find_method("glr");
  const bool glr_asked = std::ranges::any_of(
      options.parameters, [&](const auto& given) { return glr.find_option(given.first) != nullptr; });
  return glr_asked ? glr : find_method("auto");
}

void denoise(const Options& options, const Common& common) {
  const Method& method = chosen_method(options);
  const PreparedMethod run = method.prepare(options.parameters);
  check_output(options.output, common);
  PointCloud cloud = read_input(options.input, common);
  const CostMeter meter;
  MethodResult result = run(cloud.positions, normals_of(cloud), common.context);
  const Cost cost = meter.cost();
  cloud.positions = std::move(result.positions);
  write_output(options.output, cloud, common);

  if (common.json) {
    Json json = {{"input", options.input},         {"output", options.output}, {"points", cloud.size()},
                 {"method", method.name},          {"seconds", cost.seconds},  {"cpu_seconds", cost.cpu_seconds},
                 {"peak_memory", cost.peak_memory}};
    json.update(to_json(result.diagnostics));
    print_json(json);
  } else {
    common.terminal.tell(fmt::format("{}: {} points in {:.1f} s by {}; {}", options.output, cloud.size(), cost.seconds,
                                     method.name, result.summary));
  }
}

}  // namespace

void add_denoise(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("denoise", "Take the noise out of a cloud");
  const auto options = std::make_shared<Options>();
  command->add_option("IN", options->input, "The noisy cloud")->required();
  command->add_option("OUT", options->output, "Where to write the result: same points, same order, all attributes")
      ->required();
  command->add_option("--method", options->method, describe_methods())
      ->type_name(fmt::format("{}", fmt::join(method_names(), "|")))
      ->check(CLI::IsMember(method_names()).description(""));
  add_method_options(*command, options->parameters);
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "Examples:\n"
      "  burnish denoise scan.ply smooth.ply\n"
      "  burnish denoise scan.ply smooth.ply --strength 0.7         take out less\n"
      "  burnish denoise noisy.ply out.ply --preset authors --noise-level 0.02 --json");
  command->callback([options, &common] { denoise(*options, common); });
}

}  // namespace burnish::cli
