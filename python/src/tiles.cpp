#include "burnish/tiles.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "module.hpp"
#include "running.hpp"

namespace burnish::python {
namespace {

namespace py = pybind11;
using Path = std::filesystem::path;

TilingSettings settings_of(std::uint64_t memory, const Path& scratch, bool resume, double noise, double strength) {
  TilingSettings settings;
  settings.memory = memory;
  settings.scratch = scratch;
  settings.resume = resume;
  settings.denoise.noise = noise;
  settings.denoise.strength = strength;
  return settings;
}

py::dict plan(const Path& input, const Path& output, std::uint64_t memory, const Path& scratch, bool resume,
              double noise, double strength, int threads, const py::object& progress) {
  const TilingSettings settings = settings_of(memory, scratch, resume, noise, strength);
  const TilesToDo to_do = run({threads, progress}, [&](const ExecutionContext& context) {
    return plan_tiles(input, output, settings, context);
  });
  py::dict found;
  found["scratch"] = py::cast(to_do.scratch.string());
  found["points"] = to_do.points;
  found["tiles"] = to_do.tiles;
  found["unfinished"] = to_do.unfinished;
  found["memory_of_tile"] = to_do.memory_of_tile;
  return found;
}

void denoise_one(const Path& scratch, std::size_t tile, int threads, const py::object& progress) {
  run_without_python({threads, progress},
                     [&](const ExecutionContext& context) { denoise_tile(scratch, tile, context); });
}

std::vector<std::string> stitch(const Path& input, const Path& output, std::uint64_t memory, const Path& scratch,
                                double noise, double strength, const py::object& progress) {
  const TilingSettings settings = settings_of(memory, scratch, true, noise, strength);
  return run({0, progress},
             [&](const ExecutionContext& context) { return stitch_tiles(input, output, settings, context); });
}

}  // namespace

void add_tiles(py::module_& module) {
  module.def("plan_tiles", plan);
  module.def("denoise_tile", denoise_one);
  module.def("stitch_tiles", stitch);
  module.def("parse_memory", parse_memory);
}

}  // namespace burnish::python
