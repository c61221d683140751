#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace burnish::glr {

/// Points in the plane as the kernel wants them: single precision, one array a coordinate, room for whole vectors.
struct PlanePoints {
  static constexpr std::size_t capacity = 256;
  alignas(64) float u[capacity];
  alignas(64) float v[capacity];
  std::size_t count = 0;
};

/// For points in the plane the nearest of another set: its index, its squared distance and that of the second nearest.
struct NearestInPlane {
  alignas(64) float nearest[PlanePoints::capacity];
  alignas(64) float second[PlanePoints::capacity];
  alignas(64) std::int32_t index[PlanePoints::capacity];
};

/// The hot kernel of the method: for every point of `a` the nearest one of `b`, by looking at all. Of equally near
/// ones the first. Compiled for several instruction sets, the best of the processor is taken; all give the same bits.
void nearest_projection(const PlanePoints& a, const PlanePoints& b, NearestInPlane& result);

/// The same kernel, for tests: with vectors of 4, 8 or 16 lanes; false if this processor cannot run it.
bool nearest_projection_with(int lanes, const PlanePoints& a, const PlanePoints& b, NearestInPlane& result);

}  // namespace burnish::glr
