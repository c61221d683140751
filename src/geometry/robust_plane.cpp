#include "geometry/robust_plane.hpp"

#include <vector>

#include "geometry/lane_plane.hpp"

namespace burnish {

RobustPlane fit_robust_plane(std::span<const Vec3> points, std::span<const double> weights, double radius, double noise,
                             std::span<double> scratch) {
  const Vec3 origin = points.front();
  const std::size_t count = points.size();
  std::vector<double> coordinates(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      coordinates[d * count + i] = points[i][static_cast<Eigen::Index>(d)] - origin[static_cast<Eigen::Index>(d)];
    }
  }
  const double* x = coordinates.data();
  LanePlane<double> found;
  fit_lane_plane({x, x + count, x + 2 * count, weights.data(), count}, radius, noise, scratch.data(), found);
  const auto vector = [](const Triple<double>& t) { return Vec3(t.x, t.y, t.z); };
  const Axes<double>& axes = found.frame.axes;
  RobustPlane plane;
  plane.frame.mean = origin + vector(found.frame.mean);
  plane.frame.axes << vector(axes.tangent), vector(axes.bitangent), vector(axes.normal);
  const auto& v = found.variance;
  plane.covariance << v[0], 0.5 * v[1], 0.5 * v[2], 0.5 * v[1], v[3], 0.5 * v[4], 0.5 * v[2], 0.5 * v[4], v[5];
  plane.residual_variance = found.residual_variance;
  return plane;
}

}  // namespace burnish
