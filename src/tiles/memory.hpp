#pragma once

#include <cstdint>

// What denoising takes, measured: docs/scale.md has the commands.

namespace burnish::tiles {

/// Bytes of a program that has nothing to do yet, with its threads and buffers.
inline constexpr std::uint64_t memory_of_program = std::uint64_t{64} << 20;

/// Bytes that denoising takes for every point that is worked on, at its peak.
inline constexpr double memory_of_point = 2400.0;

/// Bytes for a tile of this number of points, its surroundings among them.
[[nodiscard]] constexpr std::uint64_t memory_of_work(std::uint64_t points) {
  return memory_of_program + static_cast<std::uint64_t>(memory_of_point * static_cast<double>(points));
}

}  // namespace burnish::tiles
