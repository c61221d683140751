#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "burnish/estimate.hpp"
#include "burnish/io.hpp"
#include "burnish/metrics.hpp"
#include "command.hpp"

namespace burnish::cli {
namespace {

/// A metric as it is printed: its key in JSON, its value, what it means.
struct Row {
  std::string key;
  double value;
  std::string meaning;
};

struct Report {
  std::string truth;
  std::string kind;
  std::size_t points = 0;
  std::size_t left_out = 0;
  std::vector<Row> rows;
};

Report against_cloud(const PointCloud& result, const PointCloud& truth, const Common& common) {
  const CloudMetrics m = compare_to_cloud(result.positions, truth.positions, common.context);
  Report report{"", "cloud", m.result_points, m.result_left_out, {}};
  report.rows = {{"mean_distance", m.mean_distance, "mean distance to the nearest point, both ways (tables' \"MSE\")"},
                 {"mse", m.mse, "mean squared distance, both ways (paper's formula for MSE)"},
                 {"mcd", m.mcd, "mean city-block distance, both ways"},
                 {"snr_tabulated", m.snr_tabulated, "10 ln(mean |v| / mean distance) (tables' \"SNR\")"},
                 {"snr", m.snr, "10 log10(mean |v|² / mse), dB (paper's formula for SNR)"},
                 {"chamfer_e4", 1e4 * m.chamfer, "CD × 10⁴ in the unit sphere"},
                 {"surface", m.surface, "mean distance to the truth's tangent planes"},
                 {"hausdorff", m.hausdorff, "largest distance to the nearest point, both ways"},
                 {"evenness", m.evenness, "variation of nearest-neighbour distances in the result"}};
  if (m.aligned_rms) {
    report.rows.push_back({"aligned_rms", *m.aligned_rms, "root mean square distance of point i to point i"});
  }
  return report;
}

void add_surface_rows(const SurfaceMetrics& m, Report& report) {
  report.points = m.points;
  report.left_out = m.left_out;
  report.rows.push_back({"mean_distance", m.mean_distance, "mean distance to the surface"});
  report.rows.push_back({"rms_distance", m.rms_distance, "root mean square distance to the surface"});
  report.rows.push_back({"max_distance", m.max_distance, "largest distance to the surface"});
}

Report against_mesh(const PointCloud& result, const TriangleMesh& truth, const Common& common) {
  const MeshMetrics m = compare_to_mesh(result.positions, truth, common.context);
  Report report{"", "mesh", 0, 0, {}};
  report.rows = {{"p2m_e4", 1e4 * m.p2m, "P2M × 10⁴ in the unit sphere, both ways"},
                 {"p2m_points_e4", 1e4 * m.p2m_points, "of that, points to mesh"},
                 {"p2m_triangles_e4", 1e4 * m.p2m_triangles, "of that, triangles to points"}};
  add_surface_rows(m, report);
  return report;
}

Report against_shape(const PointCloud& result, const Shape& truth, const Common& common) {
  // Two spacings: as far as a rounded edge reaches.
  const double edge_band = 2.0 * estimate_spacing(result.positions, common.context);
  const ShapeMetrics m = compare_to_shape(result.positions, truth, edge_band, common.context);
  Report report{"", "shape", 0, 0, {}};
  add_surface_rows(m, report);
  if (m.edge_points > 0) {
    report.rows.push_back({"edge_mean_distance", m.edge_mean_distance, "the same within two spacings of sharp edges"});
    report.rows.push_back({"edge_rms_distance", m.edge_rms_distance, "the same, root mean square"});
  }
  return report;
}

Report compare(const PointCloud& result, const std::string& truth, const Common& common) {
  if (std::ranges::find(shape_names(), truth) != shape_names().end() && !std::filesystem::exists(truth)) {
    return against_shape(result, *make_shape(truth), common);
  }
  const PointCloud cloud = read(truth, common.context);
  const TriangleMesh mesh = mesh_of(cloud);
  return mesh.triangles.empty() ? against_cloud(result, cloud, common) : against_mesh(result, mesh, common);
}

void evaluate(const std::string& path, const std::vector<std::string>& truths, const Common& common) {
  const PointCloud result = read_input(path, common);
  Json json = {{"result", path}, {"comparisons", Json::array()}};
  for (const std::string& truth : truths) {
    Report report = compare(result, truth, common);
    report.truth = truth;
    if (common.json) {
      Json entry = {{"truth", truth}, {"kind", report.kind}, {"points", report.points}, {"left_out", report.left_out}};
      for (const Row& row : report.rows) {
        entry[row.key] = row.value;
      }
      json["comparisons"].push_back(entry);
      continue;
    }
    fmt::print("{} against the {} {}, {} points{}\n", path, report.kind, truth, report.points,
               report.left_out > 0 ? fmt::format(" ({} not finite, left out)", report.left_out) : "");
    for (const Row& row : report.rows) {
      fmt::print("  {:<19}{:>12.6g}  {}\n", row.key, row.value, row.meaning);
    }
  }
  if (common.json) {
    print_json(json);
  }
}

}  // namespace

void add_evaluate(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("evaluate", "Measure how close a cloud is to the truth");
  const auto path = std::make_shared<std::string>();
  const auto truths = std::make_shared<std::vector<std::string>>();
  command->add_option("RESULT", *path, "The cloud to measure")->required();
  command
      ->add_option("--truth", *truths,
                   "A clean cloud, a mesh, or the name of a synth shape; may be given more than once")
      ->required()
      ->type_name("CLOUD|MESH|SHAPE")
      ->allow_extra_args(false);
  add_common_options(*command, common, true);
  command->footer(
      "Examples:\n"
      "  burnish evaluate smooth.ply --truth clean.ply\n"
      "  burnish evaluate smooth.ply --truth clean.ply --truth mesh.off --json\n"
      "  burnish evaluate smooth.ply --truth part");
  command->callback([path, truths, &common] { evaluate(*path, *truths, common); });
}

}  // namespace burnish::cli
