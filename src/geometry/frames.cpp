#include "geometry/frames.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace burnish {

namespace {

/// `weight_of(i)` is the weight of point i.
template <class WeightOf>
PrincipalFrame weighted_frame(std::span<const Vec3> points, const WeightOf& weight_of) {
  Vec3 mean = Vec3::Zero();
  double weight_sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    mean += weight_of(i) * points[i];
    weight_sum += weight_of(i);
  }
  mean /= weight_sum;
  double xx = 0.0;
  double xy = 0.0;
  double xz = 0.0;
  double yy = 0.0;
  double yz = 0.0;
  double zz = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points[i].x() - mean.x();
    const double y = points[i].y() - mean.y();
    const double z = points[i].z() - mean.z();
    const double w = weight_of(i);
    xx += w * x * x;
    xy += w * x * y;
    xz += w * x * z;
    yy += w * y * y;
    yz += w * y * z;
    zz += w * z * z;
  }
  Eigen::Matrix3d covariance;
  covariance << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  // The closed form: small eigenvalues lose digits in it, but the directions, which are all we want, do not.
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
  solver.computeDirect(covariance);
  // Of the first tangent and the normal, the one whose eigenvalue stands alone is accurate; the other is set right.
  const Vec3 values = solver.eigenvalues();
  Vec3 tangent = solver.eigenvectors().col(2);
  Vec3 normal = solver.eigenvectors().col(0);
  if (values[1] - values[0] > values[2] - values[1]) {
    tangent = (tangent - tangent.dot(normal) * normal).normalized();
  } else {
    normal = (normal - normal.dot(tangent) * tangent).normalized();
  }
  PrincipalFrame frame;
  frame.mean = mean;
  frame.axes << tangent, normal.cross(tangent), normal;
  return frame;
}

}  // namespace

PrincipalFrame principal_frame(std::span<const Vec3> points, std::span<const double> weights) {
  return weights.empty() ? weighted_frame(points, [](std::size_t) { return 1.0; })
                         : weighted_frame(points, [&](std::size_t i) { return weights[i]; });
}

}  // namespace burnish
