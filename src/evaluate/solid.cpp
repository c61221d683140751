#include "evaluate/solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math.hpp"
#include "core/random.hpp"

namespace burnish {
namespace {

/// The outline, given in the tool's coordinates, as seen from a parallel face.
Loop transferred(const Loop& outline, const Frame& tool, const Frame& face) {
  const auto move = [&](const Vec2& p) -> Vec2 { return face.to_local(tool.to_space(p, 0.0)).head<2>(); };
  const bool mirrored = tool.axes.col(2).dot(face.axes.col(2)) < 0.0;
  Loop loop = outline;
  for (Curve& curve : loop.curves) {
    curve.start = move(curve.start);
    curve.end = move(curve.end);
    curve.centre = move(curve.centre);
    curve.left_turn = curve.left_turn != mirrored;
  }
  std::ranges::transform(loop.corners, loop.corners.begin(), move);
  return loop;
}

}  // namespace

double Solid::Flat::distance(const Vec3& p) const {
  const Vec3 q = frame.to_local(p);
  const double height = std::abs(q.z());
  return region.contains(q.head<2>()) ? height : math::hypot(region.outline_distance(q.head<2>()), height);
}

double Solid::Strip::distance(const Vec3& p) const {
  const Vec3 q = frame.to_local(p);
  const double beyond = std::max({0.0, -q.z(), q.z() - height});
  return math::hypot(arc.distance(q.head<2>()), beyond);
}

template <class Visit>
void Solid::Flat::meet(const Ray& ray, double tolerance, const Visit& visit) const {
  const Vec3 normal = frame.axes.col(2);
  const double t = (frame.origin - ray.origin).dot(normal) / ray.direction.dot(normal);
  if (!(t >= 0.0) || !std::isfinite(t)) {
    return;
  }
  const Vec2 q = frame.to_local(ray.origin + t * ray.direction).head<2>();
  if (box.squaredExteriorDistance(q) <= tolerance * tolerance &&
      (region.contains(q) || (tolerance > 0.0 && region.outline_distance(q) <= tolerance))) {
    visit(t, normal);
  }
}

template <class Visit>
void Solid::Strip::meet(const Ray& ray, double tolerance, const Visit& visit) const {
  const Vec3 start = frame.to_local(ray.origin);
  const Vec3 direction = frame.axes.transpose() * ray.direction;
  const double speed = direction.head<2>().norm();
  if (speed == 0.0) {
    return;  // along the strip
  }
  const Vec2 along = direction.head<2>() / speed;
  const Vec2 from_centre = start.head<2>() - arc.centre;
  const double middle = -from_centre.dot(along);
  const double square = arc.radius * arc.radius - (from_centre + middle * along).squaredNorm();
  if (square < 0.0) {
    return;
  }
  const double half = std::sqrt(square);
  for (const double t : {(middle - half) / speed, (middle + half) / speed}) {
    const Vec3 q = start + t * direction;
    if (t >= 0.0 && q.z() >= -tolerance && q.z() <= height + tolerance &&
        (arc.faces(q.head<2>()) || (tolerance > 0.0 && arc.distance(q.head<2>()) <= tolerance))) {
      const Vec2 outwards = (q.head<2>() - arc.centre).normalized();
      visit(t, frame.axes * Vec3(outwards.x(), outwards.y(), 0.0));
    }
  }
}

template <class Visit>
void Solid::meet(const Ray& ray, double tolerance, const Visit& visit) const {
  for (const Flat& flat : flats_) {
    flat.meet(ray, tolerance, visit);
  }
  for (const Strip& strip : strips_) {
    strip.meet(ray, tolerance, visit);
  }
}

void Solid::add_walls(const Frame& frame, const Loop& outline, double height) {
  const Frame top = frame.raised(height);
  for (const Curve& curve : outline.curves) {
    edges_.push_back({frame, curve});
    edges_.push_back({top, curve});
    if (curve.kind != Curve::Kind::segment) {
      strips_.push_back({frame, curve, height});
      continue;
    }
    const Vec3 start = frame.to_space(curve.start, 0.0);
    const Vec3 along = frame.to_space(curve.end, 0.0) - start;
    flats_.push_back(
        {Frame(start, along.normalized(), frame.axes.col(2)), {{rectangle(Vec2::Zero(), Vec2(along.norm(), height))}}});
  }
  for (const Vec2& corner : outline.corners) {
    const Frame upright(frame.to_space(corner, 0.0), frame.axes.col(2), frame.axes.col(0));
    edges_.push_back({upright, {Curve::Kind::segment, Vec2::Zero(), Vec2(height, 0.0), Vec2::Zero(), 0.0, true}});
  }
}

void Solid::extrude(const Frame& frame, const Loop& outline, double height) {
  add_walls(frame, outline, height);
  flats_.push_back({frame, {{outline}}});
  flats_.push_back({frame.raised(height), {{outline}}});
  add_up_areas();
}

void Solid::drill(const Frame& tool, const Loop& outline, double depth) {
  struct Hit {
    double depth;
    std::size_t flat;
  };
  std::vector<Hit> hits;
  const Vec3 axis = tool.axes.col(2);
  for (std::size_t f = 0; f < flats_.size(); ++f) {
    const Frame& frame = flats_[f].frame;
    const double at = (frame.origin - tool.origin).dot(axis);
    const bool across = std::abs(std::abs(frame.axes.col(2).dot(axis)) - 1.0) < 1e-9;
    if (across && at >= 0.0 && at <= depth && flats_[f].region.contains(frame.to_local(tool.origin).head<2>())) {
      hits.push_back({at, f});
    }
  }
  std::ranges::sort(hits, {}, &Hit::depth);
  for (std::size_t i = 0; i + 1 < hits.size(); i += 2) {
    for (const Hit& hit : {hits[i], hits[i + 1]}) {
      Flat& flat = flats_[hit.flat];
      flat.region.loops.push_back(transferred(outline, tool, flat.frame));
    }
    add_walls(tool.raised(hits[i].depth), outline, hits[i + 1].depth - hits[i].depth);
  }
  add_up_areas();
}

double Solid::distance(const Vec3& p) const {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t face = 0; face < face_count(); ++face) {
    best = std::min(best, face_distance(face, p));
  }
  return best;
}

