#pragma once

#include <span>

#include "burnish/point_cloud.hpp"

namespace burnish::cli {

/// The step that the coordinates of an axis are multiples of, measured from the lowest, as exactly as a file with
/// coordinates of that type can hold them; 0 if they are not: found from the differences of neighbouring values, which
/// a grid makes whole multiples of one length.
[[nodiscard]] double coordinate_step(std::span<const Vec3> positions, int axis, ScalarType type);

/// The distance of neighbouring float32 numbers at the coordinate that is largest in size: the resolution of float32
/// there.
[[nodiscard]] double float_step(std::span<const Vec3> positions);

}  // namespace burnish::cli
