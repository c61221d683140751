#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "entries.hpp"

namespace burnish::bench {
namespace {

using Json = nlohmann::ordered_json;

/// "0.181 ± 0.002 / 0.232 apss", what is lost in bold.
std::string ratio_text(const Entry& entry) {
  const GeometricMean& ratio = entry.ratios.front().second;
  std::string own = fmt::format("{:.3f}", ratio.mean());
  own = entry.is_lost() ? "**" + own + "**" : own;
  own += ratio.count() > 1.0 ? fmt::format(" ± {:.3f}", ratio.deviation()) : "";
  const auto [method, other] = entry.best_other();
  return fmt::format("{} / {:.3f} {}", own, other, method);
}

std::string header(const std::string& first, const std::vector<std::string>& columns) {
  std::string text = fmt::format("| {} | {} |\n|---|", first, fmt::join(columns, " | "));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += "---|";
  }
  return text + "\n";
}

/// Kinds of noise below each other, surfaces beside each other.
template <class Text>
std::string grid(const EntryTable& table, const Text& text_of) {
  const std::vector<std::string> surfaces = distinct(table, &Case::surface);
  std::string text = header("noise", surfaces);
  for (const std::string& kind : distinct(table, &Case::kind)) {
    std::string line;
    bool is_empty = true;
    for (const std::string& surface : surfaces) {
      const auto entry = std::ranges::find_if(
          table, [&](const Entry& e) { return e.first().about.kind == kind && e.first().about.surface == surface; });
      const std::string cell = entry == table.end() ? "" : text_of(*entry);
      is_empty = is_empty && cell.empty();
      line += fmt::format(" {} |", cell);
    }
    text += is_empty ? "" : fmt::format("| {} |{}\n", kind, line);
  }
  return text;
}

std::string outlier_text(const Entry& entry) {
  const double outliers = entry.mean([](const Row& row) { return static_cast<double>(row.outliers); });
  if (outliers == 0.0) {
    return "";
  }
  const double found = entry.mean([](const Row& row) { return static_cast<double>(row.outliers_found); });
  const double rejected = entry.mean([](const Row& row) { return static_cast<double>(row.good_rejected); });
  const double good = entry.mean([](const Row& row) { return static_cast<double>(row.points - row.outliers); });
  return fmt::format("{:.0f} % of {:.0f}, {:.2f} %", 100.0 * found / outliers, outliers, 100.0 * rejected / good);
}

std::string summary(const EntryTable& table) {
  GeometricMean own;
  GeometricMean other;
  GeometricMean best;
  std::size_t lost = 0;
  for (const Entry& entry : table) {
    own.add(entry.of_default());
    other.add(entry.best_other().second);
    best.add(std::min(entry.of_default(), entry.best_other().second));
    lost += entry.is_lost() ? 1 : 0;
  }
  return fmt::format(
      "Another method, or doing nothing, is better than the default by more than 2 % in {} of {} rows (bold). "
      "Geometric means: default {:.3f}, best other {:.3f}, best of both {:.3f}.\n",
      lost, table.size(), own.mean(), other.mean(), best.mean());
}

/// Every method by itself: geometric means over all kinds of noise, and processor time.
std::string method_table(const EntryTable& table) {
  std::vector<std::string> columns = distinct(table, &Case::surface);
  columns.emplace_back("µs per point");
  std::string text = header("method", columns);
  for (std::size_t m = 0; m < table.front().ratios.size(); ++m) {
    std::map<std::string, GeometricMean> of_surface;
    double microseconds = 0.0;
    double count = 0.0;
    for (const Entry& entry : table) {
      of_surface[entry.first().about.surface].add(entry.ratios[m].second.mean());
      for (const Row* row : entry.rows) {
        microseconds += row->runs[m].microseconds;
        count += 1.0;
      }
    }
    text += fmt::format("| {} |", m == 0 ? "default" : table.front().ratios[m].first);
    for (const std::string& surface : distinct(table, &Case::surface)) {
      text += fmt::format(" {:.3f} |", of_surface.at(surface).mean());
    }
    text += fmt::format(" {:.0f} |\n", microseconds / count);
  }
  return text;
}

std::string scan_table(const EntryTable& table) {
  std::string text = header("scan", {"points", "measured", "input", "default / best other", "noise found"});
  for (const Entry& entry : table) {
    const Row& row = entry.first();
    text += fmt::format("| {}, {} | {} | {} | {:.4g} | {} | {:.3g} |\n", row.about.kind, row.about.surface, row.points,
                        row.quantity, row.before, ratio_text(entry), row.noise_found);
  }
  return text;
}

/// Of every method, because a thinner cloud is not always a better one.
std::string thickness_table(const EntryTable& table) {
  std::vector<std::string> columns = {"points", "input", "noise found"};
  for (const auto& [method, ratio] : table.front().ratios) {
    columns.push_back(method == "auto" ? "default" : method);
  }
  std::string text = header("scan", columns);
  for (const Entry& entry : table) {
    const Row& row = entry.first();
    text += fmt::format("| {} | {} | {:.4g} | {:.3g} |", row.about.surface, row.points, row.before, row.noise_found);
    for (const auto& [method, ratio] : entry.ratios) {
      text += fmt::format(" {:.3f} |", ratio.mean());
    }
    text += "\n";
  }
  return text;
}

std::string seeds_of(const EntryTable& table) {
  std::set<std::uint64_t> seeds;
  for (const Entry& entry : table) {
    for (const Row* row : entry.rows) {
      seeds.insert(row->about.seed);
    }
  }
  return fmt::format("{} {}", seeds.size() == 1 ? "seed" : "mean and standard deviation over the seeds",
                     fmt::join(seeds, ", "));
}

/// What a row is stored as.
std::string id_of(const Row& row) {
  std::string id = fmt::format("{}, {}, {}", row.about.surface, row.about.kind, row.quantity);
  id += row.about.points > 0 ? fmt::format(", {} points, seed {}", row.about.points, row.about.seed) : "";
  return id;
}

}  // namespace

