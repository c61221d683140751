#pragma once

#include <span>

#include "automatic/windows.hpp"

namespace burnish::automatic {

/// The points of a window as two sheets: their heights above a quadric are two normal distributions that have the
/// variance of the noise.
struct TwoSheets {
  double low = 0.0;
  double high = 0.0;
  double part_high = 0.5;
  double variance = 0.0;
  double evidence = 0.0;        ///< by how much the logarithm of the likelihood is above that of one distribution
  Vec3 tangent = Vec3::Zero();  ///< of the quadric
  Vec3 bitangent = Vec3::Zero();
  Vec3 normal = Vec3::Zero();

  /// The probability that a height is of the high sheet.
  [[nodiscard]] double is_high(double height) const;
};

/// Splits the windows from `begin` to `end` by expectation maximisation, and sets the height of every member of each.
/// `noise2` is the variance of the noise at each point.
void split_windows(const std::vector<Vec3>& points, std::span<const double> noise2, const glr::Patches& windows,
                   std::size_t begin, std::size_t end, TwoSheets* sheets, double* heights);

}  // namespace burnish::automatic
