#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cells.hpp"

// Rows of the measurements as entries of tables.

namespace burnish::bench {

/// Mean of ratios.
class GeometricMean {
 public:
  void add(double value);
  [[nodiscard]] double mean() const;
  /// Standard deviation of the values.
  [[nodiscard]] double deviation() const;
  [[nodiscard]] double count() const { return count_; }

 private:
  double sum_ = 0.0;
  double squares_ = 0.0;
  double count_ = 0.0;
};

/// Rows that differ only in the seed.
struct Entry {
  std::vector<const Row*> rows;
  std::vector<std::pair<std::string, GeometricMean>> ratios;  ///< by method, the default first

  [[nodiscard]] const Row& first() const { return *rows.front(); }
  [[nodiscard]] double of_default() const { return ratios.front().second.mean(); }
  [[nodiscard]] std::pair<std::string, double> best_other() const;
  /// Another method, or doing nothing, is better than the default by more than 2 %.
  [[nodiscard]] bool is_lost() const;
  /// Over the seeds.
  [[nodiscard]] double mean(double (*value)(const Row&)) const;
};

using EntryTable = std::vector<Entry>;

/// The rows of these tables.
[[nodiscard]] EntryTable collect(const std::vector<Row>& rows, const std::vector<std::string>& tables);

/// Surfaces or kinds in the order in which they first occur.
[[nodiscard]] std::vector<std::string> distinct(const EntryTable& table, std::string Case::*name);

}  // namespace burnish::bench
