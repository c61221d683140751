#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>

#include "arrays.hpp"
#include "burnish/view.hpp"
#include "clouds.hpp"
#include "module.hpp"
#include "running.hpp"

namespace burnish::python {
namespace {

/// Writes a page of clouds, given as (name, parts, facts), facts being (name, value, meaning).
void write_view(const std::filesystem::path& path, const std::string& page_template, const py::list& clouds,
                const std::string& title, const std::string& unit, std::size_t max_points, int threads,
                const py::object& progress) {
  std::vector<std::unique_ptr<PointCloud>> kept;
  std::vector<ViewedCloud> viewed;
  for (const py::handle item : clouds) {
    const auto [name, parts, facts] =
        item.cast<std::tuple<std::string, py::dict, std::vector<std::tuple<std::string, std::string, std::string>>>>();
    kept.push_back(std::make_unique<PointCloud>(from_parts(parts)));
    std::vector<Fact> all;
    for (const auto& [fact, value, meaning] : facts) {
      all.push_back({fact, value, meaning});
    }
    viewed.push_back({name, *kept.back(), std::move(all)});
  }
  ViewSettings settings;
  settings.title = title;
  settings.unit = unit;
  settings.max_points = max_points;
  run_without_python({threads, progress}, [&](const ExecutionContext& context) {
    write_page(path, page_template, make_scene(viewed, settings, context), context);
  });
}

}  // namespace

void add_views(py::module_& module) { module.def("write_view", write_view); }

}  // namespace burnish::python
