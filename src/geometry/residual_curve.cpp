#include "geometry/residual_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "core/math.hpp"
#include "geometry/quadric.hpp"

namespace burnish {
namespace {

constexpr std::size_t smallest_size = 24;
constexpr std::size_t largest_size = 3072;

/// A neighbourhood must be this many standard deviations wide to be thick compared with the noise; in a volume it would
/// be 2.55 times as wide as the residual.
constexpr double least_width = 3.0;

/// Neighbourhoods span this many steps of quantised coordinates, up to the second number of points.
constexpr double steps_in_radius = 2.0;
constexpr std::size_t largest_size_for_steps = 384;

/// The noise across the surface that quantisation causes, and the largest step across it.
struct Steps {
  double deviation = 0.0;
  double largest = 0.0;
};

Steps steps_across(const std::vector<QuantisedDirection>& directions, const Vec3& place, const Vec3& normal) {
  Steps steps;
  for (const QuantisedDirection& along : directions) {
    const double step = along.step_at(place) * std::abs(along.direction.dot(normal));
    steps.deviation = math::hypot(steps.deviation, step / std::sqrt(12.0));  // of a uniform distribution
    steps.largest = std::max(steps.largest, step);
  }
  return steps;
}

}  // namespace

double variance_within(double radius) {
  constexpr int steps = 200;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double z = radius * (i + 0.5) / steps;
    const double density = math::exp(-0.5 * z * z) * (radius * radius - z * z);
    sum += density;
    squares += density * z * z;
  }
  return squares / sum;
}

double undo_cut(double variance, double radius) {
  double low = std::sqrt(variance);
  if (radius > 6.0 * low) {
    return low;  // what is cut off does not change the fourth digit
  }
  double high = 10.0 * low;
  for (int i = 0; i < 30; ++i) {
    const double middle = std::sqrt(low * high);
    (middle * middle * variance_within(radius / middle) < variance ? low : high) = middle;
  }
  return low;
}

bool is_line(const Vec3& spread) {
  return spread[0] > 1.4 * spread[1] && spread[0] - spread[1] > 2.0 * (spread[1] - spread[2]);
}

ResidualCurve residual_curve(const std::vector<Vec3>& points, const NeighbourSearch& search, const Vec3& place,
                             const std::vector<QuantisedDirection>& directions) {
  ResidualCurve curve;
  std::vector<Vec3> around;
  std::size_t found = 0;
  for (std::size_t size = smallest_size; found < ResidualCurve::sizes; size *= 2) {
    if (size > std::min(largest_size, points.size())) {
      for (; found > 0 && found < ResidualCurve::sizes; ++found) {
        curve.deviation[found] = curve.deviation[found - 1];
      }
      return curve;
    }
    around.resize(size);
    NeighbourQueries queries(search, size);
    double radius = 0.0;
    const auto gather = [&](const Vec3& from) {
      const NeighbourQueries::Found nearest = queries.nearest(from);
      std::ranges::transform(nearest.indices, around.begin(), [&](std::uint32_t i) { return points[i]; });
      radius = std::sqrt(nearest.farthest);
    };
    // Around the projection of the point onto its plane, not around the noisy point, so that the ball truncates both
    // sides equally.
    gather(place);
    const PrincipalFrame frame = principal_frame(around);
    const Vec3 normal = frame.axes.col(2);
    gather(place - normal * normal.dot(place - frame.mean));
    const QuadricFit fit = fit_quadric(around, {}, radius);
    Vec3 spread = Vec3::Zero();
    double second = 0.0;
    double fourth = 0.0;
    for (const Vec3& p : around) {
      spread += (fit.frame.axes.transpose() * (p - fit.frame.mean)).cwiseAbs2();
      const QuadricFit::Place at = fit.place(p);
      const double square = math::square(at.height - fit.height_at(at));
      second += square;
      fourth += square * square;
    }
    if (found == 0) {
      const Steps steps = steps_across(directions, place, fit.frame.axes.col(2));
      const bool misses_steps = radius < steps_in_radius * steps.largest && size < largest_size_for_steps;
      if (is_line(spread.cwiseSqrt()) || misses_steps ||
          radius * radius < least_width * least_width * fit.residual_variance) {
        continue;
      }
      curve.first_size = size;
      curve.spacing = radius * std::sqrt(std::numbers::pi / static_cast<double>(size));
      curve.quantisation = steps.deviation;
    }
    if (found == 1 && second > 0.0) {
      curve.kurtosis = fourth * static_cast<double>(size) / (second * second) - 3.0;
    }
    curve.deviation[found++] = undo_cut(fit.residual_variance, radius);
  }
  return curve;
}

}  // namespace burnish
