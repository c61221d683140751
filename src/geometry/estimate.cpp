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

constexpr std::size_t largest_sample = 4000;

/// Some points, spread over the cloud, so that an estimate costs no more for a large cloud than for a small one. Every
/// n-th by distance from the middle: the same points however the cloud is turned or ordered.
std::vector<Vec3> sample_of(const std::vector<Vec3>& points, const ExecutionContext& context) {
  if (points.size() <= largest_sample) {
    return points;
  }
  struct Ranked {
    double distance;
    std::uint32_t index;
  };
  const Vec3 middle = mean_of(points);
  std::vector<Ranked> ranked(points.size());
  parallel_for(context, points.size(), 1 << 14, [&](std::size_t i) {
    ranked[i] = {(points[i] - middle).squaredNorm(), static_cast<std::uint32_t>(i)};
  });
  parallel_sort(context, ranked, [](const Ranked& a, const Ranked& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
  });
  std::vector<Vec3> sample(largest_sample);
  for (std::size_t s = 0; s < sample.size(); ++s) {
    sample[s] = points[ranked[s * points.size() / sample.size()].index];
  }
  return sample;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The standard deviation that the best quadric z(x, y) leaves over, corrected for its six parameters. Lengths are
/// measured in units of `radius`, so that the terms of the quadric are of one size.
double quadric_residual(std::span<const Vec3> neighbours, double radius) {
  const PrincipalFrame frame = principal_frame(neighbours);
  const auto rows = static_cast<Eigen::Index>(neighbours.size());
  Eigen::Matrix<double, Eigen::Dynamic, 6> terms(rows, 6);
  Eigen::VectorXd heights(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Vec3 p = frame.axes.transpose() * (neighbours[static_cast<std::size_t>(i)] - frame.mean) / radius;
    terms.row(i) << 1.0, p.x(), p.y(), p.x() * p.x(), p.x() * p.y(), p.y() * p.y();
    heights[i] = p.z();
  }
  const Eigen::VectorXd fit = terms.colPivHouseholderQr().solve(heights);
  return radius * std::sqrt((terms * fit - heights).squaredNorm() / static_cast<double>(rows - 6));
}

}  // namespace

double estimate_spacing(std::span<const Vec3> input, const ExecutionContext& context) {
  const WorkingPoints working = working_points(input, context);
  if (working.points.size() < 2) {
    return 0.0;
  }
  constexpr std::size_t wanted = 12;
  const NeighbourSearch search(working.points);
  const std::vector<Vec3> sample = sample_of(working.points, context);
  std::vector<double> spacings(sample.size());
  parallel_for(context, sample.size(), 64, [&](std::size_t s) {
    std::uint32_t indices[wanted + 1];
    double distances[wanted + 1];
    const std::size_t others = search.nearest(sample[s], indices, distances) - 1;
    // The circle through the last of n neighbours holds n + 1/2 points: that one lies half in it.
    spacings[s] = std::sqrt(std::numbers::pi * distances[others] / (static_cast<double>(others) + 0.5));
  });
  return median(std::move(spacings));
}

double estimate_noise(std::span<const Vec3> input, const ExecutionContext& context) {
  const WorkingPoints working = working_points(input, context);
  constexpr std::size_t fewest = 24;
  constexpr std::size_t most = 1536;
  const NeighbourSearch search(working.points);
  const std::vector<Vec3> sample = sample_of(working.points, context);
  double noise = 0.0;
  for (std::size_t wanted = fewest; wanted <= std::min(most, working.points.size()); wanted *= 2) {
    std::vector<double> residuals(sample.size());
    std::vector<double> radii(sample.size());
    parallel_blocks(context, sample.size(), 64, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> indices(wanted);
      std::vector<double> distances(wanted);
      std::vector<Vec3> neighbours(wanted);
      for (std::size_t s = begin; s < end; ++s) {
        search.nearest(sample[s], indices, distances);
        std::ranges::transform(indices, neighbours.begin(), [&](std::uint32_t i) { return working.points[i]; });
        radii[s] = std::sqrt(distances.back());
        residuals[s] = quadric_residual(neighbours, radii[s]);
      }
    });
    noise = median(std::move(residuals));
    // In a neighbourhood no wider than the noise is thick, the residual is as wide as the neighbourhood.
    if (median(std::move(radii)) > 4.0 * noise) {
      break;
    }
  }
  return noise;
}

}  // namespace burnish
