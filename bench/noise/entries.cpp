#include "entries.hpp"

#include <algorithm>
#include <cmath>

namespace burnish::bench {

void GeometricMean::add(double value) {
  sum_ += std::log(value);
  squares_ += std::log(value) * std::log(value);
  count_ += 1.0;
}

double GeometricMean::mean() const { return std::exp(sum_ / count_); }

double GeometricMean::deviation() const {
  const double variance = (squares_ - sum_ * sum_ / count_) / std::max(1.0, count_ - 1.0);
  return mean() * std::sqrt(std::max(0.0, variance));
}

std::pair<std::string, double> Entry::best_other() const {
  const auto best = std::min_element(ratios.begin() + 1, ratios.end(),
                                     [](const auto& a, const auto& b) { return a.second.mean() < b.second.mean(); });
  return {best->first, best->second.mean()};
}

bool Entry::is_lost() const {
  constexpr double margin = 1.02;
  return of_default() > margin * std::min(best_other().second, 1.0);
}

double Entry::mean(double (*value)(const Row&)) const {
  double sum = 0.0;
  for (const Row* row : rows) {
    sum += value(*row);
  }
  return sum / static_cast<double>(rows.size());
}

EntryTable collect(const std::vector<Row>& rows, const std::vector<std::string>& tables) {
  EntryTable table;
  for (const Row& row : rows) {
    if (std::ranges::find(tables, row.about.table) == tables.end()) {
      continue;
    }
    auto entry = std::ranges::find_if(table, [&](const Entry& other) {
      const Row& a = other.first();
      return a.about.surface == row.about.surface && a.about.kind == row.about.kind && a.quantity == row.quantity;
    });
    if (entry == table.end()) {
      table.emplace_back();
      entry = table.end() - 1;
      for (const MethodRun& run : row.runs) {
        entry->ratios.emplace_back(run.method, GeometricMean());
      }
    }
    entry->rows.push_back(&row);
    for (std::size_t m = 0; m < row.runs.size(); ++m) {
      entry->ratios[m].second.add(row.runs[m].ratio);
    }
  }
  return table;
}

std::vector<std::string> distinct(const EntryTable& table, std::string Case::*name) {
  std::vector<std::string> names;
  for (const Entry& entry : table) {
    if (std::ranges::find(names, entry.first().about.*name) == names.end()) {
      names.push_back(entry.first().about.*name);
    }
  }
  return names;
}

}  // namespace burnish::bench
