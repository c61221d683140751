#include "denoise_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "burnish/tiles.hpp"

namespace burnish::cli {
namespace {

std::string what_is_wrong_with_memory(const std::string& text) {
  try {
    static_cast<void>(parse_memory(text));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void add_attributes_option(CLI::App& command, std::vector<std::string>& attributes) {
  std::vector<std::string> names;
  std::vector<std::string> meanings;
  for (const PointAttribute& attribute : find_method("auto").attributes) {
    names.push_back(attribute.name);
    meanings.push_back(fmt::format("{}: {}", attribute.name, attribute.meaning));
  }
  command
      .add_option(
          "--attributes", attributes,
          fmt::format("Attributes to write for each point, if the format can hold them. {}", fmt::join(meanings, "; ")))
      ->type_name("NAME,…")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(one_of(names));
}

void add_outlier_options(CLI::App& command, DenoiseOptions& options) {
  CLI::Option* remove = command.add_flag("--remove-outliers", options.remove_outliers,
                                         "auto: remove points that belong to no surface (default: keep them)");
  command
      .add_flag("--mark-outliers", options.mark_outliers,
                "auto: mark these points instead: class 7 in LAS, otherwise an attribute \"outlier\"")
      ->excludes(remove);
  command.add_option("--index-map", options.index_map, "File for the row in IN of each remaining point, one per line")
      ->type_name("FILE")
      ->needs(remove);
}

void add_tile_options(CLI::App& command, DenoiseOptions& options) {
  command
      .add_option(
          "--memory", options.memory,
          "auto: memory limit, such as 500M or 2G (default: half of the free memory). A cloud that needs more is "
          "denoised in tiles")
      ->type_name("SIZE")
      ->check(what_is_wrong_with_memory);
  command.add_option("--scratch", options.scratch, "Folder for the temporary files of tiles (default: OUT.scratch)")
      ->type_name("DIR");
  command.add_flag("--resume", options.resume, "Continue an interrupted run with its unfinished tiles");
}

}  // namespace

std::uint64_t DenoiseOptions::memory_limit() const {
  return memory.empty() ? burnish::memory_limit() : parse_memory(memory);
}

void add_denoise_options(CLI::App& command, DenoiseOptions& options, Common& common) {
  command.add_option("IN", options.input, "The noisy cloud")->required();
  command.add_option("OUT", options.others,
                     "The result: the same points in the same order, with all attributes. With --out, further inputs");
  command.add_option("--out", options.folder, "Output folder for several inputs; each keeps its name")
      ->type_name("DIR");
  command.add_option("--method", options.method, describe_methods())
      ->type_name(fmt::format("{}", fmt::join(method_names(), "|")))
      ->transform(one_of(method_names()));
  add_method_options(command, options.parameters);
  add_outlier_options(command, options);
  add_attributes_option(command, options.attributes);
  add_choice<Normals>(
      command, "--normals",
      {{"update", Normals::update}, {"keep", Normals::keep}, {"add", Normals::add}, {"remove", Normals::remove}},
      [&options](Normals wish) { options.normals = wish; },
      "Normals of the file: update them to the new positions (the default), keep them, also add them if there are "
      "none, or remove them");
  command.add_flag("--dry-run", options.is_dry, "Show what would be done, and the expected error; write nothing");
  add_point_filter_options(command, options.selection);
  add_tile_options(command, options);
  add_format_option(command, common);
  add_common_options(command, common, true);
  command.footer(
      "Examples:\n"
      "  burnish denoise scan.ply smooth.ply\n"
      "  burnish denoise scan.ply smooth.ply --strength 0.7         remove less\n"
      "  burnish denoise scan.ply smooth.ply --memory 2G            in tiles, if it needs more\n"
      "  burnish denoise scan.las smooth.las --only classification=2,6 --mark-outliers\n"
      "  burnish denoise scan.ply smooth.ply --attributes noise,confidence,moved,outlier\n"
      "  burnish denoise noisy.ply scan.ply --out results           several files, independently\n"
      "  burnish denoise noisy.ply out.ply --preset authors --noise-level 0.02 --json");
}

const Method& chosen_method(const DenoiseOptions& options) {
  if (!options.method.empty()) {
    return find_method(options.method);
  }
  return find_method(options.parameters.contains("preset") ? "glr" : "auto");
}

void check_options(const DenoiseOptions& options, const Method& method) {
  const std::string output = CLI::detail::to_lower(options.output);
  if (!options.index_map.empty() && (output.ends_with(".stl") || output.ends_with(".copc.laz"))) {
    throw WrongOption("--index-map: the points of STL and COPC files are not in the order of IN");
  }
  if (method.name == "auto") {
    return;
  }
  for (const std::string& name : options.attributes) {
    if (std::ranges::find(method.attributes, name, &PointAttribute::name) == method.attributes.end()) {
      throw WrongOption(
          fmt::format("--attributes {} is for --method auto: {} does not estimate it", name, method.name));
    }
  }
  if (options.remove_outliers || options.mark_outliers) {
    throw WrongOption(fmt::format("--{}-outliers is for --method auto: {} does not look for outliers",
                                  options.remove_outliers ? "remove" : "mark", method.name));
  }
  if (!options.memory.empty() || !options.scratch.empty() || options.resume) {
    throw WrongOption(fmt::format(
        "--memory, --scratch and --resume are for --method auto: {} needs the whole cloud in memory", method.name));
  }
}

}  // namespace burnish::cli
