#include "truth.hpp"

#include <algorithm>
#include <filesystem>

#include "burnish/estimate.hpp"
#include "burnish/io.hpp"
#include "burnish/metrics.hpp"

namespace burnish::cli {
namespace {

Measurement measure_against(const std::vector<Vec3>& result, const PointCloud& truth, const ExecutionContext& context) {
  const CloudMetrics m = compare_to_cloud(result, truth.positions, context);
  Measurement measurement{m.result_points, m.result_left_out, {}};
  measurement.metrics = {
      {"mean_distance", m.mean_distance, "mean distance to the nearest point, both ways (tables' \"MSE\")"},
      {"mse", m.mse, "mean squared distance, both ways (paper's formula for MSE)"},
      {"mcd", m.mcd, "mean city-block distance, both ways"},
      {"snr_tabulated", m.snr_tabulated, "10 ln(mean |v| / mean distance) (tables' \"SNR\")"},
      {"snr", m.snr, "10 log10(mean |v|² / mse), dB (paper's formula for SNR)"},
      {"chamfer_e4", 1e4 * m.chamfer, "CD × 10⁴ in the unit sphere"},
      {"surface", m.surface, "mean distance to the truth's tangent planes"},
      {"hausdorff", m.hausdorff, "largest distance to the nearest point, both ways"},
      {"evenness", m.evenness, "variation of nearest-neighbour distances in the result"}};
  if (m.aligned_rms) {
    measurement.metrics.push_back({"aligned_rms", *m.aligned_rms, "root mean square distance of point i to point i"});
  }
  return measurement;
}

void add_surface_metrics(const SurfaceMetrics& m, Measurement& measurement) {
  measurement.points = m.points;
  measurement.left_out = m.left_out;
  measurement.metrics.push_back({"mean_distance", m.mean_distance, "mean distance to the surface"});
  measurement.metrics.push_back({"rms_distance", m.rms_distance, "root mean square distance to the surface"});
  measurement.metrics.push_back({"max_distance", m.max_distance, "largest distance to the surface"});
}

Measurement measure_against(const std::vector<Vec3>& result, const TriangleMesh& truth,
                            const ExecutionContext& context) {
  const MeshMetrics m = compare_to_mesh(result, truth, context);
  Measurement measurement;
  measurement.metrics = {{"p2m_e4", 1e4 * m.p2m, "P2M × 10⁴ in the unit sphere, both ways"},
                         {"p2m_points_e4", 1e4 * m.p2m_points, "of that, points to mesh"},
                         {"p2m_triangles_e4", 1e4 * m.p2m_triangles, "of that, triangles to points"}};
  add_surface_metrics(m, measurement);
  return measurement;
}

Measurement measure_against(const std::vector<Vec3>& result, const std::unique_ptr<const Shape>& truth,
                            const ExecutionContext& context) {
  // Two spacings: as far as a rounded edge reaches.
  const double edge_band = 2.0 * estimate_spacing(result, context);
  const ShapeMetrics m = compare_to_shape(result, *truth, edge_band, context);
  Measurement measurement;
  add_surface_metrics(m, measurement);
  if (m.edge_points > 0) {
    measurement.metrics.push_back(
        {"edge_mean_distance", m.edge_mean_distance, "the same within two spacings of sharp edges"});
    measurement.metrics.push_back({"edge_rms_distance", m.edge_rms_distance, "the same, root mean square"});
  }
  return measurement;
}

}  // namespace

Truth read_truth(const std::string& name, const ExecutionContext& context) {
  if (std::ranges::find(shape_names(), name) != shape_names().end() && !std::filesystem::exists(name)) {
    return make_shape(name);
  }
  PointCloud cloud = read(name, context);
  TriangleMesh mesh = mesh_of(cloud);
  if (mesh.triangles.empty()) {
    return cloud;
  }
  return mesh;
}

std::string kind_of(const Truth& truth) {
  constexpr std::array kinds = {"cloud", "mesh", "shape"};
  return kinds.at(truth.index());
}

Measurement measure(const std::vector<Vec3>& result, const Truth& truth, const ExecutionContext& context) {
  return std::visit([&](const auto& kind) { return measure_against(result, kind, context); }, truth);
}

bool more_is_better(std::string_view metric) { return metric.starts_with("snr"); }

}  // namespace burnish::cli
