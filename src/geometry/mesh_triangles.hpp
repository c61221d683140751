#pragma once

#include <Eigen/Geometry>

#include <cstddef>

#include "burnish/mesh.hpp"

namespace burnish {

/// Throws Error if there is no triangle, a triangle refers to a vertex that does not exist, or a corner is not finite.
void check_triangles(const TriangleMesh& mesh);

/// The box around triangle t.
[[nodiscard]] Eigen::AlignedBox3d box_of(const TriangleMesh& mesh, std::size_t t);

}  // namespace burnish
