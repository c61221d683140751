#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "apart.hpp"
#include "burnish/io.hpp"
#include "burnish/tiles.hpp"
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
  std::string memory;     ///< empty: what the machine has
  std::string scratch;
  bool resume = false;

  [[nodiscard]] std::uint64_t memory_limit() const {
    return memory.empty() ? burnish::memory_limit() : parse_memory(memory);
  }
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

void check_options(const Options& options, const Method& method) {
  if (method.name == "auto") {
    return;
  }
  if (options.remove_outliers) {
    throw WrongOption(
        fmt::format("--remove-outliers is for --method auto: {} does not look for outliers", method.name));
  }
  if (!options.memory.empty() || !options.scratch.empty() || options.resume) {
    throw WrongOption(fmt::format(
        "--memory, --scratch and --resume are for --method auto: {} needs the whole cloud in memory", method.name));
  }
}

TilingSettings tiling_settings(const Options& options) {
  TilingSettings settings;
  const auto number = [&](const char* name, double& value) {
    if (const auto given = options.parameters.find(name); given != options.parameters.end()) {
      value = std::stod(given->second);
    }
  };
  number("noise", settings.denoise.noise);
  number("strength", settings.denoise.strength);
  settings.memory = options.memory_limit();
  settings.scratch = options.scratch;
  settings.resume = options.resume;
  return settings;
}

std::string in_megabytes(std::uint64_t bytes) { return fmt::format("{} MB", bytes >> 20U); }

[[noreturn]] void fail_for_memory(const Options& options, std::uint64_t needed, const std::string& why) {
  throw Error(fmt::format("{}: denoising it takes some {} of memory, more than the {} it may take, and it {}",
                          options.input, in_megabytes(needed), in_megabytes(options.memory_limit()), why));
}

/// Whether a cloud is denoised in tiles: if it does not fit into memory otherwise.
bool uses_tiles(const Options& options, const Common& common) {
  if (options.input == "-" || options.output == "-") {
    return false;
  }
  if (options.resume && has_unfinished_run(options.output, tiling_settings(options))) {
    return true;
  }
  const std::uint64_t needed = memory_to_denoise(std::filesystem::path(options.input), common.context);
  if (needed <= options.memory_limit()) {
    return false;
  }
  const std::string why = options.remove_outliers ? "must be in memory as a whole for --remove-outliers"
                                                  : why_not_in_tiles(options.input, options.output);
  if (why.empty()) {
    return true;
  }
  if (!options.memory.empty()) {
    fail_for_memory(options, needed, why);
  }
  common.terminal.warn(fmt::format("{}: may take {} of memory, and it {}", options.input, in_megabytes(needed), why));
  return false;
}

void denoise_tiled(const Options& options, const Common& common) {
  const TilingSettings settings = tiling_settings(options);
  const CostMeter meter;
  TilingResult result;
  try {
    result = denoise_in_tiles(options.input, options.output, settings, common.context);
  } catch (const Cancelled&) {
    if (has_unfinished_run(options.output, settings)) {
      common.terminal.warn("the tiles that are finished are kept; the same command with --resume goes on from there");
    }
    throw;
  }
  const Cost cost = meter.cost();
  for (const std::string& warning : result.warnings) {
    common.terminal.warn(fmt::format("{}: {}", options.output, warning));
  }
  const MethodResult told = describe(std::move(result.found));
  if (common.json) {
    Json json = {{"input", options.input},           {"output", options.output},
                 {"points", result.points},          {"method", "auto"},
                 {"seconds", cost.seconds},          {"cpu_seconds", cost.cpu_seconds},
                 {"peak_memory", cost.peak_memory},  {"tiles", result.tiles},
                 {"tiles_found", result.tiles_found}};
    json.update(to_json(told.diagnostics));
    json.erase("outliers");  // tiles do not tell which they are
    json["warnings"] = result.warnings;
    print_json(json);
  } else {
    common.terminal.tell(
        fmt::format("{}: {} points in {:.1f} s by auto, in {} tiles{}; {}", options.output, result.points, cost.seconds,
                    result.tiles, result.tiles_found > 0 ? fmt::format(", {} of them found", result.tiles_found) : "",
                    told.summary));
  }
}

void denoise(const Options& options, const Common& common) {
  const Method& method = chosen_method(options);
  const PreparedMethod run = method.prepare(options.parameters);
  check_options(options, method);
  check_output(options.output, common);
  if (!options.index_map.empty()) {
    if (CLI::detail::to_lower(std::filesystem::path(options.output).extension()) == ".stl") {
      throw WrongOption("--index-map: the points of an STL file have no order");
    }
    check_file_writable(options.index_map);
  }
  if (method.name == "auto" && uses_tiles(options, common)) {
    denoise_tiled(options, common);
    return;
  }
  PointCloud cloud = read_input(options.input, common);
  if (!options.memory.empty() && memory_to_denoise(cloud.size(), common.context) > options.memory_limit()) {
    fail_for_memory(options, memory_to_denoise(cloud.size(), common.context),
                    "is not a file that can be read in parts");
  }
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
  command
      ->add_option(
          "--memory", options->memory,
          "auto: memory to use at most, such as 500M or 2G (default: half of what is free). A cloud that takes "
          "more is denoised in tiles")
      ->type_name("SIZE")
      ->check([](const std::string& text) -> std::string {
        try {
          static_cast<void>(parse_memory(text));
          return "";
        } catch (const Error& error) {
          return error.what();
        }
      });
  command->add_option("--scratch", options->scratch, "Folder for the files of tiles (default: OUT.scratch)")
      ->type_name("DIR");
  command->add_flag("--resume", options->resume, "Go on with the tiles that a run which was stopped has left");
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "Examples:\n"
      "  burnish denoise scan.ply smooth.ply\n"
      "  burnish denoise scan.ply smooth.ply --strength 0.7         take out less\n"
      "  burnish denoise scan.ply smooth.ply --memory 2G            in tiles, if it takes more\n"
      "  burnish denoise noisy.ply out.ply --preset authors --noise-level 0.02 --json");
  command->callback([options, &common] { denoise(*options, common); });
}

}  // namespace burnish::cli
