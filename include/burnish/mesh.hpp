#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish {

struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The triangles of a file that was read as a cloud: polygons of its table "face" are split into fans. No triangles if
/// there is no such table. Throws Error if a face has an index without a vertex.
[[nodiscard]] TriangleMesh mesh_of(const PointCloud& cloud);

/// The reverse: a cloud of the vertices, with the triangles as its table "face".
[[nodiscard]] PointCloud cloud_of(const TriangleMesh& mesh);

}  // namespace burnish
