#pragma once

#include <array>
#include <cstdint>

#include "glr/projection.hpp"

namespace burnish::glr {

/// The point above or below another one on a plane through three corners of the other patch (section V-A3).
struct PlanePartner {
  /// Only if the point lies within the corners in projection: beyond them the plane, tilted by the noise of three
  /// points close together, would be far off.
  bool valid = false;
  double height_difference = 0.0;
  std::array<std::uint8_t, 3> corners{};
};

/// Two patches of the same size in the reference plane of the first, in double precision: for the few points that the
/// kernel cannot decide.
struct PatchPair {
  const LocalPatch& own;
  const LocalPatch& other;
  const Eigen::Matrix3d& axes;
  const Eigen::Matrix3d& other_axes;  ///< the same, unless the other patch is rotated

  /// Squared distance of point i of the first and j of the other in projection.
  [[nodiscard]] double squared_distance(std::size_t i, std::size_t j) const {
    return own_point(i).squared_distance(other_point(j));
  }

  /// The point of the other patch that is nearest to point i in projection.
  [[nodiscard]] std::uint8_t nearest(std::size_t i) const;

  /// For point i at some height, among the heights of the other patch: the plane through the three points whose
  /// projections are nearest.
  [[nodiscard]] PlanePartner plane_partner(std::size_t i, double height, const double* other_heights) const;

  /// Equation 34: the shares of the corners are proportional to their distances to point i.
  [[nodiscard]] std::array<double, 3> shares(std::size_t i, const std::array<std::uint8_t, 3>& corners) const;

 private:
  [[nodiscard]] ExactProjection own_point(std::size_t i) const { return {own, i, axes}; }
  [[nodiscard]] ExactProjection other_point(std::size_t j) const { return {other, j, other_axes}; }
};

}  // namespace burnish::glr
