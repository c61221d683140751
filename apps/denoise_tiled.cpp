#include <fmt/format.h>

#include <functional>

#include "burnish/tiles.hpp"
#include "denoise_report.hpp"
#include "denoise_ways.hpp"

// Clouds that are denoised in tiles, because they do not fit into memory otherwise.

namespace burnish::cli {
namespace {

/// Does to the parts of a cloud what is done to a cloud as a whole otherwise, and counts.
class PartFinisher {
 public:
  explicit PartFinisher(const DenoiseOptions& options) : options_(options) {}

  /// For TilingSettings::finish_part.
  std::vector<bool> operator()(PointCloud& part, const DenoisedPart& denoised) {
    if (denoised.first_row == 0) {
      selected_ = outliers_ = 0;
    }
    const std::vector<bool> selected = selected_points(options_.selection, part, options_.input);
    std::vector<bool> keep(part.size(), true);
    for (std::size_t i = 0; i < part.size(); ++i) {
      keep[i] = !(selected[i] && denoised.is_outlier[i]);
      selected_ += selected[i] ? 1 : 0;
      outliers_ += keep[i] ? 0 : 1;
    }
    std::vector<Column> attributes;
    if (!options_.attributes.empty()) {
      attributes = attributes_of(part.positions, result_of(denoised));
    }
    const std::vector<bool> has_moved = move_points(part, denoised.positions, selected);
    add_attributes(part, std::move(attributes), options_.attributes, has_moved);
    treat_normals(part, has_moved, options_.normals, denoised.normals);
    if (options_.mark_outliers) {
      mark_points(part, keep, options_.output);
    }
    return options_.remove_outliers ? keep : std::vector<bool>();
  }

  [[nodiscard]] std::size_t selected() const { return selected_; }
  [[nodiscard]] std::size_t outliers() const { return outliers_; }

 private:
  static DenoiseResult result_of(const DenoisedPart& denoised) {
    DenoiseResult result;
    result.positions.assign(denoised.positions.begin(), denoised.positions.end());
    result.noise_at_points.assign(denoised.noise.begin(), denoised.noise.end());
    result.error_at_points.assign(denoised.error.begin(), denoised.error.end());
    for (std::uint32_t i = 0; i < denoised.is_outlier.size(); ++i) {
      if (denoised.is_outlier[i]) {
        result.outliers.push_back(i);
      }
    }
    return result;
  }

  const DenoiseOptions& options_;
  std::size_t selected_ = 0;
  std::size_t outliers_ = 0;
};

/// Whether normals have to be estimated in tiles: where there are some, or their signs are known.
bool needs_normals(const DenoiseOptions& options) {
  if (options.normals != Normals::update && options.normals != Normals::add) {
    return false;
  }
  const PointCloud first = first_points(options.input, 1);
  return !normals_of(first).empty() ||
         (options.normals == Normals::add && (viewpoint_of(first) || !scanner_positions_of(first).empty()));
}

TilingSettings tiling_settings(const DenoiseOptions& options) {
  TilingSettings settings;
  settings.denoise = denoise_settings(options.parameters);
  settings.memory = options.memory_limit();
  settings.scratch = options.scratch;
  settings.resume = options.resume;
  settings.attributes = !options.attributes.empty();
  settings.index_map = options.index_map;
  return settings;
}

std::string in_megabytes(std::uint64_t bytes) { return fmt::format("{} MB", bytes >> 20U); }

[[noreturn]] void fail_for_memory(const DenoiseOptions& options, std::uint64_t needed, const std::string& why) {
  throw Error(fmt::format("{}: denoising it needs about {} of memory, more than the limit of {}, and it {}",
                          options.input, in_megabytes(needed), in_megabytes(options.memory_limit()), why));
}

TilingResult run_tiles(const DenoiseOptions& options, const TilingSettings& settings, const Common& common) {
  try {
    return denoise_in_tiles(options.input, options.output, settings, common.context);
  } catch (const Cancelled&) {
    if (has_unfinished_run(options.output, settings)) {
      common.terminal.warn("finished tiles are kept; the same command with --resume continues");
    }
    throw;
  }
}

/// Makes the tiles, looks at them and removes them again, unless they are those of a run that is under way.
Json describe_tiled(const DenoiseOptions& options, TilingSettings settings, const Common& common) {
  const bool is_under_way = has_unfinished_run(options.output, settings);
  settings.resume = true;
  const TilesToDo to_do = plan_tiles(options.input, options.output, settings, common.context);
  if (!is_under_way) {
    discard_tiles(options.output, settings);
  }
  Report report{.method = "auto", .found = describe(to_do.found), .points = to_do.points};
  report.not_finite = to_do.not_finite;
  report.about_tiles = ", in " + counted(to_do.tiles, "tile");
  Json json = show_report(std::move(report), options, common);
  json["tiles"] = to_do.tiles;
  return json;
}

}  // namespace

void check_memory(const DenoiseOptions& options, std::size_t points, const Common& common) {
  const std::uint64_t needed = memory_to_denoise(points, common.context);
  if (!options.memory.empty() && needed > options.memory_limit()) {
    fail_for_memory(options, needed, "is not a file that can be read in parts");
  }
}

bool uses_tiles(const DenoiseOptions& options, const Common& common) {
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
  if (why.empty() && options.normals == Normals::add && !needs_normals(options)) {
    why =
        "has no normals, viewpoint or scanner positions: normals can be oriented only in memory as a whole, not in "
        "tiles (--normals add)";
  }
  if (why.empty()) {
    return true;
  }
  if (!options.memory.empty()) {
    fail_for_memory(options, needed, why);
  }
  common.terminal.warn(fmt::format("{}: may need {} of memory, and it {}", options.input, in_megabytes(needed), why));
  return false;
}

Json denoise_tiled(const DenoiseOptions& options, const Common& common) {
  TilingSettings settings = tiling_settings(options);
  // Says at once what is wrong with the selection.
  static_cast<void>(selected_points(options.selection, first_points(options.input, 1), options.input));
  settings.normals = needs_normals(options);
  if (options.is_dry) {
    return describe_tiled(options, settings, common);
  }
  PartFinisher finisher(options);
  const bool is_changed = !options.selection.is_empty() || options.remove_outliers || options.mark_outliers;
  if (is_changed || settings.normals || settings.attributes || options.normals == Normals::remove) {
    settings.finish_part = std::ref(finisher);
  }
  const CostMeter meter;
  TilingResult result = run_tiles(options, settings, common);
  Report report{.method = "auto", .found = describe(result.found), .points = result.points};
  report.cost = meter.cost();
  report.found.warnings = std::move(result.warnings);
  report.not_finite = result.not_finite;
  report.outliers = finisher.outliers();
  report.points_left = result.points - finisher.outliers();
  if (!options.selection.is_empty()) {
    report.selected = finisher.selected();
  }
  report.about_tiles =
      fmt::format(", in {}{}", counted(result.tiles, "tile"),
                  result.tiles_resumed > 0 ? fmt::format(", {} of them resumed", result.tiles_resumed) : "");
  Json json = show_report(std::move(report), options, common);
  json["tiles"] = result.tiles;
  json["tiles_resumed"] = result.tiles_resumed;
  return json;
}

}  // namespace burnish::cli
