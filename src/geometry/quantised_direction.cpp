#include "geometry/quantised_direction.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "geometry/frames.hpp"
#include "geometry/intrinsic_order.hpp"

namespace burnish {
namespace {

constexpr std::size_t fewest_values = 6;
constexpr std::size_t fewest_points_of_a_value = 8;

/// The distinct coordinate values along a direction, if there are few.
std::optional<QuantisedDirection> values_along(const std::vector<Vec3>& points, const Vec3& direction, double spacing) {
  std::vector<double> heights(points.size());
  std::ranges::transform(points, heights.begin(), [&](const Vec3& p) { return direction.dot(p); });
  std::ranges::sort(heights);
  const double tolerance = 1e-4 * spacing;
  QuantisedDirection found;
  found.direction = direction;
  std::size_t begin = 0;
  std::size_t on_values = 0;
  for (std::size_t i = 1; i <= heights.size(); ++i) {
    if (i < heights.size() && heights[i] - heights[i - 1] <= tolerance) {
      continue;
    }
    // Where points are dense, neighbouring values are close without being the same.
    const bool is_one_value = heights[i - 1] - heights[begin] <= 2.0 * tolerance;
    if (i - begin >= fewest_points_of_a_value && is_one_value) {
      found.values.push_back(heights[(begin + i - 1) / 2]);
      on_values += i - begin;
    }
    begin = i;
  }
  // Nearly all points lie on these values, and no value is wide.
  if (found.values.size() < fewest_values || on_values * 10 < heights.size() * 9) {
    return std::nullopt;
  }
  found.steps.resize(found.values.size());
  for (std::size_t v = 0; v < found.values.size(); ++v) {
    const double below = v > 0 ? found.values[v] - found.values[v - 1] : found.values[1] - found.values[0];
    const double above = v + 1 < found.values.size() ? found.values[v + 1] - found.values[v] : below;
    found.steps[v] = std::min(below, above);  // gaps without any point are larger than a step
  }
  std::vector<double> sorted = found.steps;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  return sorted[sorted.size() / 2] > 0.1 * spacing ? std::optional(std::move(found)) : std::nullopt;
}

/// The most frequent normal of small neighbourhoods that are flat to rounding.
std::optional<Vec3> direction_of_flats(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                       const ExecutionContext& context) {
  constexpr std::size_t size = 6;
  const std::vector<std::uint32_t> sample = intrinsic_sample(points, 1000, context);
  std::vector<Vec3> normals;
  for (const std::uint32_t s : sample) {
    std::array<std::uint32_t, size> indices{};
    std::array<double, size> squares{};
    if (search.nearest(points[s], indices, squares) < size) {
      return std::nullopt;
    }
    std::array<Vec3, size> around;
    std::ranges::transform(indices, around.begin(), [&](std::uint32_t i) { return points[i]; });
    const PrincipalFrame frame = principal_frame(around);
    const Vec3 normal = frame.axes.col(2);
    double most = 0.0;
    for (const Vec3& p : around) {
      most = std::max(most, std::abs(normal.dot(p - frame.mean)));
    }
    if (most < 1e-5 * std::sqrt(squares.back())) {
      normals.push_back(normal);
    }
  }
  std::optional<Vec3> best;
  std::size_t best_count = std::max<std::size_t>(sample.size() / 40, 4);
  for (const Vec3& n : normals) {
    const auto alike = [&](const Vec3& m) { return std::abs(n.dot(m)) > 1.0 - 1e-6; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(normals, alike));
    if (count > best_count) {
      best_count = count;
      Vec3 sum = Vec3::Zero();
      for (const Vec3& m : normals) {
        if (alike(m)) {
          sum += n.dot(m) < 0.0 ? Vec3(-m) : m;
        }
      }
      best = sum.normalized();
    }
  }
  return best;
}

}  // namespace

double QuantisedDirection::step_at(const Vec3& point) const {
  const double height = direction.dot(point);
  const auto above = std::ranges::lower_bound(values, height);
  std::size_t v = static_cast<std::size_t>(above - values.begin());
  if (v == values.size() || (v > 0 && height - values[v - 1] < values[v] - height)) {
    --v;
  }
  return steps[v];
}

std::vector<QuantisedDirection> find_quantised_directions(const std::vector<Vec3>& points,
                                                          const NeighbourSearch& search, double spacing,
                                                          const ExecutionContext& context) {
  std::vector<Vec3> directions = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  if (const std::optional<Vec3> flat = direction_of_flats(points, search, context)) {
    if (std::ranges::none_of(directions, [&](const Vec3& d) { return std::abs(d.dot(*flat)) > 1.0 - 1e-6; })) {
      directions.push_back(*flat);
    }
  }
  std::vector<QuantisedDirection> found;
  for (const Vec3& direction : directions) {
    if (std::optional<QuantisedDirection> values = values_along(points, direction, spacing)) {
      found.push_back(std::move(*values));
    }
  }
  return found;
}

}  // namespace burnish
