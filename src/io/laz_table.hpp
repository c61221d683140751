#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/block_reader.hpp"
#include "io/laz_layout.hpp"

namespace burnish::io {

/// A chunk of a LAZ file: where it is and how many points it has.
struct LazChunk {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t points = 0;
};

/// Whether a chunk can have that many points of a size. Compressed points take hardly less than a hundredth of a bit:
/// even the likeliest symbols take some.
[[nodiscard]] bool can_hold_points(const LazChunk& chunk, std::size_t record_size);

/// The chunks of a file whose compressed points start at a byte: those of its chunk table or, where that is missing,
/// found by going through the chunks. Together they have `points` points. Throws Error if that is impossible.
[[nodiscard]] std::vector<LazChunk> find_laz_chunks(BlockReader& file, const LazLayout& layout, std::uint64_t offset,
                                                    std::uint64_t points);

/// The chunk table of chunks in their order.
[[nodiscard]] std::string laz_chunk_table(const LazLayout& layout, const std::vector<LazChunk>& chunks);

/// The bytes of a chunk, followed by as many more as its decoder may touch.
[[nodiscard]] std::string read_laz_chunk(BlockReader& file, const LazChunk& chunk);

/// Throws Error: the chunk is damaged.
[[noreturn]] void fail_for_laz_chunk(const BlockReader& file, const LazChunk& chunk);

}  // namespace burnish::io
