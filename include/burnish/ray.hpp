#pragma once

#include <limits>
#include <memory>

#include "burnish/mesh.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// A half-line.
struct Ray {
  Vec3 origin = Vec3::Zero();
  Vec3 direction = Vec3::UnitX();  ///< of length 1
};

/// Where a ray first meets a surface.
struct RayHit {
  double distance = std::numeric_limits<double>::infinity();  ///< from the origin; infinite if the ray misses
  Vec3 normal = Vec3::Zero();                                 ///< of the surface there, of length 1

  [[nodiscard]] bool found() const { return distance < std::numeric_limits<double>::infinity(); }
};

/// Intersects rays with the triangles of a mesh, from either side. Build once, then query from any number of threads.
///
/// A ray that passes through an edge or a corner shared by triangles hits one of them. Triangles without area are never
/// hit.
class MeshRays {
 public:
  /// Copies the mesh. Throws Error if there is no triangle, a triangle refers to a vertex that does not exist, or a
  /// corner is not finite.
  explicit MeshRays(const TriangleMesh& mesh);
  ~MeshRays();
  MeshRays(MeshRays&&) noexcept;
  MeshRays& operator=(MeshRays&&) noexcept;

  /// The normal follows the order of the corners: counter-clockwise seen from the tip of it.
  [[nodiscard]] RayHit first_hit(const Ray& ray) const;

  /// The winding number of the surface around a point: 1 inside and 0 outside a closed mesh whose normals point
  /// outwards, -1 inside one whose normals point inwards, such as a room. Between these for a mesh with holes.
  [[nodiscard]] double winding_number(const Vec3& p) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace burnish
