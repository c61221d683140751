#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "burnish/io.hpp"
#include "burnish/view.hpp"
#include "child_process.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "page_template.hpp"
#include "text_table.hpp"
#include "truth.hpp"

namespace burnish::cli {
namespace {

struct CompareOptions {
  std::string noisy;
  std::string truth;
  std::vector<std::string> methods = method_names();
  std::filesystem::path report;
};

/// A method with options, as it was asked for.
struct Contender {
  std::string label;  ///< "glr:preset=authors"
  PreparedMethod run;
  std::string file;  ///< of the denoised cloud, in the folder of the report
};

/// From "NAME" or "NAME:OPTION=VALUE:…".
Contender parse_contender(const std::string& label) {
  const std::vector<std::string> parts = CLI::detail::split(label, ':');
  MethodOptions options;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos) {
      throw WrongOption(fmt::format("--methods: \"{}\" is not OPTION=VALUE", parts[i]));
    }
    options[parts[i].substr(0, equals)] = parts[i].substr(equals + 1);
  }
  std::string name = label;
  std::ranges::replace_if(
      name, [](char c) { return c == ':' || c == '/'; }, '-');
  return {label, find_method(parts.front()).prepare(options), name + ".ply"};
}

std::vector<Contender> contenders(const std::vector<std::string>& labels) {
  std::vector<Contender> all;
  std::set<std::string> known;
  for (const std::string& label : labels) {
    if (known.insert(label).second) {
      all.push_back(parse_contender(label));
    }
  }
  return all;
}

Json metrics_of(const Measurement& measured) {
  Json metrics = Json::object();
  for (const NamedMetric& metric : measured.metrics) {
    metrics[metric.name] = metric.value;
  }
  return metrics;
}

/// Runs a method and measures its result; writes that to `file`.
Json run_contender(const Contender& contender, const PointCloud& noisy, const Truth& truth,
                   const std::filesystem::path& file, const ExecutionContext& context) {
  const CostMeter meter;
  MethodResult result = contender.run(noisy.positions, normals_of(noisy), context);
  const Cost cost = meter.cost();
  PointCloud cloud = noisy;
  cloud.positions = std::move(result.positions);
  (void)fit_to_format(file, cloud);
  write(file, cloud, context);
  return {{"metrics", metrics_of(measure(cloud.positions, truth, context))},
          {"seconds", cost.seconds},
          {"cpu_seconds", cost.cpu_seconds},
          {"peak_memory", cost.peak_memory},
          {"cloud", file.filename().string()},
          {"diagnostics", to_json(result.diagnostics)}};
}

/// The whole comparison as one table, noisy input first. A method that failed has its message instead of numbers.
TextTable to_table(const Json& comparison) {
  TextTable table;
  table.header = {"method"};
  for (const auto& [key, value] : comparison["rows"][0]["metrics"].items()) {
    table.header.push_back(key);
  }
  const std::size_t metrics_end = table.header.size();
  table.header.insert(table.header.end(), {"cpu_s", "wall_s", "memory_MB", "error"});
  const auto number = [](const Json& json, const std::string& key) -> std::optional<double> {
    return json.contains(key) && json[key].is_number() ? std::optional(json[key].get<double>()) : std::nullopt;
  };
  for (const Json& row : comparison["rows"]) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells.emplace_back(row["method"].get<std::string>());
    const Json metrics = row.value("metrics", Json::object());
    for (std::size_t c = 1; c < metrics_end; ++c) {
      cells.emplace_back(number(metrics, table.header[c]));
    }
    cells.emplace_back(number(row, "cpu_seconds"));
    cells.emplace_back(number(row, "seconds"));
    const std::optional<double> memory = number(row, "peak_memory");
    cells.emplace_back(memory ? std::optional(1e-6 * *memory) : std::nullopt);
    cells.emplace_back(row.value("error", ""));
  }
  for (std::size_t c = 1; c < metrics_end; ++c) {
    table.mark_best(c, 1, table.rows.size(), more_is_better(table.header[c]));
  }
  return table;
}

/// Without the messages, where there are none.
TextTable without_last_column(TextTable table) {
  table.header.pop_back();
  std::ranges::for_each(table.rows, [](std::vector<Cell>& row) { row.pop_back(); });
  return table;
}

