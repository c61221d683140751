#pragma once

#include <cstddef>
#include <type_traits>

#include "burnish/point_cloud.hpp"

// Between a column in memory and its place in the records of a binary file. The same loops serve reading and writing.

namespace burnish::io {

/// Numbers of one type at equal distances: value i is at data + i * stride, in any alignment.
template <class Byte>
struct Strided {
  Byte* data = nullptr;
  std::size_t stride = 0;
  ScalarType type = ScalarType::float64;
};

/// One coordinate of all points.
template <class Cloud>
[[nodiscard]] auto axis_values(Cloud& cloud, std::size_t axis) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  using Byte = std::conditional_t<std::is_const_v<Cloud>, const char, char>;
  Byte* const data = cloud.positions.empty() ? nullptr : reinterpret_cast<Byte*>(&cloud.positions.front()[axis]);
  return Strided<Byte>{data, sizeof(Vec3), ScalarType::float64};
}

/// Copies `count` numbers. The types must be the same, or one of them double and, when it is the source, the other
/// float. With `swap`, the source is in the other byte order.
void copy_strided(const Strided<const char>& from, const Strided<char>& to, std::size_t count, bool swap);

}  // namespace burnish::io
