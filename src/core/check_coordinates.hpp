#pragma once

#include <fmt/format.h>

#include <span>

#include "burnish/error.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// Throws Error, naming the first point whose coordinates are so large that squared lengths would overflow.
inline void check_coordinates(std::span<const Vec3> positions) {
  constexpr double largest = 1e150;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (is_finite(positions[i]) && positions[i].cwiseAbs().maxCoeff() > largest) {
      throw Error(fmt::format("point {} is at {} {} {}: coordinates beyond {:g} cannot be denoised", i + 1,
                              positions[i].x(), positions[i].y(), positions[i].z(), largest));
    }
  }
}

}  // namespace burnish
