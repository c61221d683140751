#include "evaluate/finite_points.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "burnish/error.hpp"
#include "geometry/spatial_order.hpp"

namespace burnish {

std::vector<Vec3> finite_points(std::span<const Vec3> points) {
  std::vector<Vec3> finite;
  finite.reserve(points.size());
  std::ranges::copy_if(points, std::back_inserter(finite), is_finite);
  return finite;
}

std::vector<Vec3> finite_points_in_space(std::span<const Vec3> points, std::string_view name,
                                         const ExecutionContext& context) {
  const std::vector<Vec3> finite = finite_points(points);
  if (finite.empty()) {
    throw Error("the " + std::string(name) + (points.empty() ? " has no points" : " has no finite points"));
  }
  std::vector<Vec3> ordered(finite.size());
  std::ranges::transform(spatial_order(finite, context), ordered.begin(), [&](std::uint32_t i) { return finite[i]; });
  return ordered;
}

double radius_around_box_centre(std::span<const Vec3> points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) {
    box.extend(p);
  }
  double largest = 0.0;
  for (const Vec3& p : points) {
    largest = std::max(largest, (p - box.center()).squaredNorm());
  }
  return std::sqrt(largest);
}

}  // namespace burnish
