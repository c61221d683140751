#pragma once

#include <vector>

#include "automatic/window_fits.hpp"

namespace burnish::automatic {

// Moves every point to where local fits agree the surface is. A surface is fitted to each window; residuals larger
// than expected show that the fit is biased. A point moves towards the mean of the positions that the fits around it
// propose, weighted by the inverse of variance plus squared bias, by a factor that depends on how certain they are
// compared with the point itself.

// The bias of the largest windows is not estimated from their residuals, where a bias that is small compared with the
// noise is invisible, but from their difference from the mean of the smaller windows, beyond the variance of that mean
// (Lepski 1990).

/// Windows of several kinds over the same points. Any of them may be empty.
struct FitWindows {
  Windows planes;          ///< small: keep edges, because a robust plane fits one of two faces
  Windows large_planes;    ///< more certain where the surface is flat
  Windows quadrics;        ///< for curved surfaces
  Windows large_quadrics;  ///< more certain where the curvature changes slowly
  Windows widest;          ///< planes and quadrics, for large faces and large round surfaces
};

/// Points where local fits agree the surface is, and how far off that may be.
struct Consensus {
  std::vector<Vec3> points;
  std::vector<double> variance;  ///< of the error across the surface that is left, relative to that of other points
};

/// `noise` is the standard deviation that is still in each point, `sights` the direction from each point to its scanner
/// (empty if they are not known): a window takes only points that were measured from the side of its centre.
[[nodiscard]] Consensus consensus_of_planes_and_quadrics(const std::vector<Vec3>& points, const FitWindows& windows,
                                                         std::span<const double> noise,
                                                         const MisfitTolerance& tolerance, std::span<const Vec3> sights,
                                                         const ExecutionContext& context);

/// Quadrics alone: next to edges, and in walls thinner than a window, points stay.
[[nodiscard]] Consensus consensus_of_quadrics(const std::vector<Vec3>& points, const FitWindows& windows,
                                              std::span<const double> noise, const MisfitTolerance& tolerance,
                                              std::span<const Vec3> sights, const ExecutionContext& context);

}  // namespace burnish::automatic
