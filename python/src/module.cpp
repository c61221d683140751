#include "module.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <optional>
#include <sstream>

#include "arrays.hpp"
#include "burnish/error.hpp"
#include "burnish/estimate.hpp"
#include "burnish/io.hpp"
#include "burnish/mesh.hpp"
#include "burnish/noise.hpp"
#include "burnish/shapes.hpp"
#include "clouds.hpp"
#include "running.hpp"

// The compiled half of the Python module: the library's functions over arrays. The Python half (python/burnish) checks
// and converts arguments, knows defaults, and has the documentation.

namespace burnish::python {
namespace {

py::dict read_file(const std::filesystem::path& path, const py::object& progress) {
  return to_parts(run({0, progress}, [&](const ExecutionContext& context) { return read(path, context); }));
}

py::dict read_bytes(const std::string& bytes, const std::filesystem::path& name, const py::object& progress) {
  return to_parts(run({0, progress}, [&](const ExecutionContext& context) {
    std::istringstream stream(bytes);
    return read(stream, name, context);
  }));
}

/// Warns of what the format could not hold.
std::vector<std::string> write_file(const std::filesystem::path& path, const py::dict& parts,
                                    const py::object& progress) {
  PointCloud cloud = from_parts(parts);
  return run({0, progress}, [&](const ExecutionContext& context) {
    check_writable(path);
    std::vector<std::string> left_out = fit_to_format(path, cloud);
    write(path, cloud, context);
    return left_out;
  });
}

py::tuple write_bytes(const std::filesystem::path& name, const py::dict& parts, const py::object& progress) {
  PointCloud cloud = from_parts(parts);
  std::ostringstream stream;
  const std::vector<std::string> left_out = run({0, progress}, [&](const ExecutionContext& context) {
    std::vector<std::string> what = fit_to_format(name, cloud);
    write(stream, name, cloud, context);
    return what;
  });
  return py::make_tuple(py::bytes(stream.str()), left_out);
}

/// N × 3, or 0 × 3 if the cloud does not say.
py::array_t<double> scanner_positions(const py::dict& parts) {
  return to_array(scanner_positions_of(from_parts(parts)));
}

py::array_t<std::uint32_t> triangles(const py::dict& parts) {
  std::vector<std::array<std::uint32_t, 3>> all = mesh_of(from_parts(parts)).triangles;
  const auto size = static_cast<py::ssize_t>(all.size());
  return array_over<std::uint32_t>(std::move(all), {size, 3});
}

py::tuple noisy(const py::dict& parts, const std::vector<std::string>& steps, std::optional<double> sigma,
                const std::string& unit, std::uint64_t seed, int threads, const py::object& progress) {
  PointCloud cloud = from_parts(parts);
  const NoiseUnit its_unit = noise_unit(unit);
  NoiseModel model;
  for (const std::string& step : steps) {
    model.push_back(parse_noise(step, sigma ? std::optional(NoiseLength(*sigma, its_unit)) : std::nullopt, its_unit));
  }
  NoisyCloud noisy = run({threads, progress}, [&](const ExecutionContext& context) {
    return add_noise(std::move(cloud), model, seed, context);
  });
  return py::make_tuple(to_array(std::move(noisy.cloud.positions)), noisy.standard_deviation,
                        to_array(std::move(noisy.outliers)));
}

/// Adds an estimate of a length, one for the cloud or one for every point.
void add_estimate(py::module_& module, const char* name,
                  Estimate (*of_cloud)(std::span<const Vec3>, const ExecutionContext&),
                  std::vector<double> (*of_points)(std::span<const Vec3>, const ExecutionContext&)) {
  module.def(name, [=](const PointArray& points, bool local, int threads, const py::object& progress) -> py::object {
    const std::span<const Vec3> positions = points_of(points);
    const Running running{threads, progress};
    if (local) {
      return to_array(run(running, [&](const ExecutionContext& context) { return of_points(positions, context); }));
    }
    const Estimate found = run(running, [&](const ExecutionContext& context) { return of_cloud(positions, context); });
    return py::make_tuple(found.value, found.uncertainty);
  });
}

/// Errors of files become those classes of burnish._errors that are Python's own errors too.
void add_file_errors() {
  py::register_exception_translator([](std::exception_ptr pointer) {  // NOLINT(performance-unnecessary-value-param)
    try {
      std::rethrow_exception(std::move(pointer));
    } catch (const Error& error) {
      const char* const name = error.kind() == ErrorKind::not_found           ? "NotFoundError"
                               : error.kind() == ErrorKind::permission_denied ? "AccessError"
                               : error.kind() == ErrorKind::is_directory      ? "FolderError"
                               : error.kind() == ErrorKind::system_failure    ? "SystemFailure"
                                                                              : nullptr;
      if (name == nullptr) {
        throw;  // an Error like any other
      }
      PyErr_SetString(py::module_::import("burnish._errors").attr(name).ptr(), error.what());
    }
  });
}

py::array_t<double> synth(const std::string& name, std::size_t points, std::uint64_t seed, bool at_random, int threads,
                          const py::object& progress) {
  return to_array(run({threads, progress}, [&](const ExecutionContext& context) {
    const auto shape = make_shape(name);
    return at_random ? shape->sample_at_random(points, seed, context) : shape->sample(points, seed, context);
  }));
}

}  // namespace
}  // namespace burnish::python

PYBIND11_MODULE(_burnish, module) {  // NOLINT
  using namespace burnish::python;
  module.attr("__version__") = BURNISH_VERSION;
  py::register_exception<burnish::Error>(module, "Error", PyExc_ValueError).attr("__module__") = "burnish";
  add_file_errors();
  add_fork_handlers(module);

  module.def("read_file", read_file);
  module.def("read_bytes", read_bytes);
  module.def("write_file", write_file);
  module.def("write_bytes", write_bytes);
  module.def("scanner_positions", scanner_positions);
  module.def("triangles", triangles);

  add_methods(module);
  add_metrics(module);
  add_scans(module);
  add_tiles(module);
  add_views(module);
  add_estimate(module, "estimate_spacing", burnish::estimate_spacing, burnish::estimate_local_spacing);
  add_estimate(module, "estimate_noise", burnish::estimate_noise, burnish::estimate_local_noise);

  module.def("add_noise", noisy);
  module.def("synth", synth);
  module.def("shape_names", [] {
    const auto names = burnish::shape_names();
    return std::vector<std::string>(names.begin(), names.end());
  });
}
