#include "burnish/metrics.hpp"

#include <utility>

#include "arrays.hpp"
#include "burnish/estimate.hpp"
#include "burnish/mesh_sampling.hpp"
#include "meshes.hpp"
#include "module.hpp"
#include "running.hpp"

// Truth, and what is measured against it.

namespace burnish::python {
namespace {

py::dict to_dict(const char* kind, const Measurement& measured) {
  using namespace py::literals;
  py::dict dict("kind"_a = kind, "points"_a = measured.points, "left_out"_a = measured.left_out);
  for (const NamedMetric& metric : measured.metrics) {
    dict[py::str(metric.name)] = metric.value;
  }
  return dict;
}

py::dict evaluate_cloud(const PointArray& result, const PointArray& truth, int threads, const py::object& progress) {
  const std::span<const Vec3> v = points_of(result);
  const std::span<const Vec3> u = points_of(truth);
  return to_dict(
      "cloud", by_name(run({threads, progress}, [&](const ExecutionContext& c) { return compare_to_cloud(v, u, c); })));
}

py::dict evaluate_mesh(const PointArray& result, const PointArray& vertices, const TriangleArray& triangles,
                       int threads, const py::object& progress) {
  const std::span<const Vec3> v = points_of(result);
  const TriangleMesh mesh = to_mesh(vertices, triangles);
  return to_dict("mesh", by_name(run({threads, progress},
                                     [&](const ExecutionContext& c) { return compare_to_mesh(v, mesh, c); })));
}

py::dict evaluate_shape(const PointArray& result, const std::string& name, int threads, const py::object& progress) {
  const std::span<const Vec3> v = points_of(result);
  return to_dict("shape", by_name(run({threads, progress}, [&](const ExecutionContext& context) {
                   // Two spacings: as far as a rounded edge reaches.
                   const double edge_band = 2.0 * estimate_spacing(v, context);
                   return compare_to_shape(v, *make_shape(name), edge_band, context);
                 })));
}

py::array_t<double> sample(const PointArray& vertices, const TriangleArray& triangles, std::size_t points,
                           std::uint64_t seed, bool poisson_disk, int threads, const py::object& progress) {
  const TriangleMesh mesh = to_mesh(vertices, triangles);
  return to_array(run({threads, progress}, [&](const ExecutionContext& context) {
    return poisson_disk ? sample_poisson_disk(mesh, points, seed, context).positions
                        : sample_uniformly(mesh, points, seed, context);
  }));
}

}  // namespace

void add_metrics(py::module_& module) {
  module.def("evaluate_cloud", evaluate_cloud);
  module.def("evaluate_mesh", evaluate_mesh);
  module.def("evaluate_shape", evaluate_shape);
  module.def("sample", sample);
}

}  // namespace burnish::python
