#pragma once

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "burnish/point_cloud.hpp"
#include "io/block_writer.hpp"

// The header of a LAS file to be written, made to agree with the points.

namespace burnish::io {

/// The header a cloud was read with, up to the points, or a new one for points that never were in a LAS file: version
/// 1.4, point format 6, 7 with colours, 8 with infrared.
[[nodiscard]] std::string las_header_for(const BlockWriter& file, const PointCloud& cloud);

/// A coordinate as a LAS file stores it: a whole number.
[[nodiscard]] inline double las_stored(double value, double scale, double offset) {
  return std::round((value - offset) / scale);
}

/// Keeps scale and offset where all points fit, so that a point that did not move keeps its integers. Otherwise the
/// finest power of ten is taken that fits 32 bits.
void set_las_scale(const BlockWriter& file, const Eigen::AlignedBox3d& box, std::string& header);

/// Bounds of the points as they are stored; after set_las_scale.
void set_las_bounds(const Eigen::AlignedBox3d& box, std::string& header);

/// What lies behind the points moves with their end, which is byte `end` now; `old` is the header as the file had it.
void shift_las_trailer(std::string_view old, bool has_trailer, std::uint64_t end, std::string& header);

/// How many points are the first, second, … return of their pulse.
using LasReturns = std::array<std::uint64_t, 16>;

/// The same as a header has it, or `otherwise` if that is about another number of points.
[[nodiscard]] LasReturns las_returns_of(std::string_view header, std::uint64_t points, const LasReturns& otherwise);

/// The number of points, and of those that are the first, second, … return.
void set_las_counts(const BlockWriter& file, std::uint64_t points, const LasReturns& returns, std::string& header);

}  // namespace burnish::io
