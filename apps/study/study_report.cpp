#include "study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "burnish/io.hpp"
#include "burnish/metrics.hpp"
#include "burnish/view.hpp"
#include "child_process.hpp"
#include "svg_plot.hpp"
#include "truth.hpp"

namespace burnish::cli {
namespace {

/// A number of a cell.
using Quantity = std::function<std::optional<double>(const StudyCell&)>;

Quantity quantity(const StudyMetric& metric) {
  return [metric](const StudyCell& cell) -> std::optional<double> {
    if (!cell.error.empty() || !cell.result["metrics"].contains(metric.key)) {
      return std::nullopt;
    }
    const Json& value = cell.result["metrics"][metric.key];
    return value.is_number() ? std::optional(metric.factor * value.get<double>()) : std::nullopt;
  };
}

Quantity cost(const std::string& key, double factor = 1.0) {
  return [key, factor](const StudyCell& cell) -> std::optional<double> {
    return cell.error.empty() && cell.result.contains(key) ? std::optional(factor * cell.result[key].get<double>())
                                                           : std::nullopt;
  };
}

/// The mean over all models, or over all models and levels; nothing if a cell is missing.
std::optional<double> mean(const StudyResults& results, std::size_t row, std::optional<std::size_t> only_level,
                           const Quantity& value) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t m = 0; m < results.study.models.size(); ++m) {
    for (std::size_t level = 0; level < results.study.levels.size(); ++level) {
      if (!only_level || *only_level == level) {
        const std::optional<double> number = value(results.cell(row, m, level));
        if (!number) {
          return std::nullopt;
        }
        sum += *number;
        count += 1.0;
      }
    }
  }
  return sum / count;
}

double or_nan(std::optional<double> number) { return number.value_or(std::nan("")); }

/// Letters, digits and dashes only.
std::string file_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ? c : '-';
  }
  return name;
}

TextTable cost_table(const StudyResults& results) {
  TextTable table{{"Method", "CPU s", "wall s", "memory MB"}, {}};
  for (std::size_t row = 1; row < results.rows.size(); ++row) {
    table.rows.push_back({results.rows[row].name, mean(results, row, {}, cost("cpu_seconds")),
                          mean(results, row, {}, cost("seconds")), mean(results, row, {}, cost("peak_memory", 1e-6))});
  }
  return table;
}

/// Rows of a method whose option is varied.
std::vector<std::size_t> rows_of(const StudyResults& results, const StudyMethod& method) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < results.rows.size(); ++row) {
    if (results.rows[row].method == &method) {
      rows.push_back(row);
    }
  }
  return rows;
}

/// A varied option as the paper has it: a row for every level, a column for every value, and the time in the end.
TextTable variation_table(const StudyResults& results, const StudyMethod& method, const StudyMetric& metric) {
  TextTable table{{"Noise level"}, {}};
  const std::vector<std::size_t> rows = rows_of(results, method);
  for (const std::string& value : method.values) {
    table.header.push_back(fmt::format("{}={}", method.varied, value));
  }
  for (std::size_t level = 0; level < results.study.levels.size(); ++level) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells.emplace_back(level_name(results.study.levels[level]));
    for (const std::size_t row : rows) {
      cells.emplace_back(mean(results, row, level, quantity(metric)));
    }
    // The best of a row; mark_best works down columns.
    TextTable column{{""}, {}};
    for (std::size_t c = 1; c < cells.size(); ++c) {
      column.rows.push_back({cells[c]});
    }
    column.mark_best(0, 0, column.rows.size(), more_is_better(metric.key));
    for (std::size_t c = 1; c < cells.size(); ++c) {
      cells[c].best = column.rows[c - 1][0].best;
    }
  }
  std::vector<Cell>& time = table.rows.emplace_back();
  time.emplace_back("CPU s");
  for (const std::size_t row : rows) {
    time.emplace_back(mean(results, row, {}, cost("cpu_seconds")));
  }
  return table;
}

Plot plot_over_noise(const StudyResults& results, const StudyMetric& metric) {
  Plot plot{metric.title + " against noise", "noise level", metric.title, {}, {}};
  for (std::size_t row = 0; row < results.rows.size(); ++row) {
    Series& series = plot.series.emplace_back();
    series.name = results.rows[row].name;
    for (std::size_t level = 0; level < results.study.levels.size(); ++level) {
      series.points.emplace_back(results.study.levels[level], or_nan(mean(results, row, level, quantity(metric))));
    }
  }
  return plot;
}

