#pragma once

#include <cstddef>
#include <cstdint>

// The parts of the binary sections of E57 files.

namespace burnish::io::e57 {

// Kinds of sections, in their first byte.
inline constexpr std::uint8_t blob_section = 0;
inline constexpr std::uint8_t vector_section = 1;

inline constexpr std::size_t section_length_place = 8;
inline constexpr std::size_t data_offset_place = 16;  // of the first packet, physical
inline constexpr std::size_t blob_head = 16;
inline constexpr std::size_t vector_head = 32;

// Kinds of packets, in their first byte.
inline constexpr std::uint8_t data_packet = 1;
inline constexpr std::uint8_t empty_packet = 2;

/// Of a data packet: kind, flags, length - 1, number of bytestreams. The lengths of the bytestreams follow.
inline constexpr std::size_t packet_head = 6;
inline constexpr std::size_t shortest_packet = 4;
inline constexpr std::size_t longest_packet = 65536;

/// A text has its length, times two, before it: in a byte up to 127 bytes, otherwise in eight whose lowest bit is set.
inline constexpr std::size_t longest_short_text = 127;
inline constexpr unsigned char long_text = 1;

}  // namespace burnish::io::e57
