#include <cmath>
#include <numeric>

#include "burnish/mesh_distance.hpp"
#include "burnish/metrics.hpp"
#include "evaluate/distance_sums.hpp"
#include "evaluate/finite_points.hpp"

namespace burnish {
namespace {

void store(const DistanceSums& sums, std::size_t all_points, SurfaceMetrics& metrics) {
  metrics.points = sums.count;
  metrics.left_out = all_points - sums.count;
  metrics.mean_distance = sums.mean();
  metrics.rms_distance = std::sqrt(sums.mean_square());
  metrics.max_distance = sums.max();
}

}  // namespace

MeshMetrics compare_to_mesh(std::span<const Vec3> result, const TriangleMesh& truth, const ExecutionContext& context) {
  const std::vector<Vec3> v = finite_points_in_space(result, "result", context);
  const MeshDistance mesh(truth);

  context.report("comparing with the mesh", 0.0);
  const DistanceSums sums =
      sum_distances(context, v.size(), [&](std::size_t i) { return mesh.squared_distance(v[i]); });

  context.report("comparing with the mesh", 0.5);
  const std::vector<double> from_triangles = squared_distances_to_points(truth, v, context);
  const double triangle_mean =
      std::accumulate(from_triangles.begin(), from_triangles.end(), 0.0) / static_cast<double>(from_triangles.size());

  MeshMetrics metrics;
  store(sums, result.size(), metrics);
  // Vertices no triangle uses may be anything; those that are used are known to be finite.
  const double radius = radius_around_box_centre(finite_points(truth.vertices));
  const double unit = radius > 0.0 ? radius : 1.0;
  metrics.p2m_points = sums.mean_square() / (unit * unit);
  metrics.p2m_triangles = triangle_mean / (unit * unit);
  metrics.p2m = metrics.p2m_points + metrics.p2m_triangles;
  context.report("comparing with the mesh", 1.0);
  return metrics;
}

ShapeMetrics compare_to_shape(std::span<const Vec3> result, const Shape& truth, double edge_band,
                              const ExecutionContext& context) {
  const std::vector<Vec3> v = finite_points_in_space(result, "result", context);
  struct Sums {
    DistanceSums all, edge;
    Sums& operator+=(const Sums& other) {
      all += other.all;
      edge += other.edge;
      return *this;
    }
  };
  context.report("comparing with the shape", 0.0);
  const Sums sums = parallel_sum(context, v.size(), 256, Sums{}, [&](std::size_t begin, std::size_t end) {
    Sums part;
    for (std::size_t i = begin; i < end; ++i) {
      const double distance = truth.distance(v[i]);
      part.all.add(distance * distance);
      if (truth.edge_distance(v[i]) <= edge_band) {
        part.edge.add(distance * distance);
      }
    }
    return part;
  });
  ShapeMetrics metrics;
  store(sums.all, result.size(), metrics);
  metrics.edge_points = sums.edge.count;
  if (sums.edge.count > 0) {
    metrics.edge_mean_distance = sums.edge.mean();
    metrics.edge_rms_distance = std::sqrt(sums.edge.mean_square());
  }
  context.report("comparing with the shape", 1.0);
  return metrics;
}

}  // namespace burnish
