#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The points by their distance from their mean: an order that does not change when the cloud is rotated, translated,
/// scaled or permuted, and in which consecutive points are far from each other. Used for sampling.
[[nodiscard]] std::vector<std::uint32_t> intrinsic_order(std::span<const Vec3> points, const ExecutionContext& context);

/// `count` points (all, if there are fewer), at even steps of the intrinsic order.
[[nodiscard]] std::vector<std::uint32_t> intrinsic_sample(std::span<const Vec3> points, std::size_t count,
                                                          const ExecutionContext& context);

}  // namespace burnish
