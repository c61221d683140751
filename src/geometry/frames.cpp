#include "geometry/frames.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace burnish {

namespace {

/// The six different entries of a symmetric matrix.
struct Covariance {
  double xx = 0.0;
  double xy = 0.0;
  double xz = 0.0;
  double yy = 0.0;
  double yz = 0.0;
  double zz = 0.0;
};

PrincipalFrame frame_of(const Vec3& mean, const Covariance& c) {
  Eigen::Matrix3d covariance;
  covariance << c.xx, c.xy, c.xz, c.xy, c.yy, c.yz, c.xz, c.yz, c.zz;
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

PrincipalFrame principal_frame(std::span<const Vec3> points) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) {
    mean += p;
  }
  mean /= static_cast<double>(points.size());
  Covariance c;
  for (const Vec3& p : points) {
    const double x = p.x() - mean.x();
    const double y = p.y() - mean.y();
    const double z = p.z() - mean.z();
    c.xx += x * x;
    c.xy += x * y;
    c.xz += x * z;
    c.yy += y * y;
    c.yz += y * z;
    c.zz += z * z;
  }
  return frame_of(mean, c);
}

PrincipalFrame principal_frame(std::span<const Vec3> points, std::span<const double> weights) {
  Vec3 mean = Vec3::Zero();
  double sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    mean += weights[i] * points[i];
    sum += weights[i];
  }
  mean /= sum;
  Covariance c;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points[i].x() - mean.x();
    const double y = points[i].y() - mean.y();
    const double z = points[i].z() - mean.z();
    const double wx = weights[i] * x;
    const double wy = weights[i] * y;
    c.xx += wx * x;
    c.xy += wx * y;
    c.xz += wx * z;
    c.yy += wy * y;
    c.yz += wy * z;
    c.zz += weights[i] * z * z;
  }
  return frame_of(mean, c);
}

}  // namespace burnish
