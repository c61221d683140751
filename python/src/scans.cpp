#include <pybind11/stl.h>

#include <map>
#include <string>

#include "burnish/scan.hpp"
#include "clouds.hpp"
#include "meshes.hpp"
#include "module.hpp"
#include "running.hpp"

// The virtual scanner.

namespace burnish::python {
namespace {

using Options = std::map<std::string, std::string>;  ///< of scan_options

ScanSettings to_settings(const std::string& sensor, const Options& options, const PointArray& viewpoints, bool truth) {
  ScanSettings settings = default_settings(find_sensor(sensor));
  for (const auto& [name, value] : options) {
    set_scan_option(settings, name, value);
  }
  const std::span<const Vec3> places = points_of(viewpoints);
  settings.viewpoints.assign(places.begin(), places.end());
  settings.truth = truth;
  return settings;
}

py::dict scan_shape(const std::string& name, const std::string& sensor, const Options& options,
                    const PointArray& viewpoints, bool truth, int threads, const py::object& progress) {
  const ScanSettings settings = to_settings(sensor, options, viewpoints, truth);
  return to_parts(run({threads, progress}, [&](const ExecutionContext& context) {
    return scan(*make_shape(name), settings, context).cloud;
  }));
}

py::dict scan_mesh(const PointArray& vertices, const TriangleArray& triangles, const std::string& sensor,
                   const Options& options, const PointArray& viewpoints, bool truth, int threads,
                   const py::object& progress) {
  const ScanSettings settings = to_settings(sensor, options, viewpoints, truth);
  const TriangleMesh mesh = to_mesh(vertices, triangles);
  return to_parts(
      run({threads, progress}, [&](const ExecutionContext& context) { return scan(mesh, settings, context).cloud; }));
}

}  // namespace

void add_scans(py::module_& module) {
  module.def("scan_shape", scan_shape);
  module.def("scan_mesh", scan_mesh);
}

}  // namespace burnish::python
