#pragma once

#include <cstdint>

// Measured memory requirements of denoising; docs/scale.md has the commands.

namespace burnish::tiles {

/// Bytes of an idle program, with its threads and buffers.
inline constexpr std::uint64_t memory_of_program = std::uint64_t{64} << 20;

/// Peak bytes per point during denoising.
inline constexpr double memory_of_point = 2400.0;

/// Bytes for a tile with this number of points, including its halo.
[[nodiscard]] constexpr std::uint64_t memory_of_work(std::uint64_t points) {
  return memory_of_program + static_cast<std::uint64_t>(memory_of_point * static_cast<double>(points));
}

}  // namespace burnish::tiles
