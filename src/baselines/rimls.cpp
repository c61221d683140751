#include "baselines/oriented_points.hpp"
#include "core/math.hpp"

// A. C. Öztireli, G. Guennebaud, M. Gross: "Feature preserving point set surfaces based on non-linear kernel
// regression", Computer Graphics Forum 28(2), 2009.

namespace burnish {
namespace {

using namespace baselines;

/// The implicit function at a place, and its gradient.
struct Implicit {
  double value = 0.0;
  Vec3 gradient = Vec3::Zero();
};

/// A weighted mean of the signed distances to the tangent planes of the points; from
/// the second fit on, points whose distance or normal differs from the last fit count less.
Implicit robust_fit(std::span<const OrientedPoint> around, const Vec3& place, double radius,
                    const RimlsSettings& settings) {
  const double by_radius = 1.0 / (radius * radius);
  const double by_residual = 1.0 / (settings.residual * settings.residual * radius * radius);
  const double by_normal = 1.0 / (settings.sharpness * settings.sharpness);
  Implicit fit;
  for (unsigned refit = 0; refit < settings.refits; ++refit) {
    double sum_w = 0.0;
    double sum_f = 0.0;
    Vec3 sum_gw = Vec3::Zero();
    Vec3 sum_gf = Vec3::Zero();
    Vec3 sum_n = Vec3::Zero();
    for (const OrientedPoint& q : around) {
      const Vec3 from = place - q.position;
      const double t = 1.0 - from.squaredNorm() * by_radius;
      if (t <= 0.0) {
        continue;
      }
      const double f = from.dot(q.normal);
      double trust = 1.0;
      if (refit > 0) {
        const double off = f - fit.value;
        trust = math::exp(-off * off * by_residual - (q.normal - fit.gradient).squaredNorm() * by_normal);
      }
      const double slope = trust * t * t * t;
      const double w = slope * t;
      const Vec3 gw = (-8.0 * by_radius * slope) * from;
      sum_w += w;
      sum_f += w * f;
      sum_gw += gw;
      sum_gf += f * gw;
      sum_n += w * q.normal;
    }
    if (!(sum_w > 0.0)) {
      break;
    }
    const double before = fit.value;
    fit.value = sum_f / sum_w;
    fit.gradient = (sum_gf - fit.value * sum_gw + sum_n) / sum_w;
    if (refit > 0 && std::abs(fit.value - before) < arrived) {
      break;
    }
  }
  return fit;
}

}  // namespace

BaselineResult denoise_rimls(std::span<const Vec3> positions, const RimlsSettings& settings,
                             const ExecutionContext& context) {
  check_projection("RIMLS", settings.filter_scale, settings.normal_neighbours);
  require(settings.sharpness > 0.0 && settings.residual > 0.0, "RIMLS: sharpness and residual must be positive");
  require(settings.refits >= 1, "RIMLS: there must be at least one fit");
  const auto project_origin = [&](std::span<const OrientedPoint> around, double radius) {
    Vec3 place = Vec3::Zero();
    for (unsigned k = 0; k < settings.iterations; ++k) {
      const Implicit fit = robust_fit(around, place, radius, settings);
      const Vec3 next = place - fit.value * fit.gradient;
      if (!(next.norm() < radius)) {
        break;
      }
      place = next;
      if (std::abs(fit.value) < arrived) {
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
