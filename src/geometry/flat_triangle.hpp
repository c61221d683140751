#pragma once

#include <Eigen/Geometry>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// A triangle in its plane, prepared for exact distances: its longest edge is the x axis from 0 to `length`, its third
/// corner lies at (foot, height).
///
/// Splitting a query along the longest edge first keeps the distance accurate for needles and slivers, where the
/// normal from a cross product would be mostly rounding error. A triangle without area is a segment (height 0) or a
/// point (length 0 as well).
class FlatTriangle {
 public:
  FlatTriangle(const Vec3& a, const Vec3& b, const Vec3& c);

  struct Closest {
    double squared_distance;
    double x, y;
  };

  /// The nearest point of the triangle, in the coordinates of its plane.
  [[nodiscard]] Closest closest(const Vec3& query) const;

  /// From the plane's coordinates back to space.
  [[nodiscard]] Vec3 place(const Closest& c) const { return origin_ + c.x * along_ + c.y * up_; }

 private:
  Vec3 origin_, along_, up_, normal_;
  double length_, foot_, height_;
};

}  // namespace burnish
