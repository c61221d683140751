#include "baselines/oriented_points.hpp"
#include "geometry/algebraic_sphere.hpp"

// G. Guennebaud, M. Gross: "Algebraic point set surfaces", ACM Transactions on Graphics 26(3), 2007; the fit in closed
// form from "Dynamic sampling and rendering of algebraic point set surfaces" (Guennebaud, Germann, Gross 2008).

namespace burnish {
namespace {

using namespace baselines;

/// The sphere that fits the points as they count at a place.
AlgebraicSphere fit_sphere(std::span<const OrientedPoint> around, const Vec3& place, double inverse_squared_radius,
                           double spherical) {
  AlgebraicSphereFit fit;
  for (const OrientedPoint& q : around) {
    fit.add(bump((q.position - place).squaredNorm() * inverse_squared_radius), q.position, q.normal);
  }
  return fit.fit(spherical);
}

/// The nearest point of the sphere, or the same place if there is no sphere.
Vec3 project(const AlgebraicSphere& sphere, const Vec3& place) {
  const double value = sphere.u0 + sphere.u.dot(place) + sphere.u4 * place.squaredNorm();
  const Vec3 gradient = sphere.u + 2.0 * sphere.u4 * place;
  const double slope = gradient.norm();
  // Along the gradient the value is value − t·slope + t²·u4; this form of its root holds for planes too.
  const double root = slope + std::sqrt(std::max(0.0, slope * slope - 4.0 * sphere.u4 * value));
  return slope > 0.0 ? Vec3(place - (2.0 * value / (root * slope)) * gradient) : place;
}

}  // namespace

BaselineResult denoise_apss(std::span<const Vec3> positions, const ApssSettings& settings,
                            const ExecutionContext& context) {
  check_projection("APSS", settings.filter_scale, settings.normal_neighbours);
  require(settings.spherical >= 0.0 && settings.spherical <= 1.0, "APSS: the spherical parameter must be from 0 to 1");
  // The point itself, where the origin is, is projected onto the sphere that fits where it landed last.
  const auto project_origin = [&](std::span<const OrientedPoint> around, double radius) {
    Vec3 place = Vec3::Zero();
    for (unsigned k = 0; k < settings.iterations; ++k) {
      const AlgebraicSphere sphere = fit_sphere(around, place, 1.0 / (radius * radius), settings.spherical);
      const Vec3 next = project(sphere, Vec3::Zero());
      const double step = (next - place).norm();
      if (!(next.norm() < radius)) {
        break;
      }
      place = next;
      if (step < arrived) {
        break;
      }
    }
    return place;
  };
  const auto project_all = [&](std::span<const Vec3> points, std::span<const Vec3> normals) {
    return project_points(points, normals, settings.filter_scale, settings.normal_neighbours, context, project_origin);
  };
  return run_baseline(positions, settings.normals, context, project_all);
}

}  // namespace burnish
