#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/block_reader.hpp"

namespace burnish::io {

/// What the points of a LAZ file consist of and how they are compressed: the content of its record 22204.
struct LazLayout {
  enum class Compressor : std::uint16_t { pointwise = 1, pointwise_chunked = 2, layered = 3 };

  unsigned format = 0;  ///< of the points, 0 to 10
  std::size_t extra_bytes = 0;
  Compressor compressor = Compressor::pointwise_chunked;
  unsigned version = 2;          ///< of the compression: 1 or 2 if pointwise, 3 if layered
  std::uint32_t chunk_size = 0;  ///< points in each chunk but the last

  /// Chunks differ in size: the chunk table has their numbers of points.
  static constexpr std::uint32_t variable_chunks = ~std::uint32_t{0};

  [[nodiscard]] bool is_layered() const { return format >= 6; }
  [[nodiscard]] bool has_time() const { return format != 0 && format != 2; }
  [[nodiscard]] bool has_colours() const {
    return format == 2 || format == 3 || format == 5 || format == 7 || has_nir();
  }
  [[nodiscard]] bool has_nir() const { return format == 8 || format == 10; }
  [[nodiscard]] bool has_waves() const { return format == 4 || format == 5 || format == 9 || format == 10; }

  // Where things are in a record. Times of layered points are a part of their start.
  [[nodiscard]] std::size_t time() const { return 20; }
  [[nodiscard]] std::size_t colours() const { return is_layered() ? 30 : has_time() ? 28 : 20; }
  [[nodiscard]] std::size_t nir() const { return colours() + 6; }
  [[nodiscard]] std::size_t waves() const { return colours() + (has_colours() ? 6 : 0) + (has_nir() ? 2 : 0); }
  [[nodiscard]] std::size_t extra() const { return waves() + (has_waves() ? 29 : 0); }
  [[nodiscard]] std::size_t size() const { return extra() + extra_bytes; }
};

/// Layers of a layered chunk: nine of the start of a record, then one for each further field.
[[nodiscard]] inline std::size_t laz_layer_count(const LazLayout& layout) {
  return 9 + (layout.has_colours() ? 1 : 0) + (layout.has_nir() ? 1 : 0) + (layout.has_waves() ? 1 : 0) +
         layout.extra_bytes;
}

inline constexpr std::string_view laz_user = "laszip encoded";
inline constexpr std::uint16_t laz_record_id = 22204;

/// The layout for points of a format, in chunks of a size that is usual for LAZ files.
[[nodiscard]] LazLayout laz_layout_for(unsigned format, std::size_t record_size);

/// Reads the content of record 22204, which starts at byte `place` of the file, for points of that format and size.
[[nodiscard]] LazLayout read_laz_layout(const BlockReader& file, std::string_view content, std::size_t place,
                                        unsigned format, std::size_t record_size);

/// The content of record 22204.
[[nodiscard]] std::string laz_record_of(const LazLayout& layout);

}  // namespace burnish::io
