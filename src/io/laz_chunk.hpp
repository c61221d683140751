#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "io/laz_layout.hpp"

// Points of LAZ files are compressed in chunks, each by itself.

namespace burnish::io {

/// Decodes the points of a chunk one after the other.
class LazChunkDecoder {
 public:
  /// The bytes of a chunk, or all from its first on. They must outlive the decoder and be followed by
  /// RangeDecoder::padding readable bytes.
  LazChunkDecoder(const LazLayout& layout, std::string_view bytes);
  LazChunkDecoder(LazChunkDecoder&&) noexcept;
  LazChunkDecoder& operator=(LazChunkDecoder&&) noexcept;
  ~LazChunkDecoder();

  /// Decodes the next points as records. False if the bytes end before them.
  [[nodiscard]] bool read(char* records, std::size_t count);

  /// Bytes from the start of the chunk to its end, once all of its points are read.
  [[nodiscard]] std::size_t consumed() const;

 private:
  class Work;
  template <class Version>
  class Pointwise;
  class Layered;

  LazLayout layout_;
  std::string_view bytes_;
  bool has_begun_ = false;
  std::unique_ptr<Work> work_;
};

/// The bytes of a chunk with those points, at least one.
[[nodiscard]] std::string encode_laz_chunk(const LazLayout& layout, std::string_view records);

}  // namespace burnish::io
