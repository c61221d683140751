#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "burnish/ray.hpp"
#include "core/math.hpp"
#include "geometry/box_tree.hpp"
#include "geometry/mesh_triangles.hpp"

// Triangles are intersected by the watertight test of S. Woop, C. Benthin, I. Wald: "Watertight ray/triangle
// intersection", Journal of Computer Graphics Techniques 2(1), 2013: the corners are sheared so that the ray becomes
// the z axis. Two triangles that share an edge compute the same edge function there, one the negative of the other, to
// the bit.

namespace burnish {
namespace {

/// Padding of the boxes, in units of the size of the mesh: more than rounding can move a ray.
constexpr double padding = 1e-12;

using Corners = std::array<Vec3, 3>;

/// A ray prepared for tests against many boxes and triangles.
class PreparedRay {
 public:
  explicit PreparedRay(const Ray& ray) : origin_(ray.origin) {
    const Vec3& d = ray.direction;
    d.cwiseAbs().maxCoeff(&z_);
    x_ = (z_ + 1) % 3;
    y_ = (z_ + 2) % 3;
    if (d[z_] < 0.0) {
      std::swap(x_, y_);  // keeps the orientation
    }
    shear_ = Vec3(d[x_], d[y_], 1.0) / d[z_];
    for (const Eigen::Index axis : {0, 1, 2}) {
      // Instead of infinity, which would give NaN for a box that starts exactly at the origin.
      inverse_[axis] = std::abs(d[axis]) > 1e-300 ? 1.0 / d[axis] : std::copysign(1e300, d[axis]);
    }
  }

  /// A lower bound of the distance to whatever is in the box; infinite if the ray misses it.
  [[nodiscard]] double bound(const Eigen::AlignedBox3d& box) const {
    const Vec3 a = (box.min() - origin_).cwiseProduct(inverse_);
    const Vec3 b = (box.max() - origin_).cwiseProduct(inverse_);
    const Vec3 enter = a.cwiseMin(b);
    const Vec3 leave = a.cwiseMax(b);
    const double first = std::max(std::max(enter.x(), enter.y()), std::max(enter.z(), 0.0));
    const double last = std::min(std::min(leave.x(), leave.y()), leave.z());
    return first <= last ? first : std::numeric_limits<double>::infinity();
  }

  /// The distance to a triangle; infinite if the ray misses it.
  [[nodiscard]] double distance(const Corners& corners) const {
    const Vec3 a = sheared(corners[0]);
    const Vec3 b = sheared(corners[1]);
    const Vec3 c = sheared(corners[2]);
    const double u = c.x() * b.y() - c.y() * b.x();
    const double v = a.x() * c.y() - a.y() * c.x();
    const double w = b.x() * a.y() - b.y() * a.x();
    const bool has_negative = u < 0.0 || v < 0.0 || w < 0.0;
    const bool has_positive = u > 0.0 || v > 0.0 || w > 0.0;
    const double sum = u + v + w;
    if ((has_negative && has_positive) || sum == 0.0) {
      return std::numeric_limits<double>::infinity();
    }
    const double t = (u * a.z() + v * b.z() + w * c.z()) / sum;
    return t >= 0.0 ? t : std::numeric_limits<double>::infinity();
  }

 private:
  [[nodiscard]] Vec3 sheared(const Vec3& corner) const {
    const Vec3 p = corner - origin_;
    return {p[x_] - shear_.x() * p[z_], p[y_] - shear_.y() * p[z_], shear_.z() * p[z_]};
  }

  Vec3 origin_;
  Vec3 inverse_;
  Vec3 shear_;
  Eigen::Index x_ = 0, y_ = 0, z_ = 0;
};

Vec3 normal_of(const Corners& corners) {
  return (corners[1] - corners[0]).cross(corners[2] - corners[0]).stableNormalized();
}

/// The solid angle of a triangle seen from a point, its sign that of its orientation, halved (A. van Oosterom, J.
/// Strackee: "The solid angle of a plane triangle", IEEE Transactions on Biomedical Engineering 30(2), 1983).
double half_solid_angle(const Corners& corners, const Vec3& p) {
  const Vec3 a = (corners[0] - p).stableNormalized();
  const Vec3 b = (corners[1] - p).stableNormalized();
  const Vec3 c = (corners[2] - p).stableNormalized();
  return math::atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a));
}

}  // namespace

/// The mesh around the origin, of about unit size. The scale is a power of two, so that it rounds nothing.
struct MeshRays::Tree {
  Vec3 centre = Vec3::Zero();
  double scale = 1.0;
  double radius = 0.0;             ///< no corner is farther from the origin
  std::vector<Corners> triangles;  ///< in the order of the leaves
  BoxTree boxes{{}, 1};

  explicit Tree(const TriangleMesh& mesh) {
    Eigen::AlignedBox3d whole;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      whole.extend(box_of(mesh, t));
    }
    centre = 0.5 * whole.min() + 0.5 * whole.max();
    const double half = (0.5 * whole.max() - 0.5 * whole.min()).maxCoeff();
    scale = half > 0.0 ? std::ldexp(1.0, std::ilogb(half)) : 1.0;

    std::vector<Corners> unordered(mesh.triangles.size());
    std::vector<Eigen::AlignedBox3d> padded(mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 corner = to_local(mesh.vertices[mesh.triangles[t][i]]);
        unordered[t][i] = corner;
        padded[t].extend(corner);
        radius = std::max(radius, corner.norm());
      }
      padded[t].min().array() -= padding;
      padded[t].max().array() += padding;
    }
    boxes = BoxTree(padded, 4);
    triangles.reserve(unordered.size());
    for (const std::uint32_t t : boxes.order()) {
      triangles.push_back(unordered[t]);
    }
  }

  [[nodiscard]] Vec3 to_local(const Vec3& p) const { return (p - centre) / scale; }
};

MeshRays::MeshRays(const TriangleMesh& mesh) {
  check_triangles(mesh);
  tree_ = std::make_unique<Tree>(mesh);
}
MeshRays::~MeshRays() = default;
MeshRays::MeshRays(MeshRays&&) noexcept = default;
MeshRays& MeshRays::operator=(MeshRays&&) noexcept = default;

RayHit MeshRays::first_hit(const Ray& ray) const {
  // From near the mesh on, so that the padding is enough however far away the ray starts.
  const Vec3 origin = tree_->to_local(ray.origin);
  const double skipped = std::max(0.0, -origin.dot(ray.direction) - 2.0 * tree_->radius);
  const PreparedRay prepared({origin + skipped * ray.direction, ray.direction});

  double best = std::numeric_limits<double>::max();  // finite: boxes that are missed are beyond it
  std::uint32_t best_slot = 0;
  bool found = false;
  const std::vector<std::uint32_t>& order = tree_->boxes.order();
  tree_->boxes.nearest_first(
      best, [&](const Eigen::AlignedBox3d& box) { return prepared.bound(box); },
      [&](std::uint32_t slot) {
        const double distance = prepared.distance(tree_->triangles[slot]);
        if (distance < best || (distance == best && order[slot] < order[best_slot])) {
          best = distance;
          best_slot = slot;
          found = true;
        }
      });
  return found ? RayHit{(skipped + best) * tree_->scale, normal_of(tree_->triangles[best_slot])} : RayHit{};
}

double MeshRays::winding_number(const Vec3& p) const {
  const Vec3 local = tree_->to_local(p);
  double sum = 0.0;
  for (const Corners& corners : tree_->triangles) {
    sum += half_solid_angle(corners, local);
  }
  return sum / (2.0 * std::numbers::pi);
}

}  // namespace burnish
