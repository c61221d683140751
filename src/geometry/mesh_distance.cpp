#include "burnish/mesh_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "geometry/box_tree.hpp"
#include "geometry/flat_triangle.hpp"
#include "geometry/mesh_triangles.hpp"

namespace burnish {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

FlatTriangle flatten(const TriangleMesh& mesh, std::size_t t) {
  const auto& [a, b, c] = mesh.triangles[t];
  return {mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
}

std::vector<Eigen::AlignedBox3d> boxes_of(const TriangleMesh& mesh) {
  std::vector<Eigen::AlignedBox3d> boxes(mesh.triangles.size());
  for (std::size_t t = 0; t < boxes.size(); ++t) {
    boxes[t] = box_of(mesh, t);
  }
  return boxes;
}

}  // namespace

struct MeshDistance::Tree {
  BoxTree boxes;
  std::vector<FlatTriangle> triangles;  // in the order of the leaves

  explicit Tree(const TriangleMesh& mesh) : boxes(boxes_of(mesh), 4) {
    triangles.reserve(mesh.triangles.size());
    for (const std::uint32_t t : boxes.order()) {
      triangles.push_back(flatten(mesh, t));
    }
  }
};

MeshDistance::MeshDistance(const TriangleMesh& mesh) {
  check_triangles(mesh);
  tree_ = std::make_unique<Tree>(mesh);
}
MeshDistance::~MeshDistance() = default;
MeshDistance::MeshDistance(MeshDistance&&) noexcept = default;
MeshDistance& MeshDistance::operator=(MeshDistance&&) noexcept = default;

SurfacePoint MeshDistance::closest(const Vec3& query) const {
  FlatTriangle::Closest best{infinity, 0.0, 0.0};
  std::uint32_t best_slot = 0;
  const std::vector<std::uint32_t>& order = tree_->boxes.order();
  tree_->boxes.nearest_first(
      best.squared_distance, [&](const Eigen::AlignedBox3d& box) { return box.squaredExteriorDistance(query); },
      [&](std::uint32_t slot) {
        const FlatTriangle::Closest c = tree_->triangles[slot].closest(query);
        if (c.squared_distance < best.squared_distance ||
            (c.squared_distance == best.squared_distance && order[slot] < order[best_slot])) {
          best = c;
          best_slot = slot;
        }
      });
  return {tree_->triangles[best_slot].place(best), best.squared_distance, order[best_slot]};
}

double MeshDistance::squared_distance(const Vec3& query) const { return closest(query).squared_distance; }

std::vector<double> squared_distances_to_points(const TriangleMesh& mesh, std::span<const Vec3> points,
                                                const ExecutionContext& context) {
  check_triangles(mesh);
  std::vector<Eigen::AlignedBox3d> boxes(points.size());
  std::ranges::transform(points, boxes.begin(), [](const Vec3& p) { return Eigen::AlignedBox3d(p); });
  const BoxTree tree(boxes, 8);
  std::vector<Vec3> ordered(points.size());
  std::ranges::transform(tree.order(), ordered.begin(), [&](std::uint32_t i) { return points[i]; });

  std::vector<double> distances(mesh.triangles.size());
  parallel_for(context, distances.size(), 64, [&](std::size_t t) {
    const FlatTriangle triangle = flatten(mesh, t);
    const Eigen::AlignedBox3d triangle_box = box_of(mesh, t);
    // The gap between the boxes is a cheap bound, but it is 0 inside the box of a large slanted triangle, where the
    // ball around a box is a better bound; the tolerance prevents rounding from excluding the nearest point.
    const auto bound = [&](const Eigen::AlignedBox3d& box) {
      const double gap = triangle_box.squaredExteriorDistance(box);
      if (gap > 0.0) {
        return gap;
      }
      const Vec3 centre = box.center();
      const double radius = (box.max() - centre).cwiseMax(centre - box.min()).norm();
      const double reach = std::sqrt(triangle.closest(centre).squared_distance);
      const double outside = std::max(0.0, reach * (1.0 - 1e-12) - radius * (1.0 + 1e-12));
      return outside * outside;
    };
    double best = infinity;
    tree.nearest_first(best, bound, [&](std::uint32_t slot) {
      best = std::min(best, triangle.closest(ordered[slot]).squared_distance);
    });
    distances[t] = best;
  });
  return distances;
}

}  // namespace burnish
