#include "geometry/frames.hpp"

#include <Eigen/Eigenvalues>

namespace burnish {

PrincipalFrame principal_frame(std::span<const Vec3> points) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) {
    mean += p;
  }
  mean /= static_cast<double>(points.size());
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (const Vec3& p : points) {
    const Vec3 d = p - mean;
    covariance += d * d.transpose();
  }
  // The closed form: small eigenvalues lose digits in it, but the directions, which are all we want, do not.
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
  solver.computeDirect(covariance);
  PrincipalFrame frame;
  frame.mean = mean;
  frame.axes << solver.eigenvectors().col(2), solver.eigenvectors().col(1), solver.eigenvectors().col(0);
  return frame;
}

}  // namespace burnish
