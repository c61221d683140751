#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/parallel.hpp"

namespace burnish {

/// Sums of many distances, from which means and the maximum follow.
struct DistanceSums {
  std::size_t count = 0;
  double plain = 0.0;
  double squared = 0.0;
  double squared_max = 0.0;

  void add(double squared_distance) {
    ++count;
    plain += std::sqrt(squared_distance);
    squared += squared_distance;
    squared_max = std::max(squared_max, squared_distance);
  }
  DistanceSums& operator+=(const DistanceSums& other) {
    count += other.count;
    plain += other.plain;
    squared += other.squared;
    squared_max = std::max(squared_max, other.squared_max);
    return *this;
  }

  [[nodiscard]] double mean() const { return plain / static_cast<double>(count); }
  [[nodiscard]] double mean_square() const { return squared / static_cast<double>(count); }
  [[nodiscard]] double max() const { return std::sqrt(squared_max); }
};

/// Adds up squared_distance(i) for i of [0, count), in parallel.
template <class SquaredDistance>
[[nodiscard]] DistanceSums sum_distances(const ExecutionContext& context, std::size_t count,
                                         const SquaredDistance& squared_distance) {
  return parallel_sum(context, count, 1024, DistanceSums{}, [&](std::size_t begin, std::size_t end) {
    DistanceSums sums;
    for (std::size_t i = begin; i < end; ++i) {
      sums.add(squared_distance(i));
    }
    return sums;
  });
}

}  // namespace burnish
