#include "coordinate_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace burnish::cli {
namespace {

constexpr double tolerance = 0.01;  // of the step

/// Makes a step exact that is roughly known: as a part of longer and longer differences, which each are a whole number
/// of steps. `values` are sorted.
double refined(double step, const std::vector<double>& values) {
  constexpr double growth = 8.0;
  const double range = values.back() - values.front();
  for (double length = growth * step;; length *= growth) {
    const auto far = std::ranges::upper_bound(values, values.front() + length);
    const double difference = *std::prev(far) - values.front();
    if (const double steps = std::round(difference / step); steps > 0.0) {
      step = difference / steps;
    }
    if (length >= range) {
      return step;
    }
  }
}

bool is_grid(double step, const std::vector<double>& values, double precision) {
  const auto on_grid = std::ranges::count_if(values, [&](double value) {
    const double along = (value - values.front()) / step;
    return std::abs(along - std::round(along)) < tolerance + precision / step;
  });
  return static_cast<double>(on_grid) >= 0.999 * static_cast<double>(values.size());
}

}  // namespace

double coordinate_step(std::span<const Vec3> positions, int axis, ScalarType type) {
  constexpr std::size_t most = 100000;
  constexpr double most_steps = 1e9;
  constexpr int largest_divisor = 10;
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
  const double epsilon = type == ScalarType::float32 ? double{std::numeric_limits<float>::epsilon()}
                                                     : 8.0 * std::numeric_limits<double>::epsilon();
  const double precision = epsilon * std::max(std::abs(values.front()), std::abs(values.back()));
  const double range = values.back() - values.front();
  double smallest = range;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double difference = values[i] - values[i - 1];
    smallest = difference > precision ? std::min(smallest, difference) : smallest;
  }
  // Of few points no two may be neighbours on the grid: the smallest difference is several steps then.
  for (int divisor = 1; divisor <= largest_divisor; ++divisor) {
    const double rough = smallest / divisor;
    if (rough <= 8.0 * precision || range / rough > most_steps) {
      return 0.0;
    }
    if (const double step = refined(rough, values); is_grid(step, values, precision)) {
      return step;
    }
  }
  return 0.0;
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
