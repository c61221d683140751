#include "coordinate_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace burnish::cli {

double coordinate_step(std::span<const Vec3> positions, int axis) {
  constexpr std::size_t most = 100000;
  constexpr double tolerance = 0.01;  // of the step
  std::vector<double> values;
  const std::size_t stride = std::max<std::size_t>(1, positions.size() / most);
  for (std::size_t i = 0; i < positions.size(); i += stride) {
    if (is_finite(positions[i])) {
      values.push_back(positions[i][axis]);
    }
  }
  std::ranges::sort(values);
  if (values.size() < 20 || values.front() == values.back()) {
    return 0.0;
  }
  // What arithmetic on such numbers leaves is no difference.
  const double precision =
      8.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(values.front()), std::abs(values.back()));
  double smallest = values.back() - values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double difference = values[i] - values[i - 1];
    smallest = difference > precision ? std::min(smallest, difference) : smallest;
  }
  const double steps = std::round((values.back() - values.front()) / smallest);
  if (smallest <= 4.0 * precision || steps > 1e9) {
    return 0.0;
  }
  const double step = (values.back() - values.front()) / steps;
  std::size_t on_grid = 0;
  for (const double value : values) {
    const double along = (value - values.front()) / step;
    on_grid += std::abs(along - std::round(along)) < tolerance + precision / step ? 1 : 0;
  }
  return static_cast<double>(on_grid) >= 0.999 * static_cast<double>(values.size()) ? step : 0.0;
}

double float_step(std::span<const Vec3> positions) {
  float largest = 0.0F;
  for (const Vec3& p : positions) {
    if (is_finite(p)) {
      largest = std::max(largest, static_cast<float>(p.cwiseAbs().maxCoeff()));
    }
  }
  return std::nextafter(largest, std::numeric_limits<float>::infinity()) - largest;
}

}  // namespace burnish::cli
