#pragma once

#include "burnish/point_cloud.hpp"

namespace burnish::io {

/// True if every value of a column can be held as another number type without change, in that number of bits if that is
/// not 0. Colours in bytes can be held in 16 bits, where convert makes 255 the largest value there.
[[nodiscard]] bool can_convert(const Column& column, ScalarType type, unsigned bits);

/// The column in that type; can_convert says that it can be.
[[nodiscard]] Column convert(const Column& column, ScalarType type);

}  // namespace burnish::io
