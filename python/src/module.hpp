#pragma once

#include <pybind11/pybind11.h>

// The parts of the compiled module that have a file of their own.

namespace burnish::python {

void add_methods(pybind11::module_& module);
void add_metrics(pybind11::module_& module);
void add_scans(pybind11::module_& module);
void add_tiles(pybind11::module_& module);
void add_views(pybind11::module_& module);

}  // namespace burnish::python
