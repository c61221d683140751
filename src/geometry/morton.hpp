#pragma once

#include <cstdint>

namespace burnish {

/// Bits of each coordinate in a Morton code.
inline constexpr unsigned morton_bits = 21;

/// Spreads the lowest 21 bits so that two zero bits follow each of them.
[[nodiscard]] constexpr std::uint64_t spread_bits(std::uint64_t v) {
  v &= 0x1FFFFF;
  v = (v | v << 32) & 0x1F00000000FFFF;
  v = (v | v << 16) & 0x1F0000FF0000FF;
  v = (v | v << 8) & 0x100F00F00F00F00F;
  v = (v | v << 4) & 0x10C30C30C30C30C3;
  v = (v | v << 2) & 0x1249249249249249;
  return v;
}

/// The bits of three whole numbers in turn, those of x lowest: cells of an octree in the order of their codes.
[[nodiscard]] constexpr std::uint64_t morton_code(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return spread_bits(x) | spread_bits(y) << 1 | spread_bits(z) << 2;
}

}  // namespace burnish
