#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "burnish/view.hpp"

namespace burnish {

/// The colours that a file gives to some of its points: red, green, blue (also diffuse_red, … and r, g, b), packed ones
/// as PCD has them (rgb, rgba), or intensities as greys, from black to white over the middle 98 % of them. Empty if
/// there are none.
[[nodiscard]] std::vector<Rgb> original_colours(const PointCloud& cloud, std::span<const std::uint32_t> rows);

}  // namespace burnish