Plot plot_over_time(const StudyResults& results, const StudyMetric& metric) {
  Plot plot{metric.title + " against time, a point for each noise level", "CPU seconds", metric.title, {}, {}};
  plot.logarithmic_x = true;
  plot.connect = false;
  for (std::size_t row = 1; row < results.rows.size(); ++row) {
    Series& series = plot.series.emplace_back();
    series.name = results.rows[row].name;
    for (std::size_t level = 0; level < results.study.levels.size(); ++level) {
      series.points.emplace_back(or_nan(mean(results, row, level, cost("cpu_seconds"))),
                                 or_nan(mean(results, row, level, quantity(metric))));
    }
  }
  return plot;
}

/// A varied option against something; values that are no numbers are places of the axis.
Plot plot_over_values(const StudyResults& results, const StudyMethod& method, const std::string& title,
                      const Quantity& value) {
  Plot plot{fmt::format("{} against {}", title, method.varied), method.varied, title, {}, {}};
  std::vector<double> x;
  for (const std::string& text : method.values) {
    char* end = nullptr;
    x.push_back(std::strtod(text.c_str(), &end));
    if (end != text.c_str() + text.size()) {
      plot.places = method.values;
    }
  }
  const std::vector<std::size_t> rows = rows_of(results, method);
  for (std::size_t level = 0; level < results.study.levels.size(); ++level) {
    Series& series = plot.series.emplace_back();
    series.name = "noise " + level_name(results.study.levels[level]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      series.points.emplace_back(plot.places.empty() ? x[i] : static_cast<double>(i),
                                 or_nan(mean(results, rows[i], level, value)));
    }
  }
  return plot;
}

TextTable all_cells(const StudyResults& results) {
  TextTable table{{"model", "noise", "method", "options"}, {}};
  std::vector<std::string> metrics;
  for (const StudyCell& cell : results.cells) {
    if (cell.error.empty()) {
      for (const auto& [key, value] : cell.result["metrics"].items()) {
        metrics.push_back(key);
      }
      break;
    }
  }
  table.header.insert(table.header.end(), metrics.begin(), metrics.end());
  table.header.insert(table.header.end(), {"cpu_s", "wall_s", "memory_MB", "error"});
  for (std::size_t m = 0; m < results.study.models.size(); ++m) {
    for (std::size_t level = 0; level < results.study.levels.size(); ++level) {
      for (std::size_t row = 0; row < results.rows.size(); ++row) {
        const StudyCell& cell = results.cell(row, m, level);
        std::string options;
        for (const auto& [name, value] : cell.options) {
          options += fmt::format("{}{}={}", options.empty() ? "" : " ", name, value);
        }
        std::vector<Cell>& cells = table.rows.emplace_back();
        cells = {results.study.models[m].name, level_name(results.study.levels[level]), results.rows[row].name,
                 options};
        for (const std::string& key : metrics) {
          cells.emplace_back(quantity({key, key, 1.0})(cell));
        }
        cells.emplace_back(cost("cpu_seconds")(cell));
        cells.emplace_back(cost("seconds")(cell));
        cells.emplace_back(cost("peak_memory", 1e-6)(cell));
        cells.emplace_back(cell.error);
      }
    }
  }
  return table;
}

/// Draws the clouds of all rows for one model and level by their error; returns what shows them in Markdown, nothing if
/// all of them failed.
std::string draw_picture(const StudyResults& results, std::size_t model, std::size_t level,
                         const std::filesystem::path& out, ExecutionContext& context) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < results.rows.size(); ++row) {
    if (results.cell(row, model, level).error.empty()) {
      rows.push_back(row);
    }
  }
  if (rows.empty()) {
    return "";
  }
  const std::string title =
      fmt::format("{} {}", results.study.models[model].name, level_name(results.study.levels[level]));
  const std::string name = file_name("picture " + title) + ".png";
  (void)run_in_child("picture of " + title, context, [&] {
    std::vector<PointCloud> clouds;
    clouds.reserve(rows.size());
    for (const std::size_t row : rows) {
      clouds.push_back(read(results.cell(row, model, level).cloud, context));
    }
    std::vector<ViewedCloud> viewed;
    viewed.reserve(clouds.size());
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      viewed.push_back({results.rows[rows[i]].name, clouds[i], {}});
    }
    ViewSettings settings;
    settings.distance_to_truth = distance_to(read(results.cell(rows[0], model, level).clean, context), context);
    settings.up = results.study.models[model].y_is_up ? UpAxis::y : UpAxis::z;
    write_picture(out / name, make_scene(viewed, settings, context), PictureOf::errors, context);
    return Json();
  });
  return fmt::format("\n### {}\n\n![{}, distance to the truth]({})\n", title, title, name);
}

}  // namespace

