#pragma once

#include "burnish/point_cloud.hpp"

namespace burnish {

/// The zero set of u0 + u·x + u4 x².
struct AlgebraicSphere {
  double u0;
  Vec3 u;
  double u4;
};

/// Fits spheres to points with normals, in the closed form of Guennebaud, Germann and Gross ("Dynamic sampling and
/// rendering of algebraic point set surfaces", 2008): the sphere whose gradient at the points is nearest to the
/// normals, then the one of these nearest to the points.
class AlgebraicSphereFit {
 public:
  void add(double weight, const Vec3& position, const Vec3& normal) {
    const Vec3 wp = weight * position;
    sum_ += weight;
    p_ += wp;
    n_ += weight * normal;
    pp_ += wp.dot(position);
    pn_ += wp.dot(normal);
  }

  /// `spherical` is 1 for spheres, 0 for planes.
  [[nodiscard]] AlgebraicSphere fit(double spherical) const {
    const double spread = pp_ - p_.squaredNorm() / sum_;
    return with_curvature(spread > 0.0 ? 0.5 * spherical * (pn_ - p_.dot(n_) / sum_) / spread : 0.0);
  }

  /// The one with that u4 that is nearest to the points.
  [[nodiscard]] AlgebraicSphere with_curvature(double u4) const {
    AlgebraicSphere sphere{};
    sphere.u4 = u4;
    sphere.u = (n_ - 2.0 * sphere.u4 * p_) / sum_;
    sphere.u0 = -(sphere.u.dot(p_) + sphere.u4 * pp_) / sum_;
    return sphere;
  }

 private:
  double sum_ = 0.0;
  Vec3 p_ = Vec3::Zero();
  Vec3 n_ = Vec3::Zero();
  double pp_ = 0.0;
  double pn_ = 0.0;
};

}  // namespace burnish
