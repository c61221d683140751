#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/mesh.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The point of a mesh nearest to a query.
struct SurfacePoint {
  Vec3 position;
  double squared_distance = 0.0;
  /// The triangle it lies on; where several meet, the first of those found equally near.
  std::uint32_t triangle = 0;
};

/// Exact distance from points to a triangle mesh (not only to its vertices). Build once, then query from any number of
/// threads. Triangles without area are treated as segments or points.
class MeshDistance {
 public:
  /// Copies the mesh. Throws Error if there is no triangle, a triangle refers to a vertex that does not exist, or a
  /// corner is not finite.
  explicit MeshDistance(const TriangleMesh& mesh);
  ~MeshDistance();
  MeshDistance(MeshDistance&&) noexcept;
  MeshDistance& operator=(MeshDistance&&) noexcept;

  /// The query must be finite.
  [[nodiscard]] SurfacePoint closest(const Vec3& query) const;
  [[nodiscard]] double squared_distance(const Vec3& query) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

/// The other direction: for every triangle the exact squared distance to the nearest of the points, in the order of
/// mesh.triangles. There must be points, and they must be finite. Throws Error as MeshDistance does.
[[nodiscard]] std::vector<double> squared_distances_to_points(const TriangleMesh& mesh, std::span<const Vec3> points,
                                                              const ExecutionContext& context = {});

}  // namespace burnish
