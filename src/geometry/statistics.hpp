#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

namespace burnish {

/// 0 below one end, 1 above the other, smooth between.
inline double smooth_step(double value, double begin, double end) {
  const double t = std::clamp((value - begin) / (end - begin), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

inline double quantile_of(std::vector<double>& values, double part) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

template <class Number>
double quantile_over(const auto& items, double part, Number&& number) {
  std::vector<double> values;
  values.reserve(std::size(items));
  for (const auto& item : items) {
    values.push_back(std::invoke(number, item));
  }
  return quantile_of(values, part);
}

}  // namespace burnish
