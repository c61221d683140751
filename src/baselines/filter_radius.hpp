#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"
#include "geometry/bump.hpp"
#include "geometry/neighbourhoods.hpp"

// The radius and the weights of moving least squares, as in MeshLab.

namespace burnish::baselines {

/// Neighbours by which the local spacing is measured.
constexpr std::size_t radius_neighbours = 16;

/// The local spacing as MeshLab measures it: 2 d₁₆ / √16, about 1.13 times the side of the square that a point stands
/// for.
inline double local_spacing(std::span<const Vec3> points, const Neighbourhoods& neighbourhoods, std::size_t i) {
  const auto nearest = neighbourhoods.nearest(i, radius_neighbours);
  return 2.0 * (points[nearest.back()] - points[i]).norm() / std::sqrt(static_cast<double>(nearest.size()));
}

/// Finds the points within a radius, of which a surface has `usual`; returns the radius. That is made smaller where it
/// holds far more: near a stray point beside a dense cloud it would hold the whole cloud.
inline double surroundings(const NeighbourSearch& search, const Vec3& place, double radius, double usual,
                           std::vector<std::uint32_t>& indices) {
  const auto limit = static_cast<std::size_t>(8.0 * usual) + 64;
  while (!search.within_radius(place, radius, limit, indices)) {
    radius *= 0.8;
  }
  return radius;
}

/// The same for a radius of `filter_scale` local spacings.
inline double filter_surroundings(const NeighbourSearch& search, const Vec3& place, double filter_scale, double spacing,
                                  std::vector<std::uint32_t>& indices) {
  return surroundings(search, place, filter_scale * spacing, 4.0 * filter_scale * filter_scale, indices);
}

}  // namespace burnish::baselines