/// What people and programs find in the folder of the report, beside the clouds.
void write_report(const std::filesystem::path& folder, const Json& comparison, const TextTable& table) {
  write_file(folder / "table.json", comparison.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  write_file(folder / "table.csv", to_csv(table));
  write_file(folder / "table.md", fmt::format("{} against the {} {}\n\n{}", comparison["noisy"].get<std::string>(),
                                              comparison["kind"].get<std::string>(),
                                              comparison["truth"].get<std::string>(), to_markdown(table)));
}

/// What the table says about a row.
std::vector<Fact> facts_of(const Json& row) {
  std::vector<Fact> facts;
  for (const auto& [key, value] : row["metrics"].items()) {
    facts.push_back({key, value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : "", ""});
  }
  if (row.contains("seconds")) {
    facts.push_back({"CPU seconds", fmt::format("{:.2f}", row["cpu_seconds"].get<double>()), ""});
    facts.push_back({"seconds", fmt::format("{:.2f}", row["seconds"].get<double>()), ""});
    facts.push_back({"memory, MB", fmt::format("{:.0f}", 1e-6 * row["peak_memory"].get<double>()), ""});
  }
  return facts;
}

/// All clouds on one page, the noisy one first.
void write_view(const std::filesystem::path& folder, const std::string& page, const PointCloud& noisy,
                const Truth& truth, const Json& comparison, const ExecutionContext& context) {
  std::deque<PointCloud> results;
  std::vector<ViewedCloud> clouds;
  for (const Json& row : comparison["rows"]) {
    if (row.contains("cloud")) {
      results.push_back(read(folder / row["cloud"].get<std::string>(), context));
    }
    if (row.contains("metrics")) {
      clouds.push_back({row["method"], results.empty() ? noisy : results.back(), facts_of(row)});
    }
  }
  ViewSettings settings;
  settings.title =
      fmt::format("{}, truth {}", comparison["noisy"].get<std::string>(), comparison["truth"].get<std::string>());
  settings.distance_to_truth = distance_to(truth, context);
  write_page(folder / "index.html", page, make_scene(clouds, settings, context), context);
}

void compare(const CompareOptions& options, const Common& common) {
  const std::vector<Contender> all = contenders(options.methods);
  // On one thread: run_in_child needs a process without others.
  const int threads = std::exchange(common.context.threads, 1);
  const PointCloud noisy = read_input(options.noisy, common);
  const Truth truth = read_truth(options.truth, common.context);
  common.context.threads = threads;
  std::filesystem::create_directories(options.report);

  Json comparison = {{"noisy", options.noisy == "-" ? "standard input" : options.noisy},
                     {"truth", options.truth},
                     {"kind", kind_of(truth)},
                     {"points", noisy.size()},
                     {"rows", Json::array()}};
  comparison["rows"].push_back({{"method", "noisy"}, {"metrics", run_in_child("noisy", common.context, [&] {
                                                        common.terminal.keep_moving();
                                                        return metrics_of(
                                                            measure(noisy.positions, truth, common.context));
                                                      })}});
  std::size_t failed = 0;
  for (const Contender& contender : all) {
    Json row = {{"method", contender.label}};
    try {
      row.update(run_in_child(contender.label, common.context, [&] {
        common.terminal.keep_moving();
        return run_contender(contender, noisy, truth, options.report / contender.file, common.context);
      }));
    } catch (const Error& error) {
      row["error"] = error.what();
      ++failed;
      common.terminal.warn(fmt::format("{}: {}", contender.label, error.what()));
    }
    comparison["rows"].push_back(row);
  }
  const TextTable table = to_table(comparison);
  write_report(options.report, comparison, table);
  if (common.json) {
    print_json(comparison);
  } else {
    fmt::print("{}", to_text(failed > 0 ? table : without_last_column(table)));
  }
  std::string page;
  try {
    page = page_template();
  } catch (const Error& error) {  // the tables are worth having without it
    common.terminal.warn(fmt::format("index.html is left out: {}", error.what()));
  }
  if (!page.empty()) {
    (void)run_in_child("page", common.context, [&] {
      common.terminal.keep_moving();
      write_view(options.report, page, noisy, truth, comparison, common.context);
      return Json();
    });
  }
  if (failed > 0) {
    throw Error(
        fmt::format("{} of {} methods failed; the others are in {}", failed, all.size(), options.report.string()));
  }
}

}  // namespace

void add_compare(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("compare", "Run methods side by side and measure their results");
  const auto options = std::make_shared<CompareOptions>();
  command->add_option("NOISY", options->noisy, "The noisy cloud")->required();
  command->add_option("--truth", options->truth, "A clean cloud, a mesh, or the name of a synth shape")
      ->required()
      ->type_name("CLOUD|MESH|SHAPE");
  command
      ->add_option(
          "--methods", options->methods,
          "Methods to run: NAME or NAME:OPTION=VALUE:…, as in glr:preset=authors (default: all, without options)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B,…");
  command
      ->add_option("--report", options->report, "Folder for the tables and the denoised clouds; created if necessary")
      ->required()
      ->type_name("DIR");
  add_common_options(*command, common, true);
  command->footer(
      "Prints a table and writes table.csv, table.md, table.json, a cloud for each method and index.html, a page that\n"
      "shows them side by side, into DIR. Each method runs in its own process; memory is the peak of that process,\n"
      "including the cloud, and time is that of the method alone. If a method fails, the others still run, and the\n"
      "exit code is 1.\n"
      "\n"
      "Examples:\n"
      "  burnish compare noisy.ply --truth clean.ply --report comparison\n"
      "  burnish compare noisy.ply --truth clean.ply --methods auto,apss,apss:filter-scale=4 --report comparison");
  command->callback([options, &common] { compare(*options, common); });
}

}  // namespace burnish::cli
