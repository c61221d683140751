#pragma once

#include <span>

#include "burnish/point_cloud.hpp"

// Colours for numbers, the same in pictures and on the page. Lightness falls steadily with the size of the number, so
// that they can be read by people who do not distinguish red and green, and printed without colour.

namespace burnish {

/// Colours (red, green, blue, each a part of one) at equal steps, blended linearly in between: from 0 to the end of the
/// range, or, with sign, from its negative end through 0 to its positive end.
[[nodiscard]] std::span<const Vec3> colour_map(bool has_sign);

/// The colour of a place on the map, from 0 to 1; beyond that the colour of the end, for NaN grey.
[[nodiscard]] Vec3 mapped_colour(bool has_sign, double place);

/// The colour of a surface that shows nothing but its shape, and of points without a value.
[[nodiscard]] Vec3 plain_colour();

}  // namespace burnish
