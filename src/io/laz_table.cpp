#include "io/laz_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/bytes_at.hpp"
#include "io/las_layout.hpp"
#include "io/laz_chunk.hpp"
#include "io/laz_integer.hpp"

namespace burnish::io {
namespace {

constexpr std::size_t table_head = 8;    // version, number of chunks
constexpr std::size_t pointer_size = 8;  // to the table, before the first chunk
constexpr std::int64_t at_the_end = -1;  // the pointer is the last thing in the file instead

/// Where the chunk table is; 0 if it is missing, as in files whose writing was interrupted.
std::uint64_t table_place(BlockReader& file, std::uint64_t offset) {
  const auto is_inside = [&](std::int64_t place) {
    return place >= static_cast<std::int64_t>(offset + pointer_size) &&
           static_cast<std::uint64_t>(place) + table_head <= file.size();
  };
  auto place = little_endian<std::int64_t>(bytes_at(file, offset, pointer_size), 0);
  if (place == at_the_end) {
    place = little_endian<std::int64_t>(bytes_at(file, file.size() - pointer_size, pointer_size), 0);
  }
  return is_inside(place) ? static_cast<std::uint64_t>(place) : 0;
}

/// Two numbers for each chunk, predicted by those of the chunk before: how many points it has, if chunks differ in
/// that, and how many bytes.
template <class Coder>
void code_table(Coder& coder, bool has_points, std::vector<LazChunk>& chunks) {
  const auto numbers = std::make_unique_for_overwrite<IntegerModel<32, 2>>();
  std::uint32_t last_points = 0;
  std::uint32_t last_bytes = 0;
  for (LazChunk& chunk : chunks) {
    auto points = static_cast<std::uint32_t>(chunk.points);
    auto bytes = static_cast<std::uint32_t>(chunk.bytes);
    if (has_points) {
      numbers->code(coder, static_cast<std::int32_t>(last_points), points, 0);
      chunk.points = last_points = points;
    }
    numbers->code(coder, static_cast<std::int32_t>(last_bytes), bytes, 1);
    chunk.bytes = last_bytes = bytes;
  }
}

std::vector<LazChunk> read_table(BlockReader& file, const LazLayout& layout, std::uint64_t offset, std::uint64_t place,
                                 std::uint64_t points) {
  const std::string head = bytes_at(file, place, table_head);
  if (const auto version = little_endian<std::uint32_t>(head, 0); version != 0) {
    file.fail(fmt::format("byte {}: found version {} of the LAZ chunk table, expected 0", place, version));
  }
  const std::uint64_t count = little_endian<std::uint32_t>(head, 4);
  const bool is_variable = layout.chunk_size == LazLayout::variable_chunks;
  const std::uint64_t expected = (points + layout.chunk_size - 1) / layout.chunk_size;
  if (count > (place - offset - pointer_size) / layout.size() || (!is_variable && count != expected)) {
    file.fail(fmt::format("byte {}: the LAZ chunk table declares {} chunks, but {}", place + 4, count,
                          is_variable ? fmt::format("the file has {} bytes for them", place - offset - pointer_size)
                                      : fmt::format("{} points are {} chunks", points, expected)));
  }
  constexpr std::uint64_t most_bytes_of_chunk = 16;  // two numbers of 32 bits, rarely more than that
  const std::uint64_t most_bytes = std::min(file.size() - place - table_head, (count + 4) * most_bytes_of_chunk);
  std::string bytes = bytes_at(file, place + table_head, static_cast<std::size_t>(most_bytes));
  const std::size_t size = bytes.size();
  bytes.append(RangeDecoder::padding, '\0');
  std::vector<LazChunk> chunks(static_cast<std::size_t>(count));
  RangeDecoder coder(std::string_view(bytes).substr(0, size));
  code_table(coder, is_variable, chunks);
  if (count > 0 && coder.is_past_end()) {
    file.fail(fmt::format("the file ends at byte {} inside the LAZ chunk table at byte {}", file.size(), place));
  }
  std::uint64_t begin = offset + pointer_size;
  std::uint64_t left = points;
  for (LazChunk& chunk : chunks) {
    chunk.offset = begin;
    chunk.points = is_variable ? chunk.points : std::min<std::uint64_t>(left, layout.chunk_size);
    if (chunk.bytes > file.size() - begin || chunk.points > left || !can_hold_points(chunk, layout.size())) {
      file.fail(fmt::format(
          "byte {}: the LAZ chunk table declares {} points in {} bytes at byte {}, but the file has {} bytes "
          "and {} points there",
          place, chunk.points, chunk.bytes, begin, file.size() - begin, left));
    }
    begin += chunk.bytes;
    left -= chunk.points;
  }
  if (left > 0) {
    file.fail(fmt::format("byte {}: the LAZ chunk table has {} points, but the header declares {}", place,
                          points - left, points));
  }
  return chunks;
}

/// Layered chunks say how many points and bytes they have.
std::vector<LazChunk> walk_layered(BlockReader& file, const LazLayout& layout, std::uint64_t offset,
                                   std::uint64_t points) {
  const std::size_t head = layout.size() + 4 + 4 * laz_layer_count(layout);
  std::vector<LazChunk> chunks;
  for (std::uint64_t left = points; left > 0;) {
    const std::string start = bytes_at(file, offset, head);
    LazChunk chunk{offset, head, little_endian<std::uint32_t>(start, layout.size())};
    for (std::size_t at = layout.size() + 4; at < head; at += 4) {
      chunk.bytes += little_endian<std::uint32_t>(start, at);
    }
    if (chunk.points == 0 || chunk.points > left || chunk.bytes > file.size() - offset ||
        !can_hold_points(chunk, layout.size())) {
      fail_for_laz_chunk(file, chunk);
    }
    chunks.push_back(chunk);
    offset += chunk.bytes;
    left -= chunk.points;
  }
  return chunks;
}

/// Where a pointwise chunk ends is known when it is decoded.
std::vector<LazChunk> walk_pointwise(BlockReader& file, const LazLayout& layout, std::uint64_t offset,
                                     std::uint64_t points) {
  if (layout.chunk_size == LazLayout::variable_chunks) {
    file.fail(fmt::format("byte {}: the LAZ chunk table is missing, and without it the ends of the chunks are unknown",
                          offset));
  }
  const std::string bytes = read_laz_chunk(file, {offset, file.size() - offset, 0});
  constexpr std::size_t rows_at_once = 256;
  std::string records(rows_at_once * layout.size(), '\0');
  std::vector<LazChunk> chunks;
  std::size_t begin = 0;
  for (std::uint64_t left = points; left > 0;) {
    LazChunk chunk{offset + begin, 0, std::min<std::uint64_t>(left, layout.chunk_size)};
    LazChunkDecoder decoder(layout,
                            std::string_view(bytes).substr(begin, bytes.size() - RangeDecoder::padding - begin));
    for (std::uint64_t row = 0; row < chunk.points; row += rows_at_once) {
      file.context().check_cancelled();
      const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(rows_at_once, chunk.points - row));
      if (!decoder.read(records.data(), rows)) {
        fail_for_laz_chunk(file, chunk);
      }
    }
    chunk.bytes = decoder.consumed();
    chunks.push_back(chunk);
    begin += decoder.consumed();
    left -= chunk.points;
  }
  return chunks;
}

}  // namespace

