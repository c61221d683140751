#include "denoise_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace burnish::cli {
namespace {

std::string about_outliers(const DenoiseOptions& options, std::size_t count) {
  return options.is_dry            ? ""
         : options.remove_outliers ? fmt::format("; {} removed", counted(count, "outlier"))
         : options.mark_outliers   ? fmt::format("; {} marked", counted(count, "outlier"))
                                   : "";
}

std::string sentence(const Report& report, const DenoiseOptions& options) {
  const std::string points = counted(report.points, "point");
  const std::string selected = report.selected.value_or(report.points) < report.points
                                   ? fmt::format(", {} of them selected", *report.selected)
                                   : "";
  const std::string summary =
      (report.found.summary.empty() ? "" : "; " + in_command_words(report.found.summary)) + report.about_normals;
  if (options.is_dry) {
    return fmt::format("{}: would hold {}{}, denoised by {}{}{}", options.output, points, selected, report.method,
                       report.about_tiles, summary);
  }
  return fmt::format("{}: {} in {:.1f} s by {}{}{}{}{}", options.output, points, report.cost.seconds, report.method,
                     selected, report.about_tiles, summary, about_outliers(options, report.outliers));
}

}  // namespace

Json show_report(Report report, const DenoiseOptions& options, const Common& common) {
  // In words of the command line, in JSON as well.
  std::vector<std::string>& warnings = report.found.warnings;
  if (report.not_finite > 0) {
    warnings.push_back(counted(report.not_finite, "point") + (report.not_finite == 1 ? " is" : " are") +
                       " not finite (NaN or infinite) and left unchanged");
  }
  if (report.selected == std::size_t{0} && report.points > 0) {
    warnings.push_back("no point is selected, so none is moved");
  }
  std::ranges::transform(warnings, warnings.begin(), in_command_words);
  for (const std::string& warning : warnings) {
    common.terminal.warn(fmt::format("{}: {}", options.output, warning));
  }
  if (!common.json) {
    common.terminal.report(sentence(report, options));
  }
  Json json = {
      {"input", options.input}, {"output", options.output}, {"points", report.points}, {"method", report.method}};
  json.update(to_json(report.found.diagnostics));
  json["warnings"] = warnings;
  json["not_finite"] = report.not_finite;
  if (options.is_dry) {
    json["dry_run"] = true;
  } else {
    const Cost& cost = report.cost;
    json.update({{"seconds", cost.seconds}, {"cpu_seconds", cost.cpu_seconds}, {"peak_memory", cost.peak_memory}});
  }
  if (!options.selection.is_empty() && report.selected) {
    json["selected"] = *report.selected;
  }
  if (options.remove_outliers && !options.is_dry) {
    json["points_left"] = report.points_left;
  }
  return json;
}

}  // namespace burnish::cli