std::string to_markdown(const std::vector<Row>& rows) {
  std::string text;
  if (const EntryTable table = collect(rows, {"noise", "sensors"}); !table.empty()) {
    text += fmt::format(
        "Mean distance to the surface after / before, outliers not counted: default / best other method. "
        "About {} points, {}.\n\n{}\n{}",
        table.front().first().about.points, seeds_of(table), grid(table, ratio_text), summary(table));
    text += "\nGeometric means over these rows, and processor time on one core:\n\n" + method_table(table);
    text += "\nNoise that the default finds / root mean square distance of the points from the surface:\n\n";
    text += grid(table, [](const Entry& e) {
      return fmt::format("{:.2f}", e.mean([](const Row& row) { return row.noise_found / row.noise; }));
    });
    if (const std::string found = grid(table, outlier_text); std::ranges::count(found, '\n') > 2) {
      text += "\nOutliers that the default finds, and good points that it calls outliers:\n\n" + found;
    }
  }
  if (const EntryTable table = collect(rows, {"scans"}); !table.empty()) {
    text += fmt::format("{}Real scans against their reference, after / before:\n\n{}\n{}", text.empty() ? "" : "\n",
                        scan_table(table), summary(table));
  }
  if (const EntryTable table = collect(rows, {"thickness"}); !table.empty()) {
    text += fmt::format("{}Real scans without a reference: thickness of flat places, after / before:\n\n{}",
                        text.empty() ? "" : "\n", thickness_table(table));
  }
  return text;
}

void add_other_methods(std::vector<Row>& rows, const Json& earlier) {
  for (Row& row : rows) {
    const std::string id = id_of(row);
    if (!earlier.contains(id)) {
      throw Error("there is no stored run of " + id + ": run it without --default-only first");
    }
    for (const auto& [method, run] : earlier[id]["methods"].items()) {
      if (method != "auto") {
        row.runs.push_back({method, run["ratio"].get<double>(), run["microseconds_per_point"].get<double>()});
      }
    }
  }
}

Json to_json(const std::vector<Row>& rows) {
  Json all = Json::object();
  for (const Row& row : rows) {
    Json& entry = all[id_of(row)];
    entry = {{"table", row.about.table}, {"points", row.points},           {"before", row.before},
             {"noise", row.noise},       {"noise_found", row.noise_found}, {"outliers", row.outliers}};
    entry["outliers_found"] = row.outliers_found;
    entry["good_rejected"] = row.good_rejected;
    for (const MethodRun& run : row.runs) {
      entry["methods"][run.method] = {{"ratio", run.ratio}, {"microseconds_per_point", run.microseconds}};
    }
  }
  return all;
}

std::string differences(const Json& rows, const Json& earlier) {
  std::string text;
  for (const auto& [id, row] : rows.items()) {
    if (!earlier.contains(id)) {
      continue;
    }
    const Json& methods_then = earlier[id]["methods"];
    for (const auto& [method, run] : row["methods"].items()) {
      if (!methods_then.contains(method)) {
        continue;
      }
      const double then = methods_then[method]["ratio"].get<double>();
      const double now = run["ratio"].get<double>();
      if (std::abs(now / then - 1.0) > 0.02) {
        text += fmt::format("{}: {} {:.3f} → {:.3f}\n", id, method, then, now);
      }
    }
  }
  return text;
}

}  // namespace burnish::bench
