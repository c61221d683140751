#include <Eigen/Eigenvalues>

#include <array>
#include <cmath>

#include "burnish/metrics.hpp"
#include "burnish/neighbours.hpp"
#include "core/math.hpp"
#include "evaluate/distance_sums.hpp"
#include "evaluate/finite_points.hpp"

namespace burnish {
namespace {

using Points = std::vector<Vec3>;

/// Distance, in the search's metric, from a point to its nearest one in the search.
double nearest_distance(const NeighbourSearch& search, const Vec3& query) {
  std::array<std::uint32_t, 1> index;
  std::array<double, 1> distance;
  search.nearest(query, index, distance);
  return distance[0];
}

DistanceSums nearest_sums(const Points& from, const NeighbourSearch& to, const ExecutionContext& context) {
  return sum_distances(context, from.size(), [&](std::size_t i) { return nearest_distance(to, from[i]); });
}

double mean_city_block(const Points& from, const Points& to, const ExecutionContext& context) {
  const NeighbourSearch search(to, context, Metric::city_block);
  const double sum = parallel_sum(context, from.size(), 1024, 0.0, [&](std::size_t begin, std::size_t end) {
    double part = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      part += nearest_distance(search, from[i]);
    }
    return part;
  });
  return sum / static_cast<double>(from.size());
}

/// Squared distance to the least-squares plane of the 10 nearest truth points, at most that to the nearest of them.
double squared_plane_distance(const Vec3& query, const Points& truth, const NeighbourSearch& search) {
  std::array<std::uint32_t, 10> indices;
  std::array<double, 10> distances;
  const std::size_t count = search.nearest(query, indices, distances);
  if (count < 3) {
    return distances[0];
  }
  Vec3 mean = Vec3::Zero();
  for (std::size_t j = 0; j < count; ++j) {
    mean += truth[indices[j]] - query;  // relative to the query: precise far from the origin
  }
  mean /= static_cast<double>(count);
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (std::size_t j = 0; j < count; ++j) {
    const Vec3 d = truth[indices[j]] - query - mean;
    covariance += d * d.transpose();
  }
  const Vec3 normal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(covariance).eigenvectors().col(0);
  const double height = normal.dot(mean);
  return std::min(height * height, distances[0]);
}

double coefficient_of_variation(const Points& points, const NeighbourSearch& search, const ExecutionContext& context) {
  if (points.size() < 2) {
    return 0.0;
  }
  const DistanceSums sums = sum_distances(context, points.size(), [&](std::size_t i) {
    // The nearest of all is the point itself, or a duplicate of it, and then the second is at distance 0 as well.
    std::array<std::uint32_t, 2> indices;
    std::array<double, 2> distances;
    search.nearest(points[i], indices, distances);
    return distances[1];
  });
  const double variance = std::max(0.0, sums.mean_square() - sums.mean() * sums.mean());
  return sums.mean() > 0.0 ? std::sqrt(variance) / sums.mean() : 0.0;
}

std::optional<double> aligned_rms(std::span<const Vec3> result, std::span<const Vec3> truth) {
  if (result.size() != truth.size()) {
    return std::nullopt;
  }
  DistanceSums sums;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (is_finite(result[i]) && is_finite(truth[i])) {
      sums.add((result[i] - truth[i]).squaredNorm());
    }
  }
  return sums.count > 0 ? std::optional(std::sqrt(sums.mean_square())) : std::nullopt;
}

}  // namespace

CloudSurface::CloudSurface(std::span<const Vec3> truth, const ExecutionContext& context)
    : points_(finite_points_in_space(truth, "truth", context)), search_(points_, context) {}

double CloudSurface::distance(const Vec3& query) const {
  return std::sqrt(squared_plane_distance(query, points_, search_));
}

CloudMetrics compare_to_cloud(std::span<const Vec3> result, std::span<const Vec3> truth,
                              const ExecutionContext& context) {
  const Points v = finite_points_in_space(result, "result", context);
  const Points u = finite_points_in_space(truth, "truth", context);
  const NeighbourSearch search_v(v, context);
  const NeighbourSearch search_u(u, context);

  CloudMetrics metrics;
  metrics.result_points = v.size();
  metrics.truth_points = u.size();
  metrics.result_left_out = result.size() - v.size();
  metrics.truth_left_out = truth.size() - u.size();

  context.report("comparing clouds", 0.0);
  const DistanceSums v_to_u = nearest_sums(v, search_u, context);
  const DistanceSums u_to_v = nearest_sums(u, search_v, context);
  metrics.mean_distance = 0.5 * (v_to_u.mean() + u_to_v.mean());
  metrics.mse = 0.5 * (v_to_u.mean_square() + u_to_v.mean_square());
  metrics.hausdorff = std::max(v_to_u.max(), u_to_v.max());

  const double radius = radius_around_box_centre(u);
  const double unit = radius > 0.0 ? radius : 1.0;
  metrics.chamfer = (v_to_u.mean_square() + u_to_v.mean_square()) / (unit * unit);

  const DistanceSums norms = sum_distances(context, v.size(), [&](std::size_t i) { return v[i].squaredNorm(); });
  metrics.snr = 10.0 * math::log10(norms.mean_square() / metrics.mse);
  metrics.snr_tabulated = 10.0 * math::log(norms.mean() / metrics.mean_distance);

  context.report("comparing clouds", 0.3);
  metrics.mcd = 0.5 * (mean_city_block(v, u, context) + mean_city_block(u, v, context));

  context.report("comparing clouds", 0.6);
  metrics.surface =
      sum_distances(context, v.size(), [&](std::size_t i) { return squared_plane_distance(v[i], u, search_u); }).mean();
  metrics.evenness = coefficient_of_variation(v, search_v, context);
  metrics.aligned_rms = aligned_rms(result, truth);
  context.report("comparing clouds", 1.0);
  return metrics;
}

}  // namespace burnish
