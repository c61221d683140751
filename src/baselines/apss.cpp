#include "baselines/oriented_points.hpp"

// G. Guennebaud, M. Gross: "Algebraic point set surfaces", ACM Transactions on Graphics 26(3), 2007; the fit in closed
// form from "Dynamic sampling and rendering of algebraic point set surfaces" (Guennebaud, Germann, Gross 2008).

namespace burnish {
namespace {

using namespace baselines;

/// The zero set of u0 + u·x + u4 x².
struct AlgebraicSphere {
  double u0;
  Vec3 u;
  double u4;
};

/// The sphere whose gradient at the points is nearest to the normals, then the one of these nearest to the points.
AlgebraicSphere fit_sphere(std::span<const OrientedPoint> around, const Vec3& place, double inverse_squared_radius,
                           double spherical) {
  double sum = 0.0;
  Vec3 p = Vec3::Zero();
  Vec3 n = Vec3::Zero();
  double pp = 0.0;
  double pn = 0.0;
  for (const OrientedPoint& q : around) {
    const double w = bump((q.position - place).squaredNorm() * inverse_squared_radius);
    const Vec3 wp = w * q.position;
    sum += w;
    p += wp;
    n += w * q.normal;
    pp += wp.dot(q.position);
    pn += wp.dot(q.normal);
  }
  const double spread = pp - p.squaredNorm() / sum;
  AlgebraicSphere sphere{};
  sphere.u4 = spread > 0.0 ? 0.5 * spherical * (pn - p.dot(n) / sum) / spread : 0.0;
  sphere.u = (n - 2.0 * sphere.u4 * p) / sum;
  sphere.u0 = -(sphere.u.dot(p) + sphere.u4 * pp) / sum;
  return sphere;
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
