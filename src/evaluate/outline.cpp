#include "evaluate/outline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/math.hpp"
#include "core/random.hpp"

namespace burnish {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// The angle of an arc, of less than half a turn.
double sweep(const Curve& arc) {
  const Vec2 a = arc.start - arc.centre;
  const Vec2 b = arc.end - arc.centre;
  return math::atan2(std::abs(cross(a, b)), a.dot(b));
}

/// True if a ray from p along x crosses the chord. The second answer: whether p lies between chord and arc. Both are
/// decided by the same determinant, so that together they are right even for a point on the chord.
std::pair<bool, bool> crosses_chord(const Curve& curve, const Vec2& p) {
  // Counter-clockwise around the arc's centre, the arc bulges to the right of its chord.
  const Vec2& a = curve.left_turn ? curve.start : curve.end;
  const Vec2& b = curve.left_turn ? curve.end : curve.start;
  const double side = cross(b - a, p - a);
  const bool upward = a.y() < b.y();
  const bool straddles = (a.y() > p.y()) != (b.y() > p.y());
  const bool crosses = straddles && (upward ? side > 0.0 : side < 0.0);
  if (curve.kind != Curve::Kind::arc) {
    return {crosses, false};
  }
  // A point on the chord counts as lying to the right of it where the crossing rule says so.
  const bool tie_right = upward || (a.y() == b.y() && a.x() > b.x());
  const bool right = side < 0.0 || (side == 0.0 && tie_right);
  return {crosses, right && (p - curve.centre).squaredNorm() < curve.radius * curve.radius};
}

}  // namespace

double Curve::length() const {
  switch (kind) {
    case Kind::arc:
      return radius * sweep(*this);
    case Kind::circle:
      return 2.0 * std::numbers::pi * radius;
    case Kind::segment:
      break;
  }
  return (end - start).norm();
}

bool Curve::faces(const Vec2& p) const {
  const Vec2 direction = p - centre;
  const Vec2 from = (left_turn ? start : end) - centre;
  const Vec2 to = (left_turn ? end : start) - centre;
  return kind == Kind::circle || (cross(from, direction) >= 0.0 && cross(direction, to) >= 0.0);
}

double Curve::distance(const Vec2& p) const {
  if (kind == Kind::segment) {
    const Vec2 along = end - start;
    const double t = std::clamp((p - start).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (p - start - t * along).norm();
  }
  if (faces(p)) {
    return std::abs((p - centre).norm() - radius);
  }
  return std::sqrt(std::min((p - start).squaredNorm(), (p - end).squaredNorm()));
}

Vec2 Curve::random_point(RandomStream& random) const {
  if (kind == Kind::segment) {
    return start + random.uniform() * (end - start);
  }
  for (;;) {
    const Vec2 p = centre + radius * random.direction2().first;
    if (faces(p)) {
      return p;
    }
  }
}

double Loop::area() const {
  double sum = 0.0;
  for (const Curve& curve : curves) {
    sum += 0.5 * cross(curve.start, curve.end);
    const double angle = curve.kind == Curve::Kind::arc      ? sweep(curve)
                         : curve.kind == Curve::Kind::circle ? 2.0 * std::numbers::pi
                                                             : 0.0;
    sum += (curve.left_turn ? 0.5 : -0.5) * curve.radius * curve.radius * (angle - math::sin(angle));
  }
  return std::abs(sum);
}

Loop rounded_polygon(const std::vector<Corner>& corners) {
  struct Rounding {
    Vec2 in, out, centre;
  };
  const std::size_t n = corners.size();
  std::vector<Rounding> roundings(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2& p = corners[i].position;
    const Vec2 back = (corners[(i + n - 1) % n].position - p).normalized();
    const Vec2 forth = (corners[(i + 1) % n].position - p).normalized();
    // The circle touches both sides: its centre lies on the bisector of the corner's angle.
    const double cosine = back.dot(forth);
    const double to_tangent = corners[i].radius * std::sqrt((1.0 + cosine) / (1.0 - cosine));
    const double to_centre = corners[i].radius * std::sqrt(2.0 / (1.0 - cosine));
    roundings[i] = {p + to_tangent * back, p + to_tangent * forth, p + to_centre * (back + forth).normalized()};
  }
  Loop loop;
  for (std::size_t i = 0; i < n; ++i) {
    const auto& [in, out, centre] = roundings[i];
    if (corners[i].radius > 0.0) {
      loop.curves.push_back(
          {Curve::Kind::arc, in, out, centre, corners[i].radius, cross(in - centre, out - centre) > 0.0});
    } else {
      loop.corners.push_back(in);
    }
    const Vec2& next = roundings[(i + 1) % n].in;
    if ((next - out).norm() > 1e-12) {  // nothing is left between two arcs that touch
      loop.curves.push_back({Curve::Kind::segment, out, next, Vec2::Zero(), 0.0, true});
    }
  }
  return loop;
}

Loop rectangle(const Vec2& low, const Vec2& high, double radius) {
  return rounded_polygon({{low, radius}, {{high.x(), low.y()}, radius}, {high, radius}, {{low.x(), high.y()}, radius}});
}

Loop circle(const Vec2& centre, double radius) {
  const Vec2 start = centre + Vec2(radius, 0.0);
  return {{{Curve::Kind::circle, start, start, centre, radius, true}}, {}};
}

double Region::area() const {
  double sum = 0.0;
  for (const Loop& loop : loops) {
    sum += &loop == &loops.front() ? loop.area() : -loop.area();
  }
  return sum;
}

bool Region::contains(const Vec2& p) const {
  bool inside = false;
  for (const Loop& loop : loops) {
    for (const Curve& curve : loop.curves) {
      if (curve.kind == Curve::Kind::circle) {
        inside ^= (p - curve.centre).squaredNorm() < curve.radius * curve.radius;
      } else {
        const auto [crosses, between] = crosses_chord(curve, p);
        inside ^= crosses;
        inside ^= between;
      }
    }
  }
  return inside;
}

double Region::outline_distance(const Vec2& p) const {
  double best = std::numeric_limits<double>::infinity();
  for (const Loop& loop : loops) {
    for (const Curve& curve : loop.curves) {
      best = std::min(best, curve.distance(p));
    }
  }
  return best;
}

Eigen::AlignedBox2d Region::box() const {
  Eigen::AlignedBox2d box;
  for (const Curve& curve : loops.front().curves) {
    box.extend(curve.start);
    box.extend(curve.end);
    for (const Vec2& direction : {Vec2(1, 0), Vec2(-1, 0), Vec2(0, 1), Vec2(0, -1)}) {
      const Vec2 p = curve.centre + curve.radius * direction;
      if (curve.kind != Curve::Kind::segment && curve.faces(p)) {
        box.extend(p);
      }
    }
  }
  return box;
}

}  // namespace burnish
