#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "burnish/point_cloud.hpp"
#include "core/math.hpp"

// Coordinates of E57 files.

namespace burnish::io {

/// From range, azimuth and elevation to x, y, z.
[[nodiscard]] inline Vec3 from_spherical(const Vec3& p) {
  const double in_plane = p[0] * math::cos(p[2]);
  return {in_plane * math::cos(p[1]), in_plane * math::sin(p[1]), p[0] * math::sin(p[2])};
}

/// From x, y, z to range, azimuth from -π to π, and elevation.
[[nodiscard]] inline Vec3 to_spherical(const Vec3& p) {
  return {p.norm(), math::atan2(p.y(), p.x()), math::atan2(p.z(), math::hypot(p.x(), p.y()))};
}

// A point whose coordinates are not valid has no place: it is NaN in the cloud. But its coordinates may hold the
// direction of the ray, and shall be written again. A NaN has 51 bits that mean nothing; the first 51 of a double are
// kept there, which are all of a float and of integers below 2^39.

[[nodiscard]] inline double hidden_in_nan(double value) {
  return std::bit_cast<double>(std::uint64_t{0x7FF8000000000000} | (std::bit_cast<std::uint64_t>(value) >> 13U));
}

/// What was hidden there; 0 in any usual NaN.
[[nodiscard]] inline double from_nan(double nan) {
  const auto value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) << 13U);
  return std::isnan(nan) && std::isfinite(value) ? value : 0.0;
}

[[nodiscard]] inline Vec3 hidden_in_nan(const Vec3& p) {
  return {hidden_in_nan(p.x()), hidden_in_nan(p.y()), hidden_in_nan(p.z())};
}
[[nodiscard]] inline Vec3 from_nan(const Vec3& p) { return {from_nan(p.x()), from_nan(p.y()), from_nan(p.z())}; }

}  // namespace burnish::io