bool can_hold_points(const LazChunk& chunk, std::size_t record_size) {
  constexpr std::uint64_t most_points_in_byte = 2000;
  return chunk.points == 0 ||
         (chunk.bytes >= record_size && (chunk.points - 1) / most_points_in_byte <= chunk.bytes - record_size);
}

std::vector<LazChunk> find_laz_chunks(BlockReader& file, const LazLayout& layout, std::uint64_t offset,
                                      std::uint64_t points) {
  if (points == 0) {
    return {};
  }
  if (layout.compressor == LazLayout::Compressor::pointwise) {
    const LazChunk all{offset, file.size() - offset, points};
    if (!can_hold_points(all, layout.size())) {
      fail_for_laz_chunk(file, all);
    }
    return {all};
  }
  if (file.size() - offset < pointer_size) {
    file.fail(fmt::format("the file ends at byte {} before its points", file.size()));
  }
  if (const std::uint64_t place = table_place(file, offset); place > 0) {
    return read_table(file, layout, offset, place, points);
  }
  return layout.is_layered() ? walk_layered(file, layout, offset + pointer_size, points)
                             : walk_pointwise(file, layout, offset + pointer_size, points);
}

std::string laz_chunk_table(const LazLayout& layout, const std::vector<LazChunk>& chunks) {
  std::string table(table_head, '\0');
  put_little_endian(table, 4, static_cast<std::uint32_t>(chunks.size()));
  std::vector<LazChunk> coded = chunks;
  RangeEncoder coder;
  code_table(coder, layout.chunk_size == LazLayout::variable_chunks, coded);
  return table + coder.finish();
}

std::string read_laz_chunk(BlockReader& file, const LazChunk& chunk) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(chunk.bytes) + RangeDecoder::padding);
  file.seek(chunk.offset);
  while (bytes.size() < chunk.bytes) {
    const std::string_view block = file.fill(1);
    if (block.empty()) {
      file.fail(fmt::format("the file ends at byte {} inside the LAZ chunk at byte {}", file.offset(), chunk.offset));
    }
    const std::size_t part = std::min<std::size_t>(block.size(), static_cast<std::size_t>(chunk.bytes) - bytes.size());
    bytes += block.substr(0, part);
    file.skip(part);
  }
  bytes.append(RangeDecoder::padding, '\0');
  return bytes;
}

void fail_for_laz_chunk(const BlockReader& file, const LazChunk& chunk) {
  file.fail(fmt::format("the LAZ chunk at byte {} is damaged or ends before the last of its {} points", chunk.offset,
                        chunk.points));
}

}  // namespace burnish::io
