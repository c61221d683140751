#include "evaluate/organic.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/math.hpp"
#include "core/random.hpp"
#include "evaluate/first_zero.hpp"

namespace burnish {
namespace {

constexpr int grid = 48;              // cells along an edge of the cube the start directions are taken from
constexpr double spacing = 0.025;     // about the largest distance between neighbouring start points
constexpr double surely_near = 0.02;  // nearer than this there is only one closest point: far below the reach

/// Directions spread over the sphere: the cells of the faces of a cube.
std::vector<Vec3> cube_directions() {
  std::vector<Vec3> directions;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      for (int i = 0; i < grid; ++i) {
        for (int j = 0; j < grid; ++j) {
          Vec3 d;
          d[axis] = sign;
          d[(axis + 1) % 3] = (2.0 * i + 1.0) / grid - 1.0;
          d[(axis + 2) % 3] = (2.0 * j + 1.0) / grid - 1.0;
          directions.push_back(d.normalized());
        }
      }
    }
  }
  return directions;
}

/// An upper bound of |h'| + h'' along great circles, for one bump h = amount f, f = 1 / (1 + sharpness (1 - c)), where
/// c is the cosine of the angle to its middle. Along a great circle |c'| is at most the sine of that angle, c'' is -c,
/// and
///     h' = amount sharpness f^2 c'
///     h'' = amount (2 sharpness^2 f^3 c'^2 - sharpness f^2 c)
double largest_bend(double amount, double sharpness) {
  double largest_slope = 0.0;
  double largest_second = 0.0;
  constexpr int steps = 2000;
  for (int i = 0; i <= steps; ++i) {
    const double c = math::cos(std::numbers::pi * i / steps);
    const double squared_sine = 1.0 - c * c;
    const double f = 1.0 / (1.0 + sharpness * (1.0 - c));
    const double slope = amount * sharpness * f * f;
    const double second = 2.0 * slope * sharpness * f * squared_sine;
    largest_slope = std::max(largest_slope, std::abs(slope) * std::sqrt(squared_sine));
    largest_second = std::max(largest_second, std::max(second, 0.0) - slope * c);
  }
  return 1.01 * (largest_slope + largest_second);  // a little more, for what lies between the steps
}

}  // namespace

/// The radius along a direction d. Its gradient as a function of space is `gradient`, its second derivative `second`;
/// on the sphere both act on the tangent plane at d only.
struct Organic::Radius {
  double value = 0.0;
  Vec3 gradient = Vec3::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
};

Organic::Organic()
    : base_(0.22),
      bumps_{{{1.0, 0.2, 0.1}, 0.30, 10.0},   {{-0.8, 0.5, 0.2}, 0.24, 14.0},  {{-0.3, -0.9, 0.3}, 0.20, 16.0},
             {{0.1, 0.3, 1.0}, -0.06, 8.0},   {{0.2, -0.2, -1.0}, 0.20, 18.0}, {{0.7, -0.7, -0.2}, -0.05, 10.0},
             {{-0.7, -0.2, 0.7}, 0.16, 18.0}, {{0.2, 0.9, -0.4}, 0.14, 12.0}},
      start_directions_(cube_directions()),
      starts_(std::span<const Vec3>{}) {
  for (Bump& bump : bumps_) {
    bump.towards.normalize();
  }
  for (const Vec3& d : start_directions_) {
    start_points_.push_back(surface_point(d));
    largest_area_per_angle_ = std::max(largest_area_per_angle_, area_per_angle(d));
    largest_radius_ = std::max(largest_radius_, start_points_.back().norm());
  }
  // Both may be a little larger between the directions looked at.
  largest_area_per_angle_ *= 1.05;
  largest_radius_ *= 1.05;
  for (const Bump& bump : bumps_) {
    bend_ += largest_bend(bump.amount, bump.sharpness);
  }
  starts_ = NeighbourSearch(start_points_);
}

Organic::Radius Organic::radius(const Vec3& direction) const {
  Radius r;
  r.value = base_;
  for (const auto& [towards, amount, sharpness] : bumps_) {
    const double f = 1.0 / (1.0 + sharpness * (1.0 - direction.dot(towards)));
    r.value += amount * f;
    r.gradient += amount * sharpness * f * f * towards;
    r.second += 2.0 * amount * sharpness * sharpness * f * f * f * towards * towards.transpose();
  }
  return r;
}

Vec3 Organic::surface_point(const Vec3& direction) const { return radius(direction).value * direction; }

double Organic::area_per_angle(const Vec3& direction) const {
  const Radius r = radius(direction);
  const Vec3 slope = r.gradient - r.gradient.dot(direction) * direction;
  return r.value * std::sqrt(r.value * r.value + slope.squaredNorm());
}

Vec3 Organic::random_point(RandomStream& random) const {
  for (;;) {
    const Vec3 direction = random.direction3();
    if (random.uniform() * largest_area_per_angle_ < area_per_angle(direction)) {
      return surface_point(direction);
    }
  }
}

