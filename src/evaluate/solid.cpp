#include "evaluate/solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
  return region.contains(q.head<2>()) ? height : std::hypot(region.outline_distance(q.head<2>()), height);
}

double Solid::Strip::distance(const Vec3& p) const {
  const Vec3 q = frame.to_local(p);
  const double beyond = std::max({0.0, -q.z(), q.z() - height});
  return std::hypot(arc.distance(q.head<2>()), beyond);
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
      best = std::min(best, std::hypot(curve.distance(q.head<2>()), q.z()));
    }
  }
  return best;
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
