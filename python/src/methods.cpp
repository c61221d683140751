#include "burnish/methods.hpp"

#include <pybind11/stl.h>

#include <type_traits>

#include "arrays.hpp"
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

py::tuple denoise_by(const std::string& method, const PointArray& points, const PointArray& normals,
                     const MethodOptions& options, int threads, const py::object& progress) {
  const PreparedMethod prepared = find_method(method).prepare(options);
  const std::span<const Vec3> positions = points_of(points);
  const std::span<const Vec3> directions = points_of(normals);
  MethodResult result = run({threads, progress},
                            [&](const ExecutionContext& context) { return prepared(positions, directions, context); });
  py::dict diagnostics = to_dict(result.diagnostics);
  diagnostics["warnings"] = result.warnings;
  return py::make_tuple(to_array(std::move(result.positions)), diagnostics, result.summary);
}

}  // namespace

void add_methods(py::module_& module) {
  module.def("methods", list_methods);
  module.def("denoise", denoise_by);
}

}  // namespace burnish::python
