#include "geometry/frames.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

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

/// The longest cross product of two columns of a matrix of rank 2: the direction of its null space.
Vec3 null_direction(const Eigen::Matrix3d& m) {
  const Vec3 products[3] = {m.col(0).cross(m.col(1)), m.col(1).cross(m.col(2)), m.col(2).cross(m.col(0))};
  const double squares[3] = {products[0].squaredNorm(), products[1].squaredNorm(), products[2].squaredNorm()};
  const std::size_t largest = static_cast<std::size_t>(std::max_element(squares, squares + 3) - squares);
  return squares[largest] > 0.0 ? Vec3(products[largest] / std::sqrt(squares[largest])) : Vec3::UnitX();
}

/// Two axes at right angles to a direction and to each other.
Eigen::Matrix<double, 3, 2> axes_across(const Vec3& direction) {
  Eigen::Matrix<double, 3, 2> axes;
  axes.col(0) = std::abs(direction.x()) > std::abs(direction.y())
                    ? Vec3(-direction.z(), 0.0, direction.x()).normalized()
                    : Vec3(0.0, direction.z(), -direction.y()).normalized();
  axes.col(1) = direction.cross(axes.col(0));
  return axes;
}

/// Eigenvectors of a symmetric matrix, by closed forms: first of the isolated eigenvalue, then of the 2 × 2 matrix
/// perpendicular to it, which makes them orthogonal (Eberly, "A robust eigensolver for 3 × 3 symmetric matrices",
/// 2014). Small eigenvalues lose digits, but the directions do not, and only these are needed.
PrincipalFrame frame_of(const Vec3& mean, const Covariance& c) {
  PrincipalFrame frame;
  frame.mean = mean;
  const double centre = (c.xx + c.yy + c.zz) / 3.0;
  Eigen::Matrix3d deviation;
  deviation << c.xx - centre, c.xy, c.xz, c.xy, c.yy - centre, c.yz, c.xz, c.yz, c.zz - centre;
  const double largest = deviation.cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) {
    frame.axes.setIdentity();
    return frame;
  }
  deviation /= largest;  // so that squares neither overflow nor underflow
  deviation /= std::sqrt(deviation.squaredNorm() / 6.0);
  // The eigenvalues solve t³ - 3t = det; the one that stands alone is at least √3 in size and has the determinant's
  // sign.
  const double determinant = std::clamp(deviation.determinant(), -2.0, 2.0);
  const double target = std::abs(determinant);
  double alone = 1.7320508075688772 + target * (1.0 / 6.0 - 0.016 * target);  // within 0.002
  for (int step = 0; step < 3; ++step) {
    alone -= (alone * (alone * alone - 3.0) - target) / (3.0 * (alone * alone - 1.0));
  }
  const bool is_smallest = determinant < 0.0;
  deviation.diagonal().array() -= is_smallest ? -alone : alone;
  const Vec3 first = null_direction(deviation);
  const Eigen::Matrix<double, 3, 2> across = axes_across(first);
  const Eigen::Matrix2d rest = across.transpose() * deviation * across;
  // The larger eigenvector of two rows (a b; b d) is at half the angle of (a - d, 2b).
  const double x = 0.5 * (rest(0, 0) - rest(1, 1));
  const double y = 0.5 * (rest(0, 1) + rest(1, 0));
  const double length = std::sqrt(x * x + y * y);
  Eigen::Vector2d direction(1.0, 0.0);
  if (length > 0.0) {
    direction = x >= 0.0 ? Eigen::Vector2d(length + x, y) : Eigen::Vector2d(y, length - x);
    direction.normalize();
  }
  const Vec3 larger = across * direction;
  const Vec3 tangent = is_smallest ? larger : first;
  const Vec3 normal = is_smallest ? first : Vec3(first.cross(larger));
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
