#pragma once

#include <span>

#include "automatic/windows.hpp"

namespace burnish::automatic {

/// How large the residual variance of a quadric may be before its window counts as biased: that of the smaller or
/// simpler fits around it plus a part of the noise variance, but at most another part of the noise variance.
struct MisfitTolerance {
  double noise_above_usual = 0.0;
  double most_of_noise = 1.0;
};

/// A window needs at least this many points: more than the coefficients of a quadric.
inline constexpr std::size_t least_points = 7;

/// What the windows so far agree on at a point.
struct Agreed {
  Vec3 correction = Vec3::Zero();
  double variance = 0.0;
};

/// What the fit to one window adds to the weighted sums of one of its points.
struct Contribution {
  Vec3 correction;
  double variance;
  double weight;
  double residual_variance;  ///< of the fit; below 0 if the point is of another surface than it
};

/// Points, and what a surface that is fitted to a window of them is judged by.
struct FitTask {
  const std::vector<Vec3>& points;
  std::span<const double> noise2;  ///< variance of the noise at each point
  std::span<const Vec3> sights;    ///< from each point to its scanner; may be empty
  const glr::Patches& windows;

  /// A window is biased where its residual variance is larger than expected, by `bias_by_misfit` for each variance:
  /// larger than the noise, or, if they are given, than those that are usual at its points.
  std::span<const double> usual;
  MisfitTolerance tolerance;
  double bias_by_misfit = 1.0;

  /// If these are given, it is biased where it differs from them instead.
  std::span<const Agreed> agreed;
};

/// Fits a plane, or a quadric, to each of the windows from `begin` to `end`, and sets a contribution for every member
/// of each, one after the other.
void fit_planes(const FitTask& task, std::size_t begin, std::size_t end, Contribution* contributions);
void fit_quadrics(const FitTask& task, std::size_t begin, std::size_t end, Contribution* contributions);

}  // namespace burnish::automatic
