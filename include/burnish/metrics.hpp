#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/mesh.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"
#include "burnish/shapes.hpp"

// Accuracy of a result, compared with a clean cloud, a mesh or an exact shape. U is the truth and V the result. Points
// that are not finite are left out and counted. All functions throw Error if no point remains.

namespace burnish {

/// Distances between two clouds, lengths in the unit of the files. The tables of the GLR paper do not follow its
/// formulas: `mse` and `snr` are computed by the formulas, `mean_distance` and `snr_tabulated` are the numbers printed
/// in the tables as "MSE" and "SNR".
struct CloudMetrics {
  std::size_t result_points = 0;  ///< finite points of V
  std::size_t truth_points = 0;   ///< finite points of U
  std::size_t result_left_out = 0;
  std::size_t truth_left_out = 0;

  /// Mean distance to the nearest point of the other cloud, averaged over both directions: the tables' "MSE".
  double mean_distance = 0.0;
  /// The same with squared distances: the paper's formula for MSE.
  double mse = 0.0;
  /// The same with city-block distance and city-block nearest neighbours: formula and tables agree.
  double mcd = 0.0;
  /// 10 log10(mean |v|^2 / mse) in decibels, the paper's formula; v in file coordinates, so it depends on the origin.
  /// Infinite if the clouds are equal.
  double snr = 0.0;
  /// 10 ln(mean |v| / mean_distance), natural logarithm and plain norms, as in the tables.
  double snr_tabulated = 0.0;
  /// Mean squared distance V to U plus mean squared distance U to V, in units in which U's largest distance to the
  /// centre of its bounding box is 1. Papers print it times 10^4. (If all points of U coincide, in file units.)
  double chamfer = 0.0;
  /// Mean distance of V to the plane through the 10 nearest points of U, at most the distance to the nearest of them:
  /// the error without its component along the surface.
  double surface = 0.0;
  /// The largest distance to the nearest point of the other cloud, over both directions.
  double hausdorff = 0.0;
  /// Coefficient of variation (standard deviation / mean) of the distances from each point of V to its nearest other
  /// point of V: 0 for a perfect lattice, about 0.5 for random points.
  double evenness = 0.0;
  /// Root mean square distance between point i of V and point i of U; only if both clouds have the same number of
  /// points.
  std::optional<double> aligned_rms;
};

/// Compares a result V with a clean cloud U.
[[nodiscard]] CloudMetrics compare_to_cloud(std::span<const Vec3> result, std::span<const Vec3> truth,
                                            const ExecutionContext& context = {});

/// The surface sampled by a clean cloud U, for the distances of single points, of which the metric `surface` is the
/// mean. Build once, then query from any number of threads.
class CloudSurface {
 public:
  /// Copies the points. Throws Error if no point is finite.
  explicit CloudSurface(std::span<const Vec3> truth, const ExecutionContext& context = {});

  /// The query must be finite.
  [[nodiscard]] double distance(const Vec3& query) const;

 private:
  std::vector<Vec3> points_;
  NeighbourSearch search_;
};

/// Distances of a cloud from an exact surface, in the unit of the files.
struct SurfaceMetrics {
  std::size_t points = 0;    ///< finite points of V
  std::size_t left_out = 0;  ///< the others
  double mean_distance = 0.0;
  double rms_distance = 0.0;
  double max_distance = 0.0;
};

struct MeshMetrics : SurfaceMetrics {
  /// Mean squared distance point to mesh plus mean over triangles of the squared distance to the nearest point, in
  /// units in which the mesh vertices' largest distance to the centre of their bounding box is 1. Papers print it
  /// times 10^4.
  double p2m = 0.0;
  /// The two halves of p2m.
  double p2m_points = 0.0;
  double p2m_triangles = 0.0;
};

/// Compares a result V with a triangle mesh.
[[nodiscard]] MeshMetrics compare_to_mesh(std::span<const Vec3> result, const TriangleMesh& truth,
                                          const ExecutionContext& context = {});

struct ShapeMetrics : SurfaceMetrics {
  /// The same for points near a sharp edge only, where methods differ most; 0 if there are none.
  std::size_t edge_points = 0;
  double edge_mean_distance = 0.0;
  double edge_rms_distance = 0.0;
};

/// Compares a result V with a procedural shape. Points within `edge_band` of a sharp edge count as near it; the shapes
/// are of unit size.
[[nodiscard]] ShapeMetrics compare_to_shape(std::span<const Vec3> result, const Shape& truth, double edge_band = 0.02,
                                            const ExecutionContext& context = {});

/// A metric as reported by `burnish evaluate` and the Python module.
struct NamedMetric {
  std::string name;
  double value = 0.0;
  std::string meaning;
};

/// All metrics of a comparison, by name.
struct Measurement {
  std::size_t points = 0;    ///< finite points of V
  std::size_t left_out = 0;  ///< the others
  std::vector<NamedMetric> metrics;
};

[[nodiscard]] Measurement by_name(const CloudMetrics& metrics);
[[nodiscard]] Measurement by_name(const MeshMetrics& metrics);
[[nodiscard]] Measurement by_name(const ShapeMetrics& metrics);

/// True for metrics of which larger values are better.
[[nodiscard]] bool more_is_better(std::string_view name);

}  // namespace burnish
