#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "geometry/working_points.hpp"

namespace burnish {

/// The direction from each working point to the scanner that measured it, from the scanner positions of the input; zero
/// where it is unknown: not a number, or the position of the point itself. Empty if no direction is known.
[[nodiscard]] inline std::vector<Vec3> scanner_directions(std::span<const Vec3> positions, const WorkingPoints& working,
                                                          std::span<const Vec3> scanner_positions) {
  std::vector<Vec3> directions(working.points.size(), Vec3::Zero());
  for (std::size_t i = 0; i < scanner_positions.size(); ++i) {
    if (working.place[i] != WorkingPoints::absent) {
      const Vec3 direction = (scanner_positions[i] - positions[i]).stableNormalized();
      directions[working.place[i]] = is_finite(direction) ? direction : Vec3(Vec3::Zero());
    }
  }
  const bool is_known = std::ranges::any_of(directions, [](const Vec3& direction) { return !direction.isZero(); });
  return is_known ? directions : std::vector<Vec3>();
}

}  // namespace burnish
