#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <span>
#include <utility>
#include <vector>

#include "burnish/point_cloud.hpp"

// numpy arrays and the library's vectors, the one as the other without copying.

namespace burnish::python {

namespace py = pybind11;

/// N × 3 doubles without gaps: the Python side has made sure of that.
using PointArray = py::array_t<double, py::array::c_style>;

/// The points of an array, in place.
[[nodiscard]] inline std::span<const Vec3> points_of(const PointArray& array) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  if (array.ndim() != 2 || array.shape(1) != 3) {
    throw py::value_error("expected an array of N x 3 numbers");
  }
  return {reinterpret_cast<const Vec3*>(array.data()), static_cast<std::size_t>(array.shape(0))};
}

/// An array of that shape over the memory of a vector, which goes away with the array.
template <class Number, class Item>
[[nodiscard]] py::array_t<Number> array_over(std::vector<Item>&& items, std::vector<py::ssize_t> shape) {
  auto* const kept = new std::vector<Item>(std::move(items));
  const py::capsule owner(kept, [](void* vector) { delete static_cast<std::vector<Item>*>(vector); });
  return py::array_t<Number>(std::move(shape), reinterpret_cast<const Number*>(kept->data()), owner);
}

template <class Number>
[[nodiscard]] py::array_t<Number> to_array(std::vector<Number>&& values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return array_over<Number>(std::move(values), {size});
}

[[nodiscard]] inline py::array_t<double> to_array(std::vector<Vec3>&& points) {
  const auto size = static_cast<py::ssize_t>(points.size());
  return array_over<double>(std::move(points), {size, 3});
}

}  // namespace burnish::python
