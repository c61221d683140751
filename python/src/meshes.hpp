#pragma once

#include <pybind11/numpy.h>

#include <array>

#include "arrays.hpp"
#include "burnish/mesh.hpp"

namespace burnish::python {

using TriangleArray = py::array_t<std::uint32_t, py::array::c_style>;

/// A mesh from N × 3 corners and T × 3 numbers of corners, copying.
[[nodiscard]] inline TriangleMesh to_mesh(const PointArray& vertices, const TriangleArray& triangles) {
  using Triangle = std::array<std::uint32_t, 3>;
  const std::span<const Vec3> corners = points_of(vertices);
  if (triangles.ndim() != 2 || triangles.shape(1) != 3) {
    throw py::value_error("expected an array of T x 3 vertex numbers");
  }
  TriangleMesh mesh;
  mesh.vertices.assign(corners.begin(), corners.end());
  const auto* const first = reinterpret_cast<const Triangle*>(triangles.data());
  mesh.triangles.assign(first, first + triangles.shape(0));
  return mesh;
}

}  // namespace burnish::python
