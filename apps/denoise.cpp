#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>

#include "after_denoising.hpp"
#include "apart.hpp"
#include "burnish/io.hpp"
#include "burnish/tiles.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "selection.hpp"

namespace burnish::cli {
namespace {

struct Options {
  std::string input;
  std::string output;
  std::vector<std::string> others;  ///< the output, or with a folder for outputs further inputs
  std::string folder;
  std::string method;  ///< empty: auto, unless there is a preset, which is GLR's
  MethodOptions parameters;
  PointFilter selection;
  Normals normals = Normals::update;
  bool is_dry = false;
  bool remove_outliers = false;
  bool mark_outliers = false;
  std::vector<std::string> attributes;  ///< of each point, to be written
  std::string index_map;                ///< file for the rows of the input that are left
  std::string memory;                   ///< empty: what the machine has
  std::string scratch;
  bool resume = false;

  [[nodiscard]] std::uint64_t memory_limit() const {
    return memory.empty() ? burnish::memory_limit() : parse_memory(memory);
  }
};

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

/// The method named, or the one that has presets where one is given.
const Method& chosen_method(const Options& options) {
  if (!options.method.empty()) {
    return find_method(options.method);
  }
  return find_method(options.parameters.contains("preset") ? "glr" : "auto");
}

void check_options(const Options& options, const Method& method) {
  if (method.name == "auto") {
    return;
  }
  for (const std::string& name : options.attributes) {
    if (std::ranges::find(method.attributes, name, &PointAttribute::name) == method.attributes.end()) {
      throw WrongOption(
          fmt::format("--attributes {} is for --method auto: {} does not find it out", name, method.name));
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

/// How many points of a cloud that is denoised in tiles something was done to.
struct TreatedPoints {
  std::size_t selected = 0;
  std::size_t outliers = 0;
};

/// What is done to the parts of a cloud that was denoised in tiles: that which is done to a cloud as a whole otherwise.
FinishPart finish_part(const Options& options, TreatedPoints& count) {
  return [&options, &count](PointCloud& part, const DenoisedPart& denoised) {
    count = denoised.first_row == 0 ? TreatedPoints() : count;
    const std::vector<bool> selected = selected_points(options.selection, part, options.input);
    std::vector<bool> keep(part.size(), true);
    for (std::size_t i = 0; i < part.size(); ++i) {
      keep[i] = !(selected[i] && denoised.is_outlier[i]);
      count.selected += selected[i] ? 1 : 0;
      count.outliers += keep[i] ? 0 : 1;
    }
    const std::vector<bool> has_moved = move_points(part, denoised.positions, selected);
    treat_normals(part, has_moved, options.normals, denoised.normals);
    if (options.mark_outliers) {
      mark_points(part, keep);
    }
    return options.remove_outliers ? keep : std::vector<bool>();
  };
}

/// Whether normals have to be estimated in tiles: where there are some, or their signs are known.
bool needs_normals(const Options& options) {
  if (options.normals != Normals::update && options.normals != Normals::add) {
    return false;
  }
  const PointCloud first = first_points(options.input, 1);
  return !normals_of(first).empty() || (options.normals == Normals::add && viewpoint_of(first));
}

TilingSettings tiling_settings(const Options& options) {
  TilingSettings settings;
  settings.denoise = denoise_settings(options.parameters);
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
  std::string why = why_not_in_tiles(options.input, options.output);
  if (!options.attributes.empty()) {
    why = "must be in memory as a whole for --attributes";
  } else if (!options.index_map.empty()) {
    why = "must be in memory as a whole for --index-map";
  } else if (why.empty() && options.normals == Normals::add && !needs_normals(options)) {
    why = "has neither normals nor a viewpoint: which side is outside shows in memory as a whole only (--normals add)";
  }
  if (why.empty()) {
    return true;
  }
  if (!options.memory.empty()) {
    fail_for_memory(options, needed, why);
  }
  common.terminal.warn(fmt::format("{}: may take {} of memory, and it {}", options.input, in_megabytes(needed), why));
  return false;
}

/// In words of the command line, for JSON as well.
void show_warnings(std::vector<std::string>& warnings, const Options& options, const Common& common) {
  std::ranges::transform(warnings, warnings.begin(), in_command_words);
  for (const std::string& warning : warnings) {
    common.terminal.warn(fmt::format("{}: {}", options.output, warning));
  }
}

void add_warning_of_bad_points(std::size_t count, std::vector<std::string>& warnings) {
  if (count > 0) {
    warnings.push_back(counted(count, "point") + (count == 1 ? " is" : " are") +
                       " not finite (NaN or infinite) and left as found");
  }
}

std::string about_outliers(const Options& options, std::size_t count) {
  return options.remove_outliers ? fmt::format("; {} removed", counted(count, "outlier"))
         : options.mark_outliers ? fmt::format("; {} marked", counted(count, "outlier"))
                                 : "";
}

Json denoise_tiled(const Options& options, const Common& common) {
  TilingSettings settings = tiling_settings(options);
  // Says at once what is wrong with the selection.
  static_cast<void>(selected_points(options.selection, first_points(options.input, 1), options.input));
  TreatedPoints treated;
  settings.normals = needs_normals(options);
  const bool is_changed = !options.selection.is_empty() || options.remove_outliers || options.mark_outliers;
  if (is_changed || settings.normals || options.normals == Normals::remove) {
    settings.finish_part = finish_part(options, treated);
  }
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
  add_warning_of_bad_points(result.not_finite, result.warnings);
  show_warnings(result.warnings, options, common);
  const MethodResult told = describe(result.found);
  if (!common.json) {
    common.terminal.tell(fmt::format(
        "{}: {} in {:.1f} s by auto{}, in {}{}; {}{}", options.output, counted(result.points, "point"), cost.seconds,
        options.selection.is_empty() ? "" : fmt::format(", {} of them selected", treated.selected),
        counted(result.tiles, "tile"),
        result.tiles_found > 0 ? fmt::format(", {} of them found", result.tiles_found) : "",
        in_command_words(told.summary), about_outliers(options, treated.outliers)));
  }
  Json json = {{"input", options.input},           {"output", options.output},
               {"points", result.points},          {"method", "auto"},
               {"seconds", cost.seconds},          {"cpu_seconds", cost.cpu_seconds},
               {"peak_memory", cost.peak_memory},  {"tiles", result.tiles},
               {"tiles_found", result.tiles_found}};
  json.update(to_json(told.diagnostics));
  json["warnings"] = result.warnings;
  json["not_finite"] = result.not_finite;
  if (!options.selection.is_empty()) {
    json["selected"] = treated.selected;
  }
  if (options.remove_outliers) {
    json["points_left"] = result.points - treated.outliers;
  }
  return json;
}

/// What would be done to a file that is denoised in tiles. They are made, looked at and removed again.
Json describe_tiled(const Options& options, const Common& common) {
  TilingSettings settings = tiling_settings(options);
  const bool is_under_way = has_unfinished_run(options.output, settings);
  settings.resume = true;
  settings.normals = needs_normals(options);
  TilesToDo to_do = plan_tiles(options.input, options.output, settings, common.context);
  if (!is_under_way) {
    discard_tiles(options.output, settings);
  }
  const MethodResult told = describe(to_do.found);
  show_warnings(to_do.found.warnings, options, common);
  if (!common.json) {
    common.terminal.tell(fmt::format("{}: would hold {}, denoised by auto in {}; {}", options.output,
                                     counted(to_do.points, "point"), counted(to_do.tiles, "tile"),
                                     in_command_words(told.summary)));
  }
  Json json = {{"input", options.input}, {"output", options.output}, {"points", to_do.points},
               {"method", "auto"},       {"dry_run", true},          {"tiles", to_do.tiles}};
  json.update(to_json(told.diagnostics));
  json["warnings"] = to_do.found.warnings;
  return json;
}

/// Warns of points that are not finite; returns how many there are.
std::size_t warn_of_bad_points(const PointCloud& cloud, std::vector<std::string>& warnings) {
  const auto count =
      static_cast<std::size_t>(std::ranges::count_if(cloud.positions, [](const Vec3& p) { return !is_finite(p); }));
  add_warning_of_bad_points(count, warnings);
  return count;
}

std::string about_selection(const std::vector<bool>& selected) {
  const auto count = static_cast<std::size_t>(std::ranges::count(selected, true));
  return count < selected.size() ? fmt::format(", {} of them selected", count) : "";
}

/// What is told of a cloud that is or would be denoised as a whole; warnings are shown.
Json report(const Options& options, const Method& method, MethodResult& result, const std::vector<bool>& selected,
            std::size_t not_finite, const Common& common) {
  show_warnings(result.warnings, options, common);
  Json json = {
      {"input", options.input}, {"output", options.output}, {"points", selected.size()}, {"method", method.name}};
  json.update(to_json(result.diagnostics));
  json["warnings"] = result.warnings;
  json["not_finite"] = not_finite;
  if (!options.selection.is_empty()) {
    json["selected"] = std::ranges::count(selected, true);
  }
  return json;
}

/// With where the scanner of each point was, if the cloud says so.
DenoiseSettings settings_for(const Options& options, const PointCloud& cloud) {
  DenoiseSettings settings = denoise_settings(options.parameters);
  settings.scanner_positions = scanner_positions_of(cloud);
  return settings;
}

/// What would be done to a cloud: the default analyses it, other methods do what their options say.
Json describe_run(const Options& options, const Method& method, const PointCloud& cloud,
                  const std::vector<bool>& selected, const Common& common) {
  MethodResult result;
  if (method.name == "auto") {
    result = describe(analyse(cloud.positions, settings_for(options, cloud), common.context).findings());
  }
  const std::size_t not_finite = warn_of_bad_points(cloud, result.warnings);
  if (!common.json) {
    common.terminal.tell(fmt::format("{}: would hold {}{}, denoised by {}{}{}", options.output,
                                     counted(cloud.size(), "point"), about_selection(selected), method.name,
                                     result.summary.empty() ? "" : "; ", in_command_words(result.summary)));
  }
  Json json = report(options, method, result, selected, not_finite, common);
  json["dry_run"] = true;
  return json;
}

Json denoise_file(const Options& options, const Common& common) {
  const Method& method = chosen_method(options);
  PreparedMethod run = method.prepare(options.parameters);
  check_options(options, method);
  check_output(options.output, common);
  if (!options.index_map.empty()) {
    const std::string name = CLI::detail::to_lower(options.output);
    if (name.ends_with(".stl") || name.ends_with(".copc.laz")) {
      throw WrongOption("--index-map: the points of STL and COPC files are not in the order of IN");
    }
    check_file_writable(options.index_map);
  }
  if (method.name == "auto" && uses_tiles(options, common)) {
    return options.is_dry ? describe_tiled(options, common) : denoise_tiled(options, common);
  }
  PointCloud cloud = read_input(options.input, common);
  if (!options.memory.empty() && memory_to_denoise(cloud.size(), common.context) > options.memory_limit()) {
    fail_for_memory(options, memory_to_denoise(cloud.size(), common.context),
                    "is not a file that can be read in parts");
  }
  check_output(options.output, cloud, common);
  const std::vector<bool> selected = selected_points(options.selection, cloud, options.input);
  if (options.is_dry) {
    return describe_run(options, method, cloud, selected, common);
  }
  if (method.name == "auto") {
    run = prepare(settings_for(options, cloud));
  }
  const CostMeter meter;
  MethodResult result = run(cloud.positions, normals_of(cloud), common.context);
  const Cost cost = meter.cost();
  const std::size_t points = cloud.size();
  const std::vector<bool> has_moved = move_points(cloud, result.positions, selected);
  const std::size_t not_finite = warn_of_bad_points(cloud, result.warnings);
  add_attributes(cloud, std::move(result.attributes), options.attributes, has_moved);
  const std::string about_normals = treat_normals(cloud, has_moved, options.normals, common.context);
  const std::vector<bool> keep = points_to_keep(selected, result.diagnostics);
  std::vector<bool> finite;
  if (options.remove_outliers) {
    for (std::size_t i = 0; i < points; ++i) {
      finite.push_back(keep[i] && is_finite(cloud.positions[i]));
    }
    keep_points(cloud, keep);
  } else if (options.mark_outliers) {
    mark_points(cloud, keep);
  }
  const std::size_t points_left = cloud.size();
  write_output(options.output, cloud, common);
  if (!options.index_map.empty()) {
    // LAS cannot hold points that are not finite.
    write_file(options.index_map, index_map(cloud.size() == points_left ? keep : finite));
  }
  if (!common.json) {
    common.terminal.tell(
        fmt::format("{}: {} in {:.1f} s by {}{}; {}{}{}", options.output, counted(points, "point"), cost.seconds,
                    method.name, about_selection(selected), in_command_words(result.summary), about_normals,
                    about_outliers(options, static_cast<std::size_t>(std::ranges::count(keep, false)))));
  }
  Json json = report(options, method, result, selected, not_finite, common);
  json.update({{"seconds", cost.seconds}, {"cpu_seconds", cost.cpu_seconds}, {"peak_memory", cost.peak_memory}});
  if (options.remove_outliers) {
    json["points_left"] = cloud.size();
  }
  return json;
}

/// Several inputs: each to the file of its name in the folder.
Json denoise_all(Options options, const Common& common) {
  std::vector<std::string> inputs{options.input};
  inputs.insert(inputs.end(), options.others.begin(), options.others.end());
  std::map<std::string, std::string> input_of;
  for (const std::string& input : inputs) {
    const std::string name = std::filesystem::path(input).filename().string();
    if (const auto [other, is_new] = input_of.emplace(name, input); !is_new) {
      throw Error(fmt::format("{} and {} would both be written to {}", other->second, input,
                              (std::filesystem::path(options.folder) / name).string()));
    }
  }
  // A name that is wrong shows before the first file takes its time.
  if (const auto missing =
          std::ranges::find_if(inputs, [](const std::string& input) { return !std::filesystem::exists(input); });
      missing != inputs.end()) {
    throw Error(*missing + ": there is no such file");
  }
  if (!options.is_dry) {
    std::filesystem::create_directories(options.folder);
  }
  Json results = Json::array();
  for (const std::string& input : inputs) {
    options.input = input;
    options.output = (std::filesystem::path(options.folder) / std::filesystem::path(input).filename()).string();
    if (std::filesystem::exists(options.output) && std::filesystem::equivalent(input, options.output)) {
      throw Error(fmt::format("{}: would be written over; name another folder", input));
    }
    results.push_back(denoise_file(options, common));
  }
  return {{"results", results}};
}

void denoise(Options& options, const Common& common) {
  common.terminal.keep_moving();
  Json json;
  if (!options.folder.empty()) {
    json = denoise_all(options, common);
  } else if (options.others.size() == 1) {
    options.output = options.others.front();
    json = denoise_file(options, common);
  } else {
    throw CLI::ValidationError(options.others.empty() ? "OUT is missing: burnish denoise IN OUT"
                                                      : "several inputs need --out DIR, the folder to write to");
  }
  if (common.json) {
    print_json(json);
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
      .add_option("--attributes", attributes,
                  fmt::format("Attributes of each point to write, where the format can hold them. {}",
                              fmt::join(meanings, "; ")))
      ->type_name("NAME,…")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(one_of(names));
}

}  // namespace

void add_denoise(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("denoise", "Take the noise out of a cloud");
  const auto options = std::make_shared<Options>();
  command->add_option("IN", options->input, "The noisy cloud")->required();
  command->add_option("OUT", options->others,
                      "Where to write the result: same points, same order, all attributes. With --out, further inputs");
  command->add_option("--out", options->folder, "Folder to write to, for several inputs: each keeps its name")
      ->type_name("DIR");
  command->add_option("--method", options->method, describe_methods())
      ->type_name(fmt::format("{}", fmt::join(method_names(), "|")))
      ->transform(one_of(method_names()));
  add_method_options(*command, options->parameters);
  CLI::Option* remove = command->add_flag("--remove-outliers", options->remove_outliers,
                                          "auto: leave out points that belong to no surface (default: they stay)");
  command
      ->add_flag("--mark-outliers", options->mark_outliers,
                 "auto: label these points instead: class 7 in LAS, an attribute \"outlier\" elsewhere")
      ->excludes(remove);
  add_attributes_option(*command, options->attributes);
  add_choice<Normals>(
      *command, "--normals",
      {{"update", Normals::update}, {"keep", Normals::keep}, {"add", Normals::add}, {"remove", Normals::remove}},
      [target = options.get()](Normals wish) { target->normals = wish; },
      "Normals of the file: made to fit the new positions (the default), kept, added also if there are none, removed");
  command->add_flag("--dry-run", options->is_dry, "Tell what would be done, and the expected error; write nothing");
  add_point_filter_options(*command, options->selection);
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
      "  burnish denoise scan.las smooth.las --only classification=2,6 --mark-outliers\n"
      "  burnish denoise scan.ply smooth.ply --attributes noise,confidence,moved,outlier\n"
      "  burnish denoise noisy.ply scan.ply --out results           several files, each by itself\n"
      "  burnish denoise noisy.ply out.ply --preset authors --noise-level 0.02 --json");
  command->callback([options, &common] { denoise(*options, common); });
}

}  // namespace burnish::cli
