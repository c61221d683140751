#include "geometry/flat_triangle.hpp"

#include <algorithm>
#include <limits>

namespace burnish {
namespace {

/// Lowers `best` to the nearest place of the segment from (x0, y0) by (dx, dy), if that is nearer to (x, y).
void try_segment(double x, double y, double x0, double y0, double dx, double dy, FlatTriangle::Closest& best) {
  const double squared_length = dx * dx + dy * dy;
  const double t = squared_length > 0.0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / squared_length, 0.0, 1.0) : 0.0;
  const double px = x0 + t * dx;
  const double py = y0 + t * dy;
  const double squared = (x - px) * (x - px) + (y - py) * (y - py);
  if (squared < best.squared_distance) {
    best = {squared, px, py};
  }
}

}  // namespace

FlatTriangle::FlatTriangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  // Turn the corners so that the first two span the longest edge.
  const double ab = (b - a).squaredNorm();
  const double bc = (c - b).squaredNorm();
  const double ca = (a - c).squaredNorm();
  const bool turn_once = bc > ab && bc >= ca;
  const bool turn_twice = !turn_once && ca > ab;
  const Vec3& start = turn_once ? b : turn_twice ? c : a;
  const Vec3& end = turn_once ? c : turn_twice ? a : b;
  const Vec3& third = turn_once ? a : turn_twice ? b : c;

  origin_ = start;
  length_ = (end - start).norm();
  along_ = length_ > 0.0 ? Vec3((end - start) / length_) : Vec3::UnitX();
  foot_ = std::clamp((third - start).dot(along_), 0.0, length_);
  // Twice: the remainder along the edge after the first subtraction is small, but not against a small height.
  Vec3 rise = (third - start) - (third - start).dot(along_) * along_;
  rise -= rise.dot(along_) * along_;
  height_ = rise.norm();
  up_ = height_ > 0.0 ? Vec3(rise / height_) : along_.unitOrthogonal();
  normal_ = along_.cross(up_);
}

FlatTriangle::Closest FlatTriangle::closest(const Vec3& query) const {
  const Vec3 offset = query - origin_;
  const double x = offset.dot(along_);
  const double y = offset.dot(up_);
  const double z = offset.dot(normal_);

  const bool below = y < 0.0;
  const bool left = foot_ * y > height_ * x;
  const bool right = (length_ - foot_) * y > height_ * (length_ - x);
  Closest best{0.0, x, y};
  if (below || left || right || height_ == 0.0) {
    // The nearest point is on an edge that separates the query from the triangle.
    best.squared_distance = std::numeric_limits<double>::infinity();
    if (below || height_ == 0.0) {
      try_segment(x, y, 0.0, 0.0, length_, 0.0, best);
    }
    if (left) {
      try_segment(x, y, 0.0, 0.0, foot_, height_, best);
    }
    if (right) {
      try_segment(x, y, length_, 0.0, foot_ - length_, height_, best);
    }
  }
  best.squared_distance += z * z;
  return best;
}

}  // namespace burnish
