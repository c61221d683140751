#pragma once

#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// A length found from the data, used like the number it is, and how far off it may be.
struct Estimate {
  double value = 0.0;
  double uncertainty = 0.0;  ///< one standard deviation

  operator double() const { return value; }  // NOLINT(google-explicit-constructor)
};

/// The typical distance of neighbouring points: the side of the square of surface that one point stands for, from the
/// circle that holds its nearest neighbours; the median over the cloud. 0 if there are too few points. Noise that is
/// larger than the spacing makes it larger.
[[nodiscard]] Estimate estimate_spacing(std::span<const Vec3> points, const ExecutionContext& context = {});

/// The same for every point by itself; 0 for points that are not finite.
[[nodiscard]] std::vector<double> estimate_local_spacing(std::span<const Vec3> points,
                                                         const ExecutionContext& context = {});

/// The standard deviation of the noise across the surface, taken to be the same in all directions: what quadrics leave
/// over that are fitted to neighbourhoods, in the smoothest tenth of them. Neighbourhoods are as small as they can be
/// and still show the noise as thin. What their border cuts off is put back, and two sheets of a thin wall are told
/// from one noisy sheet by the flatness of the distribution. 0, with the uncertainty saying how little that means, if
/// no size of neighbourhood shows a surface. docs/method.md has the derivation and how well it does.
[[nodiscard]] Estimate estimate_noise(std::span<const Vec3> points, const ExecutionContext& context = {});

/// The noise around every point, where it varies over the cloud; 0 for points that are not finite.
[[nodiscard]] std::vector<double> estimate_local_noise(std::span<const Vec3> points,
                                                       const ExecutionContext& context = {});

}  // namespace burnish
