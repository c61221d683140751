#include "geometry/frames.hpp"

#include "geometry/principal_axes.hpp"

namespace burnish {

namespace {

PrincipalFrame frame_of(const Vec3& mean, const Covariance<double>& c) {
  const Axes<double> axes = principal_axes(c);
  PrincipalFrame frame;
  frame.mean = mean;
  const auto set_column = [&](int column, const Triple<double>& axis) {
    frame.axes.col(column) = Vec3(axis.x, axis.y, axis.z);
  };
  set_column(0, axes.tangent);
  set_column(1, axes.bitangent);
  set_column(2, axes.normal);
  return frame;
}

}  // namespace

PrincipalFrame principal_frame(std::span<const Vec3> points) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) {
    mean += p;
  }
  mean /= static_cast<double>(points.size());
  Covariance<double> c;
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
  Covariance<double> c;
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
