#include "burnish/methods.hpp"

#include <pybind11/stl.h>

#include <type_traits>

#include "arrays.hpp"
#include "clouds.hpp"
#include "module.hpp"
#include "running.hpp"

namespace burnish::python {
namespace {

py::dict to_dict(const std::vector<Diagnostic>& diagnostics) {
  py::dict dict;
  for (const Diagnostic& diagnostic : diagnostics) {
    dict[py::str(diagnostic.name)] = std::visit(
        []<class T>(const T& value) -> py::object {
          if constexpr (std::is_same_v<T, std::vector<Diagnostic>>) {
            return to_dict(value);
          } else if constexpr (std::is_same_v<T, std::vector<std::vector<Diagnostic>>>) {
            py::list list;
            for (const std::vector<Diagnostic>& item : value) {
              list.append(to_dict(item));
            }
            return list;
          } else if constexpr (std::is_same_v<T, std::vector<std::uint32_t>>) {
            return to_array(T(value));
          } else {
            return py::cast(value);
          }
        },
        diagnostic.value);
  }
  return dict;
}

/// Every method: name, description, options.
py::list list_methods() {
  py::list list;
  for (const Method& method : methods()) {
    py::list options;
    for (const MethodOption& option : method.options) {
      options.append(py::make_tuple(option.name, option.type, option.meaning, option.default_value));
    }
    list.append(py::make_tuple(method.name, method.description, options));
  }
  return list;
}

/// What a method has found: diagnostics and warnings, and the summary.
py::tuple findings_of(const MethodResult& result) {
  py::dict diagnostics = to_dict(result.diagnostics);
  diagnostics["warnings"] = result.warnings;
  return py::make_tuple(diagnostics, result.summary);
}

/// Runs a method: positions, attributes, diagnostics, summary.
py::tuple run_prepared(const PreparedMethod& prepared, const PointArray& points, const PointArray& normals, int threads,
                       const py::object& progress) {
  const std::span<const Vec3> positions = points_of(points);
  const std::span<const Vec3> directions = points_of(normals);
  MethodResult result = run({threads, progress},
                            [&](const ExecutionContext& context) { return prepared(positions, directions, context); });
  py::dict attributes;
  for (Column& column : result.attributes) {
    attributes[py::str(column.name)] = to_object(std::move(column.values));
  }
  const py::tuple found = findings_of(result);
  return py::make_tuple(to_array(std::move(result.positions)), attributes, found[0], found[1]);
}

/// Settings of the default, with where the scanner of each point was: N × 3, or none if that is not known.
DenoiseSettings settings_of(const MethodOptions& options, const PointArray& scanner_positions) {
  DenoiseSettings settings = denoise_settings(options);
  const std::span<const Vec3> places = points_of(scanner_positions);
  settings.scanner_positions.assign(places.begin(), places.end());
  return settings;
}

py::tuple denoise_by(const std::string& method, const MethodOptions& options, const PointArray& points,
                     const PointArray& normals, const PointArray& scanner_positions, int threads,
                     const py::object& progress) {
  const PreparedMethod prepared =
      method == "auto" ? prepare(settings_of(options, scanner_positions)) : find_method(method).prepare(options);
  return run_prepared(prepared, points, normals, threads, progress);
}

py::tuple analyse_points(const PointArray& points, const MethodOptions& options, const PointArray& scanner_positions,
                         int threads, const py::object& progress) {
  const DenoiseSettings settings = settings_of(options, scanner_positions);
  const std::span<const Vec3> positions = points_of(points);
  const Analysis analysis =
      run({threads, progress}, [&](const ExecutionContext& context) { return analyse(positions, settings, context); });
  const py::tuple found = findings_of(describe(analysis.findings()));
  return py::make_tuple(analysis, found[0], found[1]);
}

py::tuple denoise_with(const Analysis& analysis, const PointArray& points, const PointArray& normals, int threads,
                       const py::object& progress) {
  return run_prepared(prepare(analysis), points, normals, threads, progress);
}

py::array_t<double> noise_at(const Analysis& analysis, const PointArray& points, int threads,
                             const py::object& progress) {
  const std::span<const Vec3> positions = points_of(points);
  return to_array(
      run({threads, progress}, [&](const ExecutionContext& context) { return analysis.noise_at(positions, context); }));
}

}  // namespace

void add_methods(py::module_& module) {
  module.def("methods", list_methods);
  module.def("denoise", denoise_by);
  py::class_<Analysis>(module, "Analysis").def("noise_at", noise_at);
  module.def("analyse", analyse_points);
  module.def("denoise_with", denoise_with);
}

}  // namespace burnish::python
