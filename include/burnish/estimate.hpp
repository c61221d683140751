#pragma once

#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// A length estimated from the data, which converts to its value, and its uncertainty.
struct Estimate {
  double value = 0.0;
  double uncertainty = 0.0;  ///< one standard deviation

  operator double() const { return value; }  // NOLINT(google-explicit-constructor)
};

/// The typical distance of neighbouring points: the side of the square of surface that one point stands for, from the
/// circle that holds its nearest neighbours; the median over the cloud. 0 if there are too few points. Noise that is
/// larger than the spacing makes it larger.
[[nodiscard]] Estimate estimate_spacing(std::span<const Vec3> points, const ExecutionContext& context = {});

/// The same for every single point; 0 for points that are not finite.
[[nodiscard]] std::vector<double> estimate_local_spacing(std::span<const Vec3> points,
                                                         const ExecutionContext& context = {});

/// The standard deviation of the noise across the surface, taken to be the same in all directions: the residual of
/// quadrics fitted to neighbourhoods, in the smoothest tenth of them. Neighbourhoods are as small as possible while
/// still wide against the noise. The part of the distribution that their border cuts off is corrected for, and two
/// sheets of a thin wall are distinguished from one noisy sheet by the flatness of the distribution of the residuals.
/// If no size of neighbourhood shows a surface, the value is 0 and the uncertainty is what the largest ones showed.
/// docs/automatic.md has the derivation and its accuracy.
[[nodiscard]] Estimate estimate_noise(std::span<const Vec3> points, const ExecutionContext& context = {});

/// The noise around every point, where it varies over the cloud; 0 for points that are not finite.
[[nodiscard]] std::vector<double> estimate_local_noise(std::span<const Vec3> points,
                                                       const ExecutionContext& context = {});

}  // namespace burnish
