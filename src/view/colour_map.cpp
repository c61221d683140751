#include "view/colour_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace burnish {

std::span<const Vec3> colour_map(bool has_sign) {
  static const std::array size{Vec3(0.87, 0.89, 0.91), Vec3(0.98, 0.84, 0.52), Vec3(0.95, 0.57, 0.26),
                               Vec3(0.80, 0.24, 0.20), Vec3(0.43, 0.05, 0.20)};
  static const std::array size_and_sign{Vec3(0.08, 0.24, 0.53), Vec3(0.25, 0.52, 0.79), Vec3(0.62, 0.79, 0.91),
                                        Vec3(0.91, 0.91, 0.90), Vec3(0.97, 0.73, 0.55), Vec3(0.86, 0.38, 0.27),
                                        Vec3(0.55, 0.07, 0.17)};
  return has_sign ? std::span<const Vec3>(size_and_sign) : std::span<const Vec3>(size);
}

Vec3 mapped_colour(bool has_sign, double place) {
  if (std::isnan(place)) {
    return plain_colour();
  }
  const std::span<const Vec3> map = colour_map(has_sign);
  const double along = std::clamp(place, 0.0, 1.0) * static_cast<double>(map.size() - 1);
  const auto step = std::min(static_cast<std::size_t>(along), map.size() - 2);
  return map[step] + (along - static_cast<double>(step)) * (map[step + 1] - map[step]);
}

Vec3 plain_colour() { return {0.76, 0.79, 0.83}; }

}  // namespace burnish
