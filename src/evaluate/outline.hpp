#pragma once

#include <Eigen/Geometry>

#include <vector>

namespace burnish {

class RandomStream;
using Vec2 = Eigen::Vector2d;

/// A piece of an outline in the plane: a segment, an arc of less than half a turn, or a whole circle.
struct Curve {
  enum class Kind { segment, arc, circle };
  Kind kind = Kind::segment;
  Vec2 start = Vec2::Zero();
  Vec2 end = Vec2::Zero();
  Vec2 centre = Vec2::Zero();  // of an arc or circle
  double radius = 0.0;
  bool left_turn = true;  // whether it runs counter-clockwise around its centre

  [[nodiscard]] double length() const;
  [[nodiscard]] double distance(const Vec2& p) const;
  [[nodiscard]] Vec2 random_point(RandomStream& random) const;

  /// Whether the direction from the centre to p points at the arc.
  [[nodiscard]] bool faces(const Vec2& p) const;
};

/// A closed chain of curves, with the corners where it is not smooth.
struct Loop {
  std::vector<Curve> curves;
  std::vector<Vec2> corners;

  [[nodiscard]] double area() const;
};

/// A polygon whose corners may be rounded, inner ones too.
struct Corner {
  Vec2 position;
  double radius = 0.0;
};
[[nodiscard]] Loop rounded_polygon(const std::vector<Corner>& corners);
[[nodiscard]] Loop rectangle(const Vec2& low, const Vec2& high, double radius = 0.0);
[[nodiscard]] Loop circle(const Vec2& centre, double radius);

/// The points inside an odd number of loops: the first loop is the outer one, the others are holes in it.
struct Region {
  std::vector<Loop> loops;

  [[nodiscard]] double area() const;
  [[nodiscard]] bool contains(const Vec2& p) const;
  /// Distance to the outline.
  [[nodiscard]] double outline_distance(const Vec2& p) const;
  [[nodiscard]] Eigen::AlignedBox2d box() const;
};

}  // namespace burnish
