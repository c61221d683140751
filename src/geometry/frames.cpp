#include "geometry/frames.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace burnish {

PrincipalFrame principal_frame(std::span<const Vec3> points) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) {
    mean += p;
  }
  mean /= static_cast<double>(points.size());
  double xx = 0.0;
  double xy = 0.0;
  double xz = 0.0;
  double yy = 0.0;
  double yz = 0.0;
  double zz = 0.0;
  for (const Vec3& p : points) {
    const double x = p.x() - mean.x();
    const double y = p.y() - mean.y();
    const double z = p.z() - mean.z();
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
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

}  // namespace burnish