TextTable metric_table(const StudyResults& results, const StudyMetric& metric) {
  const Study& study = results.study;
  TextTable table{{"Noise level", "Method"}, {}};
  for (const StudyModel& model : study.models) {
    table.header.push_back(model.name);
  }
  table.header.emplace_back("Average");
  for (std::size_t level = 0; level < study.levels.size(); ++level) {
    const std::size_t first = table.rows.size();
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
      std::vector<Cell>& cells = table.rows.emplace_back();
      cells = {level_name(study.levels[level]), results.rows[row].name};
      for (std::size_t m = 0; m < study.models.size(); ++m) {
        cells.emplace_back(quantity(metric)(results.cell(row, m, level)));
      }
      cells.emplace_back(mean(results, row, level, quantity(metric)));
    }
    for (std::size_t column = 2; column < table.header.size(); ++column) {
      table.mark_best(column, first, table.rows.size(), more_is_better(metric.key));
    }
  }
  return table;
}

/// Which of the searched values were best, for methods that search.
TextTable searched_table(const StudyResults& results) {
  const Study& study = results.study;
  TextTable table{{"Noise level", "Method"}, {}};
  for (const StudyModel& model : study.models) {
    table.header.push_back(model.name);
  }
  for (std::size_t level = 0; level < study.levels.size(); ++level) {
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
      const StudyMethod* const method = results.rows[row].method;
      if (method == nullptr || method->search.empty()) {
        continue;
      }
      std::vector<Cell>& cells = table.rows.emplace_back();
      cells = {level_name(study.levels[level]), results.rows[row].name};
      for (std::size_t m = 0; m < study.models.size(); ++m) {
        const StudyCell& cell = results.cell(row, m, level);
        std::vector<std::string> chosen;
        for (const auto& [name, values] : method->search) {
          const auto found = cell.options.find(name);
          if (cell.error.empty() && found != cell.options.end()) {
            chosen.push_back(fmt::format("{}={}", name, found->second));
          }
        }
        cells.emplace_back(fmt::format("{}", fmt::join(chosen, ", ")));
      }
    }
  }
  return table;
}

void write_study_report(const StudyResults& results, const std::filesystem::path& out, ExecutionContext& context) {
  const Study& study = results.study;
  std::string page = fmt::format("# {}\n\n{}\n", study.title, study.text);
  const auto add_table = [&](const std::string& title, const TextTable& table) {
    page += fmt::format("\n## {}\n\n{}", title, to_markdown(table));
    write_file(out / ("table-" + file_name(title) + ".csv"), to_csv(table));
  };
  const auto add_plot = [&](const Plot& plot) {
    const std::string name = file_name(plot.title.substr(0, plot.title.find(','))) + ".svg";
    write_file(out / name, to_svg(plot));
    page += fmt::format("\n![{}]({})\n", plot.title, name);
  };
  for (const StudyMetric& metric : study.metrics) {
    add_table(metric.title, metric_table(results, metric));
    if (study.levels.size() > 1) {
      add_plot(plot_over_noise(results, metric));
    }
    add_plot(plot_over_time(results, metric));
    for (const StudyMethod& method : study.methods) {
      if (!method.varied.empty()) {
        add_table(fmt::format("{} of {} by {}", metric.title, method.name, method.varied),
                  variation_table(results, method, metric));
        add_plot(plot_over_values(results, method, metric.title, quantity(metric)));
      }
    }
  }
  if (const TextTable searched = searched_table(results); !searched.rows.empty()) {
    add_table("Best of the searched values", searched);
  }
  add_table("Time and memory", cost_table(results));
  for (const StudyMethod& method : study.methods) {
    if (!method.varied.empty()) {
      add_plot(plot_over_values(results, method, "CPU seconds of " + method.name, cost("cpu_seconds")));
    }
  }
  for (std::size_t m = 0; m < study.models.size(); ++m) {
    for (std::size_t level = 0; level < study.levels.size(); ++level) {
      if (is_pictured(study, m, level)) {
        page += draw_picture(results, m, level, out, context);
      }
    }
  }
  write_file(out / "results.csv", to_csv(all_cells(results)));
  write_file(out / "results.md", page);
}

}  // namespace burnish::cli
