#pragma once

#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// A length estimated from the data, with its uncertainty; converts to its value.
struct Estimate {
  double value = 0.0;
  double uncertainty = 0.0;  ///< one standard deviation

  operator double() const { return value; }  // NOLINT(google-explicit-constructor)
};

/// The typical distance of neighbouring points: the square root of the surface area per point, computed from the circle
/// around the nearest neighbours of each point; the median over the cloud. 0 if there are too few points. It is
/// overestimated if noise is larger than the spacing.
[[nodiscard]] Estimate estimate_spacing(std::span<const Vec3> points, const ExecutionContext& context = {});

/// The same for every single point; 0 for points that are not finite.
[[nodiscard]] std::vector<double> estimate_local_spacing(std::span<const Vec3> points,
                                                         const ExecutionContext& context = {});

/// The standard deviation of the noise across the surface, which is assumed to be the same in all directions: the
/// residual of quadrics fitted to neighbourhoods, in the smoothest tenth of them. Neighbourhoods are as small as
/// possible while still wide compared with the noise. Truncation of the distribution by the border of a neighbourhood
/// is corrected, and two sheets of a thin wall are distinguished from one noisy sheet by the shape of the distribution
/// of the residuals. If there is no surface at any size of neighbourhood, the value is 0 and the uncertainty is the
/// residual of the largest ones. docs/automatic.md has the derivation and its accuracy.
[[nodiscard]] Estimate estimate_noise(std::span<const Vec3> points, const ExecutionContext& context = {});

/// The noise around every point, where it varies over the cloud; 0 for points that are not finite.
[[nodiscard]] std::vector<double> estimate_local_noise(std::span<const Vec3> points,
                                                       const ExecutionContext& context = {});

}  // namespace burnish
