#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "apart.hpp"
#include "burnish/io.hpp"
#include "command.hpp"
#include "methods.hpp"

namespace burnish::cli {
namespace {

struct Options {
  std::string input;
  std::string output;
  std::string method;  ///< empty: auto, unless a parameter of GLR is given
  MethodOptions parameters;
  bool remove_outliers = false;
  std::string index_map;  ///< file for the rows of the input that are left
};

/// False for the outliers that a method has found.
std::vector<bool> points_to_keep(std::size_t points, const std::vector<Diagnostic>& diagnostics) {
  std::vector<bool> keep(points, true);
  const auto found = std::ranges::find(diagnostics, "outliers", &Diagnostic::name);
  if (found != diagnostics.end()) {
    for (const std::uint32_t i : std::get<std::vector<std::uint32_t>>(found->value)) {
      keep[i] = false;
    }
  }
  return keep;
}

/// One line for each point that stays.
std::string index_map(const std::vector<bool>& keep) {
  std::string lines;
  for (std::size_t row = 0; row < keep.size(); ++row) {
    if (keep[row]) {
      fmt::format_to(std::back_inserter(lines), "{}\n", row);
    }
  }
  return lines;
}

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
  if (options.remove_outliers && method.name != "auto") {
    throw WrongOption(
        fmt::format("--remove-outliers is for --method auto: {} does not look for outliers", method.name));
  }
  check_output(options.output, common);
  if (!options.index_map.empty()) {
    if (CLI::detail::to_lower(std::filesystem::path(options.output).extension()) == ".stl") {
      throw WrongOption("--index-map: the points of an STL file have no order");
    }
    check_file_writable(options.index_map);
  }
  PointCloud cloud = read_input(options.input, common);
  check_output(options.output, cloud, common);
  const CostMeter meter;
  MethodResult result = run(cloud.positions, normals_of(cloud), common.context);
  const Cost cost = meter.cost();
  cloud.positions = std::move(result.positions);
  const std::size_t points = cloud.size();
  std::vector<bool> keep;
  std::vector<bool> finite;
  if (options.remove_outliers) {
    keep = points_to_keep(points, result.diagnostics);
    for (std::size_t i = 0; i < points; ++i) {
      finite.push_back(keep[i] && is_finite(cloud.positions[i]));
    }
    keep_points(cloud, keep);
  }
  const std::size_t points_left = cloud.size();
  write_output(options.output, cloud, common);
  if (!options.index_map.empty()) {
    // LAS cannot hold points that are not finite.
    write_file(options.index_map, index_map(cloud.size() == points_left ? keep : finite));
  }
  for (const std::string& warning : result.warnings) {
    common.terminal.warn(fmt::format("{}: {}", options.output, warning));
  }

  if (common.json) {
    Json json = {{"input", options.input},         {"output", options.output}, {"points", points},
                 {"method", method.name},          {"seconds", cost.seconds},  {"cpu_seconds", cost.cpu_seconds},
                 {"peak_memory", cost.peak_memory}};
    json.update(to_json(result.diagnostics));
    json["warnings"] = result.warnings;
    if (options.remove_outliers) {
      json["points_left"] = cloud.size();
    }
    print_json(json);
  } else {
    common.terminal.tell(fmt::format(
        "{}: {} points in {:.1f} s by {}; {}{}", options.output, points, cost.seconds, method.name, result.summary,
        options.remove_outliers ? fmt::format("; {} outliers removed", points - points_left) : ""));
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
  CLI::Option* remove = command->add_flag("--remove-outliers", options->remove_outliers,
                                          "auto: leave out points that belong to no surface (default: they stay)");
  command->add_option("--index-map", options->index_map, "Where to write, a line a point, which row of IN it was")
      ->type_name("FILE")
      ->needs(remove);
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
