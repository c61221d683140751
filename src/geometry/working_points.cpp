#include "geometry/working_points.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <numeric>

#include "geometry/spatial_order.hpp"

namespace burnish {

WorkingPoints working_points(std::span<const Vec3> input, const ExecutionContext& context) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : input) {
    if (is_finite(p)) {
      box.extend(p);
    }
  }
  const Vec3 origin = box.isEmpty() ? Vec3(Vec3::Zero()) : Vec3(0.5 * box.min() + 0.5 * box.max());
  return working_points(input, origin, context);
}

WorkingPoints working_points(std::span<const Vec3> input, const Vec3& origin, const ExecutionContext& context) {
  WorkingPoints result;
  result.origin = origin;
  std::vector<std::uint32_t> finite;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (is_finite(input[i])) {
      finite.push_back(static_cast<std::uint32_t>(i));
    }
  }
  result.place.assign(input.size(), WorkingPoints::absent);
  if (finite.empty()) {
    return result;
  }

  std::vector<Vec3> local(finite.size());
  for (std::size_t i = 0; i < finite.size(); ++i) {
    local[i] = input[finite[i]] - result.origin;
  }
  result.points.reserve(finite.size());
  for (const std::uint32_t i : spatial_order(local, context)) {
    if (result.points.empty() || result.points.back() != local[i]) {
      result.points.push_back(local[i]);
    }
    result.place[finite[i]] = static_cast<std::uint32_t>(result.points.size() - 1);
  }
  return result;
}

Vec3 mean_of(std::span<const Vec3> points) {
  const Vec3 sum = std::accumulate(points.begin(), points.end(), Vec3(Vec3::Zero()));
  return sum / static_cast<double>(points.size());
}

std::uint32_t farthest_from_mean(std::span<const Vec3> points) {
  const Vec3 mean = mean_of(points);
  const auto farthest = std::ranges::max_element(points, {}, [&](const Vec3& p) { return (p - mean).squaredNorm(); });
  return static_cast<std::uint32_t>(farthest - points.begin());
}

std::vector<Vec3> WorkingPoints::restore(std::span<const Vec3> input, std::span<const Vec3> moved) const {
  std::vector<Vec3> output(input.begin(), input.end());
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (place[i] != absent) {
      // Adding the move to the input, rather than the origin to the result, keeps the bits of points that do not move.
      output[i] += moved[place[i]] - points[place[i]];
    }
  }
  return output;
}

}  // namespace burnish
