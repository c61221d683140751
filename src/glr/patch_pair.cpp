#include "glr/patch_pair.hpp"

#include <algorithm>

namespace burnish::glr {

std::uint8_t PatchPair::nearest(std::size_t i) const {
  std::size_t best = 0;
  double distance = squared_distance(i, 0);
  for (std::size_t j = 1; j < other.count(); ++j) {
    const double squared = squared_distance(i, j);
    if (squared < distance) {
      best = j;
      distance = squared;
    }
  }
  return static_cast<std::uint8_t>(best);
}

PlanePartner PatchPair::plane_partner(std::size_t i, double height, const double* other_heights) const {
  PlanePartner result;
  const std::size_t count = other.count();
  if (count < 3) {
    return result;
  }
  std::array<double, patch_capacity> squared{};
  std::array<std::uint8_t, patch_capacity> order{};
  for (std::size_t j = 0; j < count; ++j) {
    squared[j] = squared_distance(i, j);
    order[j] = static_cast<std::uint8_t>(j);
  }
  std::partial_sort(
      order.begin(), order.begin() + 3, order.begin() + static_cast<std::ptrdiff_t>(count),
      [&](std::uint8_t j, std::uint8_t l) { return squared[j] < squared[l] || (squared[j] == squared[l] && j < l); });
  std::copy_n(order.begin(), 3, result.corners.begin());
  // Twice the signed area of the triangle that point i makes with the side opposite of each corner.
  const ExactProjection point = own_point(i);
  std::array<double, 3> areas{};
  for (std::size_t c = 0; c < 3; ++c) {
    const ExactProjection p = other_point(order[(c + 1) % 3]);
    const ExactProjection q = other_point(order[(c + 2) % 3]);
    areas[c] = (p.u - point.u) * (q.v - point.v) - (q.u - point.u) * (p.v - point.v);
  }
  const double whole = areas[0] + areas[1] + areas[2];
  result.valid = whole != 0.0 && std::ranges::all_of(areas, [&](double area) { return area * whole >= 0.0; });
  if (result.valid) {
    double height_of_plane = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      height_of_plane += areas[c] / whole * other_heights[order[c]];
    }
    result.height_difference = height - height_of_plane;
  }
  return result;
}

std::array<double, 3> PatchPair::shares(std::size_t i, const std::array<std::uint8_t, 3>& corners) const {
  std::array<double, 3> result{};
  for (std::size_t c = 0; c < 3; ++c) {
    result[c] = (own.point(i) - other.point(corners[c])).norm();
  }
  const double sum = result[0] + result[1] + result[2];
  for (double& share : result) {
    share /= sum;
  }
  return result;
}

}  // namespace burnish::glr
