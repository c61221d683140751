#include "burnish/metrics.hpp"

namespace burnish {
namespace {

void add_distances(const SurfaceMetrics& m, std::vector<NamedMetric>& metrics) {
  metrics.push_back({"mean_distance", m.mean_distance, "mean distance to the surface"});
  metrics.push_back({"rms_distance", m.rms_distance, "root mean square distance to the surface"});
  metrics.push_back({"max_distance", m.max_distance, "largest distance to the surface"});
}

}  // namespace

Measurement by_name(const CloudMetrics& m) {
  Measurement all{
      m.result_points,
      m.result_left_out,
      {{"mean_distance", m.mean_distance, "mean distance to the nearest point, both ways (tables' \"MSE\")"},
       {"mse", m.mse, "mean squared distance, both ways (paper's formula for MSE)"},
       {"mcd", m.mcd, "mean city-block distance, both ways"},
       {"snr_tabulated", m.snr_tabulated, "10 ln(mean |v| / mean distance) (tables' \"SNR\")"},
       {"snr", m.snr, "10 log10(mean |v|² / mse), dB (paper's formula for SNR)"},
       {"chamfer_e4", 1e4 * m.chamfer, "CD × 10⁴ in the unit sphere"},
       {"surface", m.surface, "mean distance to the truth's tangent planes"},
       {"hausdorff", m.hausdorff, "largest distance to the nearest point, both ways"},
       {"evenness", m.evenness, "variation of nearest-neighbour distances in the result"}}};
  if (m.aligned_rms) {
    all.metrics.push_back({"aligned_rms", *m.aligned_rms, "root mean square distance of point i to point i"});
  }
  return all;
}

Measurement by_name(const MeshMetrics& m) {
  Measurement all{m.points,
                  m.left_out,
                  {{"p2m_e4", 1e4 * m.p2m, "P2M × 10⁴ in the unit sphere, both ways"},
                   {"p2m_points_e4", 1e4 * m.p2m_points, "of that, points to mesh"},
                   {"p2m_triangles_e4", 1e4 * m.p2m_triangles, "of that, triangles to points"}}};
  add_distances(m, all.metrics);
  return all;
}

Measurement by_name(const ShapeMetrics& m) {
  Measurement all{m.points, m.left_out, {}};
  add_distances(m, all.metrics);
  if (m.edge_points > 0) {
    all.metrics.push_back({"edge_mean_distance", m.edge_mean_distance, "the same within two spacings of sharp edges"});
    all.metrics.push_back({"edge_rms_distance", m.edge_rms_distance, "the same, root mean square"});
  }
  return all;
}

bool more_is_better(std::string_view name) { return name.starts_with("snr"); }

}  // namespace burnish
