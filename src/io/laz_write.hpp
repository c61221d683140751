#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/block_writer.hpp"
#include "io/laz_layout.hpp"
#include "io/laz_table.hpp"

namespace burnish::io {

/// The header of a LAZ file, up to its points, from that of the same file without compression.
[[nodiscard]] std::string laz_header(std::string_view las_header, const LazLayout& layout);

/// Writes point records compressed, from the pointer to the chunk table on. Chunks are compressed by all threads; which
/// points are in which chunk, and so the bytes, depend on the points alone.
class LazWriter {
 public:
  /// The header has been written.
  LazWriter(BlockWriter& file, const LazLayout& layout);

  /// Room for the next records, which the caller fills in before any other call.
  [[nodiscard]] char* room(std::size_t count);

  /// Writes what is left, and the chunk table. Returns where that is: the number that belongs behind the header.
  [[nodiscard]] std::uint64_t finish();

 private:
  /// The first chunks of the records that wait.
  void write_chunks(std::size_t count);

  BlockWriter& file_;
  LazLayout layout_;
  std::string records_;  ///< that wait
  std::vector<LazChunk> chunks_;
};

}  // namespace burnish::io
