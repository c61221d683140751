#include "reconstruct/signed_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/algebraic_sphere.hpp"
#include "geometry/bump.hpp"

namespace burnish::reconstruct {
namespace {

/// Points that must be near a node: a stray point or two make no surface.
constexpr int points_needed = 4;

struct Surroundings {
  AlgebraicSphereFit fit;
  int points = 0;
  double radius = 0.0;  ///< the largest of the points'
};

/// The distance of the origin to the sphere, which is no rounder than its surroundings are large.
double distance_of_origin(const Surroundings& around) {
  const double most = 0.5 / around.radius;
  AlgebraicSphere sphere = around.fit.fit(1.0);
  if (std::abs(sphere.u4) > most) {
    sphere = around.fit.with_curvature(std::copysign(most, sphere.u4));
  }
  const double slope = sphere.u.norm();
  const double root = slope + std::sqrt(std::max(0.0, slope * slope - 4.0 * sphere.u4 * sphere.u0));
  return 2.0 * sphere.u0 / root;  // NaN or infinite where normals cancel
}

}  // namespace

BrickDistances signed_distances(const Brick& brick, std::span<const GridPoint> points) {
  // Points come in order, so a sum is the same in every brick that has the node.
  std::vector<Surroundings> nodes(std::tuple_size_v<BrickDistances>);
  for (const std::uint32_t i : brick.points) {
    const GridPoint& point = points[i];
    const double inverse_squared_radius = 1.0 / (point.radius * point.radius);
    Node first{};
    Node last{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double place = point.position[static_cast<Eigen::Index>(axis)] - brick.first[axis];
      first[axis] = std::max(0, static_cast<std::int32_t>(std::ceil(place - point.radius)));
      last[axis] = std::min(brick_cells, static_cast<std::int32_t>(std::floor(place + point.radius)));
    }
    for (std::int32_t z = first[2]; z <= last[2]; ++z) {
      for (std::int32_t y = first[1]; y <= last[1]; ++y) {
        for (std::int32_t x = first[0]; x <= last[0]; ++x) {
          const Vec3 from_node = point.position - Vec3(brick.first[0] + x, brick.first[1] + y, brick.first[2] + z);
          const double weight = bump(from_node.squaredNorm() * inverse_squared_radius);
          if (weight > 0.0) {
            Surroundings& node = nodes[node_index(x, y, z)];
            node.fit.add(weight, from_node, point.normal);
            node.radius = std::max(node.radius, point.radius);
            ++node.points;
          }
        }
      }
    }
  }
  BrickDistances distances;
  for (std::size_t n = 0; n < distances.size(); ++n) {
    const double distance =
        nodes[n].points >= points_needed ? distance_of_origin(nodes[n]) : std::numeric_limits<double>::quiet_NaN();
    distances[n] = std::isfinite(distance) ? distance : std::numeric_limits<double>::quiet_NaN();
  }
  return distances;
}

}  // namespace burnish::reconstruct