/// Walks downhill from a start direction to where |X(d) - p|^2 / 2, X(d) = r(d) d, is least: Newton's method in the
/// tangent plane at d, kept from going uphill.
Vec3 Organic::nearest_from(Vec3 d, const Vec3& p) const {
  double value = 0.5 * (surface_point(d) - p).squaredNorm();
  for (int iteration = 0; iteration < 100; ++iteration) {
    // Along d(t) = (d + E t) / |d + E t|, E the two tangents:
    //   dX/dt_i = r E_i + g_i d,  d2X/dt_i dt_j = (h_ij - r delta_ij) d + g_i E_j + g_j E_i
    Eigen::Matrix<double, 3, 2> tangents;
    tangents.col(0) = d.unitOrthogonal();
    tangents.col(1) = d.cross(tangents.col(0));
    const Radius r = radius(d);
    const Eigen::Vector2d g = tangents.transpose() * r.gradient;
    const Eigen::Matrix2d h =
        tangents.transpose() * r.second * tangents - r.gradient.dot(d) * Eigen::Matrix2d::Identity();
    const Vec3 offset = r.value * d - p;
    const Eigen::Matrix<double, 3, 2> first = r.value * tangents + d * g.transpose();
    const Eigen::Vector2d across = tangents.transpose() * offset;
    const Eigen::Vector2d slope = first.transpose() * offset;
    Eigen::Matrix2d curvature = first.transpose() * first +
                                offset.dot(d) * (h - r.value * Eigen::Matrix2d::Identity()) + g * across.transpose() +
                                across * g.transpose();
    // Lift the smaller eigenvalue above zero where the way down is not a bowl.
    const double middle = 0.5 * curvature.trace();
    const double smallest = middle - std::sqrt(std::max(0.0, middle * middle - curvature.determinant()));
    const double least = 1e-6 * first.squaredNorm();
    if (smallest < least) {
      curvature += (least - smallest) * Eigen::Matrix2d::Identity();
    }
    Eigen::Vector2d step = -curvature.inverse() * slope;
    if (-slope.dot(step) <= 1e-15 * value + 1e-34) {
      break;  // nothing left to gain but rounding
    }
    step *= std::min(1.0, 0.3 / step.norm());

    bool better = false;
    for (int half = 0; half < 30 && !better; ++half, step *= 0.5) {
      const Vec3 next = (d + tangents * step).normalized();
      const double next_value = 0.5 * (surface_point(next) - p).squaredNorm();
      if (next_value < value) {
        d = next;
        value = next_value;
        better = true;
      }
    }
    if (!better) {
      break;
    }
  }
  return d;
}

bool Organic::contains(const Vec3& p) const {
  const double length = p.norm();
  return length == 0.0 || length < radius(p / length).value;
}

RayHit Organic::first_hit(const Ray& ray) const {
  // Along the ray, t counted from the place nearest to the centre, with d the direction from the centre:
  //   g(t) = |p| - r(d),  g' = d.v - r'(d).d',  d' = (v - (d.v) d) / |p|
  //   g'' >= -r'' |d'|^2 - |r'| |d''| >= -(r'' + |r'|) / |p|^2
  // For steps up to a quarter of |p| the bound is taken at three quarters of |p|.
  const double middle = -ray.origin.dot(ray.direction);
  const Vec3 nearest = ray.origin + middle * ray.direction;
  const double square = largest_radius_ * largest_radius_ - nearest.squaredNorm();
  if (square < 0.0) {
    return {};
  }
  const auto gap = [&](double t) -> Tangent {
    const Vec3 p = nearest + t * ray.direction;
    const double length = p.norm();
    const Vec3 d = p / length;
    const Radius r = radius(d);
    const double along = d.dot(ray.direction);
    return {length - r.value, along - (r.gradient.dot(ray.direction) - along * r.gradient.dot(d)) / length,
            bend_ / (0.5625 * length * length), 0.25 * length};
  };
  const double end = std::sqrt(square);
  const auto t = first_zero(gap, std::max(-end, -middle), end, 1e-16);
  if (!t) {
    return {};
  }
  const Vec3 p = nearest + *t * ray.direction;
  const double length = p.norm();
  const Vec3 d = p / length;
  const Vec3 gradient = radius(d).gradient;
  return {middle + *t, (d - (gradient - gradient.dot(d) * d) / length).normalized()};
}

double Organic::distance(const Vec3& p) const {
  // Farther away several parts of the surface can compete for being nearest, so more starts are tried, one for each
  // part.
  std::array<std::uint32_t, 64> indices;
  std::array<double, 64> distances;
  starts_.nearest(p, std::span(indices).first(1), std::span(distances).first(1));
  std::size_t count = 1;
  if (distances[0] > surely_near * surely_near) {
    count = starts_.nearest(p, indices, distances);
  }
  double best = std::numeric_limits<double>::infinity();
  std::vector<Vec3> seen;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3& start = start_points_[indices[i]];
    if (std::ranges::any_of(seen, [&](const Vec3& s) { return (s - start).norm() < 4.0 * spacing; })) {
      continue;
    }
    const Vec3 found = surface_point(nearest_from(start_directions_[indices[i]], p));
    best = std::min(best, (found - p).norm());
    seen.insert(seen.end(), {start, found});
  }
  return best;
}

}  // namespace burnish
