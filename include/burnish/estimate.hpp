#pragma once

#include <span>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The typical distance of neighbouring points: the side of the square of surface that one point stands for, from the
/// circle that holds its nearest neighbours; the median over the cloud. 0 if there are too few points.
[[nodiscard]] double estimate_spacing(std::span<const Vec3> points, const ExecutionContext& context = {});

/// The standard deviation of the noise across the surface: what a quadric fitted to the neighbours of a point leaves
/// over, in neighbourhoods wide enough to see the noise as thin; the median over the cloud. 0 if there are too few
/// points. Curved detail that is finer than the neighbourhood counts as noise.
[[nodiscard]] double estimate_noise(std::span<const Vec3> points, const ExecutionContext& context = {});

}  // namespace burnish
