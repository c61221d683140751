#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "burnish/io.hpp"
#include "denoise_report.hpp"
#include "denoise_ways.hpp"

// Clouds that are denoised as a whole.

namespace burnish::cli {
namespace {

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

std::size_t count_true(const std::vector<bool>& values) {
  return static_cast<std::size_t>(std::ranges::count(values, true));
}

/// With where the scanner of each point was, if the cloud says so.
DenoiseSettings settings_for(const DenoiseOptions& options, const PointCloud& cloud) {
  DenoiseSettings settings = denoise_settings(options.parameters);
  settings.scanner_positions = scanner_positions_of(cloud);
  return settings;
}

/// Removes or marks outliers and writes what is left, with the index map; returns how many points that is.
std::size_t write_result(PointCloud& cloud, const std::vector<bool>& keep, const DenoiseOptions& options,
                         const Common& common) {
  std::vector<bool> finite(keep.size());
  for (std::size_t i = 0; i < keep.size(); ++i) {
    finite[i] = keep[i] && is_finite(cloud.positions[i]);
  }
  if (options.remove_outliers) {
    keep_points(cloud, keep);
  } else if (options.mark_outliers) {
    mark_points(cloud, keep, options.output == "-" ? "standard output." + common.format : options.output);
  }
  const std::size_t points = cloud.size();
  write_output(options.output, cloud, common);
  if (!options.index_map.empty()) {
    // LAS cannot hold points that are not finite.
    write_file(options.index_map, index_map(cloud.size() == points ? keep : finite));
  }
  return cloud.size();
}

/// Does some work with the points of a file; an error about them names the file.
template <class Work>
auto naming_file(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) {
      throw;
    }
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace

Json denoise_in_memory(const DenoiseOptions& options, const Method& method, const Common& common) {
  PreparedMethod run = method.prepare(options.parameters);
  PointCloud cloud = read_input(options.input, common);
  check_memory(options, cloud.size(), common);
  check_output(options.output, cloud, common);
  const std::vector<bool> selected = selected_points(options.selection, cloud, options.input);
  Report report{.method = method.name, .points = cloud.size(), .selected = count_true(selected)};
  report.not_finite =
      static_cast<std::size_t>(std::ranges::count_if(cloud.positions, [](const Vec3& p) { return !is_finite(p); }));
  const bool is_default = method.name == "auto";
  if (options.is_dry) {
    if (is_default) {
      report.found = describe(naming_file(options.input, [&] {
        return analyse(cloud.positions, settings_for(options, cloud), common.context).findings();
      }));
    }
    return show_report(std::move(report), options, common);
  }
  if (is_default) {
    run = prepare(settings_for(options, cloud));
  }
  const CostMeter meter;
  report.found = naming_file(options.input, [&] { return run(cloud.positions, normals_of(cloud), common.context); });
  report.cost = meter.cost();
  const std::vector<bool> has_moved = move_points(cloud, report.found.positions, selected);
  add_attributes(cloud, std::move(report.found.attributes), options.attributes, has_moved);
  report.about_normals = treat_normals(cloud, has_moved, options.normals, common.context);
  const std::vector<bool> keep = points_to_keep(selected, report.found.diagnostics);
  report.outliers = keep.size() - count_true(keep);
  report.points_left = write_result(cloud, keep, options, common);
  return show_report(std::move(report), options, common);
}

}  // namespace burnish::cli