double Solid::edge_distance(const Vec3& p) const {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [frame, curve] : edges_) {
    const Vec3 q = frame.to_local(p);
    if (std::abs(q.z()) < best) {
      best = std::min(best, math::hypot(curve.distance(q.head<2>()), q.z()));
    }
  }
  return best;
}

bool Solid::contains(const Vec3& p) const {
  // A line out of the inside crosses the surface an odd number of times. Three directions vote, in case one of the
  // lines runs into an edge.
  int votes = 0;
  for (const Vec3& direction : {Vec3(0.6, 0.53, 0.6), Vec3(-0.48, 0.75, 0.46), Vec3(0.31, -0.42, 0.85)}) {
    bool inside = false;
    meet({p, direction.normalized()}, 0.0, [&](double, const Vec3&) { inside = !inside; });
    votes += inside ? 1 : 0;
  }
  return votes >= 2;
}

RayHit Solid::first_hit(const Ray& ray) const {
  // The tolerance covers rounding, so that a ray cannot slip through between two faces that meet at an edge.
  const double tolerance = 1e-15 * (4.0 + ray.origin.norm());
  RayHit hit;
  meet(ray, tolerance, [&](double distance, const Vec3& normal) {
    if (distance < hit.distance) {
      hit = {distance, normal.dot(ray.direction) < 0.0 ? normal : Vec3(-normal)};
    }
  });
  return hit;
}

double Solid::face_distance(std::size_t face, const Vec3& p) const {
  return face < flats_.size() ? flats_[face].distance(p) : strips_[face - flats_.size()].distance(p);
}

double Solid::face_area(std::size_t face) const {
  if (face < flats_.size()) {
    return flats_[face].region.area();
  }
  const Strip& strip = strips_[face - flats_.size()];
  return strip.arc.length() * strip.height;
}

Vec3 Solid::random_point(RandomStream& random) const {
  const double target = random.uniform() * area_up_to_.back();
  const auto found = std::ranges::upper_bound(area_up_to_, target) - area_up_to_.begin();
  const std::size_t face = std::min(static_cast<std::size_t>(found), face_count() - 1);
  if (face >= flats_.size()) {
    const Strip& strip = strips_[face - flats_.size()];
    const Vec2 p = strip.arc.random_point(random);
    return strip.frame.to_space(p, random.uniform() * strip.height);
  }
  const Flat& flat = flats_[face];
  const Eigen::AlignedBox2d box = flat.region.box();
  for (;;) {
    const double x = random.uniform();
    const double y = random.uniform();
    const Vec2 p = box.min() + Vec2(x, y).cwiseProduct(box.sizes());
    if (flat.region.contains(p)) {
      return flat.frame.to_space(p, 0.0);
    }
  }
}

void Solid::add_up_areas() {
  area_up_to_.clear();
  for (std::size_t face = 0; face < face_count(); ++face) {
    area_up_to_.push_back(face_area(face) + (face > 0 ? area_up_to_.back() : 0.0));
  }
}

}  // namespace burnish
