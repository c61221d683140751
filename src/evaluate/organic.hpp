#pragma once

#include <vector>

#include "burnish/neighbours.hpp"
#include "burnish/shapes.hpp"

namespace burnish {

/// A smooth body given by its radius in every direction d:
///     r(d) = base + sum over bumps of amount / (1 + sharpness (1 - d·towards))
/// Bumps of negative amount are dents.
class Organic final : public Shape {
 public:
  Organic();

  [[nodiscard]] double distance(const Vec3& p) const override;
  [[nodiscard]] bool contains(const Vec3& p) const override;
  [[nodiscard]] RayHit first_hit(const Ray& ray) const override;
  [[nodiscard]] Vec3 random_point(RandomStream& random) const override;

  /// The point of the surface in a direction of length 1.
  [[nodiscard]] Vec3 surface_point(const Vec3& direction) const;

 private:
  struct Bump {
    Vec3 towards;
    double amount;
    double sharpness;
  };
  struct Radius;  // r with its derivatives

  [[nodiscard]] Radius radius(const Vec3& direction) const;
  [[nodiscard]] double area_per_angle(const Vec3& direction) const;
  [[nodiscard]] Vec3 nearest_from(Vec3 direction, const Vec3& p) const;

  double base_ = 0.0;
  std::vector<Bump> bumps_;
  std::vector<Vec3> start_directions_;
  std::vector<Vec3> start_points_;
  NeighbourSearch starts_;
  double largest_area_per_angle_ = 0.0;
  double largest_radius_ = 0.0;
  double bend_ = 0.0;  // bounds |r'| + r'' along great circles
};

}  // namespace burnish
