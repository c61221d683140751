#include "burnish/estimate.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"
#include "geometry/frames.hpp"
#include "geometry/working_points.hpp"

namespace burnish {
namespace {

/// Looks at every n-th point only, so that the estimate of a large cloud costs no more than that of a small one.
constexpr std::size_t largest_sample = 4000;

double median(std::vector<double> values) {
  if (values.empty()) {
    return 0.0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The median over a sample of the points of what `measure` says of each.
template <class Measure>
double median_over_sample(std::span<const Vec3> points, const ExecutionContext& context, const Measure& measure) {
  const std::size_t sample = std::min(points.size(), largest_sample);
  std::vector<double> values(sample);
  parallel_for(context, sample, 64, [&](std::size_t s) { values[s] = measure(points[s * points.size() / sample]); });
  return median(std::move(values));
}

/// The standard deviation that the best quadric z(x, y) leaves over, corrected for its six parameters.
double quadric_residual(std::span<const Vec3> neighbours) {
  const PrincipalFrame frame = principal_frame(neighbours);
  const auto rows = static_cast<Eigen::Index>(neighbours.size());
  Eigen::Matrix<double, Eigen::Dynamic, 6> terms(rows, 6);
  Eigen::VectorXd heights(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Vec3 p = frame.axes.transpose() * (neighbours[static_cast<std::size_t>(i)] - frame.mean);
    terms.row(i) << 1.0, p.x(), p.y(), p.x() * p.x(), p.x() * p.y(), p.y() * p.y();
    heights[i] = p.z();
  }
  const Eigen::VectorXd fit = terms.colPivHouseholderQr().solve(heights);
  return std::sqrt((terms * fit - heights).squaredNorm() / static_cast<double>(rows - 6));
}

}  // namespace

double estimate_spacing(std::span<const Vec3> input, const ExecutionContext& context) {
  const WorkingPoints working = working_points(input, context);
  constexpr std::size_t wanted = 12;
  if (working.points.size() < 2) {
    return 0.0;
  }
  const NeighbourSearch search(working.points);
  return median_over_sample(working.points, context, [&](const Vec3& p) {
    std::uint32_t indices[wanted + 1];
    double distances[wanted + 1];
    const std::size_t others = search.nearest(p, indices, distances) - 1;
    // The circle through the last of n neighbours holds n + 1/2 points: that one lies half in it.
    return std::sqrt(std::numbers::pi * distances[others] / (static_cast<double>(others) + 0.5));
  });
}

double estimate_noise(std::span<const Vec3> input, const ExecutionContext& context) {
  const WorkingPoints working = working_points(input, context);
  constexpr std::size_t fewest = 24;
  constexpr std::size_t most = 1536;
  const NeighbourSearch search(working.points);
  double noise = 0.0;
  for (std::size_t wanted = fewest; wanted <= std::min(most, working.points.size()); wanted *= 2) {
    double radius = 0.0;
    noise = median_over_sample(working.points, context, [&](const Vec3& p) {
      std::vector<std::uint32_t> indices(wanted);
      std::vector<double> distances(wanted);
      search.nearest(p, indices, distances);
      std::vector<Vec3> neighbours(wanted);
      std::ranges::transform(indices, neighbours.begin(), [&](std::uint32_t i) { return working.points[i]; });
      return quadric_residual(neighbours);
    });
    radius = median_over_sample(working.points, context, [&](const Vec3& p) {
      std::vector<std::uint32_t> indices(wanted);
      std::vector<double> distances(wanted);
      search.nearest(p, indices, distances);
      return std::sqrt(distances.back());
    });
    // In a neighbourhood no wider than the noise is thick, the residual is as wide as the neighbourhood.
    if (radius > 4.0 * noise) {
      break;
    }
  }
  return noise;
}

}  // namespace burnish
