#include "geometry/mesh_triangles.hpp"

#include <string>

#include "burnish/error.hpp"

namespace burnish {

void check_triangles(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) {
    throw Error("the mesh has no triangles");
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const std::uint32_t v : mesh.triangles[t]) {
      if (v >= mesh.vertices.size()) {
        throw Error("triangle " + std::to_string(t) + " refers to vertex " + std::to_string(v) +
                    ", but there are only " + std::to_string(mesh.vertices.size()) + " vertices");
      }
      if (!is_finite(mesh.vertices[v])) {
        throw Error("triangle " + std::to_string(t) + " has a corner, vertex " + std::to_string(v) +
                    ", that is not finite");
      }
    }
  }
}

Eigen::AlignedBox3d box_of(const TriangleMesh& mesh, std::size_t t) {
  Eigen::AlignedBox3d box;
  for (const std::uint32_t v : mesh.triangles[t]) {
    box.extend(mesh.vertices[v]);
  }
  return box;
}

}  // namespace burnish
