#pragma once

#include <cstdint>

// What denoising takes, measured: docs/scale.md has the commands.

namespace burnish::tiles {

/// Bytes of a program that has nothing to do yet, with its threads and buffers.
inline constexpr std::uint64_t memory_of_program = std::uint64_t{64} << 20;

/// Bytes that denoising takes for every point, at its peak.
inline constexpr double memory_of_point = 1900.0;

}  // namespace burnish::tiles
