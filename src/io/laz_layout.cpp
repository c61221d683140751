#include "io/laz_layout.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "io/las_layout.hpp"

namespace burnish::io {
namespace {

/// A part of a point record that is compressed by itself.
struct LazItem {
  std::uint16_t type = 0;
  std::uint16_t size = 0;
  std::uint16_t version = 0;
};

constexpr std::size_t items_start = 34;
constexpr std::size_t item_size = 6;

/// The items that points of a layout must have.
std::vector<LazItem> items_of(const LazLayout& layout) {
  enum Type : std::uint16_t {
    bytes = 0,
    old_point = 6,
    time = 7,
    colour = 8,
    wave = 9,
    new_point = 10,
    new_colour = 11,
    colour_with_nir = 12,
    new_wave = 13,
    new_bytes = 14
  };
  const auto version = static_cast<std::uint16_t>(layout.version);
  const auto extra = static_cast<std::uint16_t>(layout.extra_bytes);
  std::vector<LazItem> items;
  const auto add = [&](bool is_there, Type type, std::uint16_t size, std::uint16_t item_version) {
    if (is_there) {
      items.push_back({type, size, item_version});
    }
  };
  if (layout.is_layered()) {
    add(true, new_point, 30, version);
    add(layout.has_colours() && !layout.has_nir(), new_colour, 6, version);
    add(layout.has_nir(), colour_with_nir, 8, version);
    add(layout.has_waves(), new_wave, 29, version);
    add(extra > 0, new_bytes, extra, version);
  } else {
    add(true, old_point, 20, version);
    add(layout.has_time(), time, 8, version);
    add(layout.has_colours(), colour, 6, version);
    add(layout.has_waves(), wave, 29, 1);  // there is only one version
    add(extra > 0, bytes, extra, version);
  }
  return items;
}

}  // namespace

LazLayout laz_layout_for(unsigned format, std::size_t record_size) {
  LazLayout layout;
  layout.format = format;
  layout.extra_bytes = record_size - las_point_size(format);
  layout.compressor = layout.is_layered() ? LazLayout::Compressor::layered : LazLayout::Compressor::pointwise_chunked;
  layout.version = layout.is_layered() ? 3 : 2;
  layout.chunk_size = 50'000;
  return layout;
}

LazLayout read_laz_layout(const BlockReader& file, std::string_view content, std::size_t place, unsigned format,
                          std::size_t record_size) {
  if (content.size() < items_start) {
    file.fail(fmt::format("byte {}: the record about LAZ compression has {} bytes, expected at least {}", place,
                          content.size(), items_start));
  }
  LazLayout layout = laz_layout_for(format, record_size);
  const unsigned compressor = little_endian<std::uint16_t>(content, 0);
  const unsigned coder = little_endian<std::uint16_t>(content, 2);
  const bool is_known = layout.is_layered() ? compressor == 3 : compressor == 1 || compressor == 2;
  if (!is_known) {
    file.fail(fmt::format("byte {}: found LAZ compressor {}, expected {} for point format {}", place, compressor,
                          layout.is_layered() ? "3" : "1 or 2", format));
  }
  if (coder != 0) {
    file.fail(fmt::format("byte {}: found LAZ coder {}, expected 0", place + 2, coder));
  }
  layout.compressor = static_cast<LazLayout::Compressor>(compressor);
  layout.chunk_size = little_endian<std::uint32_t>(content, 12);
  if (layout.chunk_size == 0 && layout.compressor != LazLayout::Compressor::pointwise) {
    file.fail(fmt::format("byte {}: found LAZ chunks of 0 points", place + 12));
  }
  const std::size_t count = little_endian<std::uint16_t>(content, 32);
  if (count > (content.size() - items_start) / item_size) {
    file.fail(fmt::format("byte {}: found {} LAZ items, but there is room for {}", place + 32, count,
                          (content.size() - items_start) / item_size));
  }
  if (count > 0) {
    layout.version = little_endian<std::uint16_t>(content, items_start + 4);
  }
  const unsigned oldest = layout.is_layered() ? 3 : 1;
  const unsigned newest = layout.is_layered() ? 3 : 2;
  if (layout.version < oldest || layout.version > newest) {
    file.fail(fmt::format("byte {}: found version {} of LAZ compression, expected {}", place + items_start + 4,
                          layout.version, layout.is_layered() ? "3" : "1 or 2"));
  }
  const std::vector<LazItem> expected = items_of(layout);
  for (std::size_t i = 0; i < std::max(count, expected.size()); ++i) {
    const std::size_t at = items_start + i * item_size;
    const LazItem found =
        i < count ? LazItem{little_endian<std::uint16_t>(content, at), little_endian<std::uint16_t>(content, at + 2),
                            little_endian<std::uint16_t>(content, at + 4)}
                  : LazItem{};
    const LazItem wanted = i < expected.size() ? expected[i] : LazItem{};
    if (found.type != wanted.type || found.size != wanted.size || found.version != wanted.version) {
      file.fail(fmt::format(
          "byte {}: found LAZ item type {}, size {}, version {}, but points of format {} with {} bytes need "
          "type {}, size {}, version {}",
          place + at, found.type, found.size, found.version, format, record_size, wanted.type, wanted.size,
          wanted.version));
    }
  }
  return layout;
}

std::string laz_record_of(const LazLayout& layout) {
  const std::vector<LazItem> items = items_of(layout);
  std::string content(items_start + items.size() * item_size, '\0');
  put_little_endian(content, 0, static_cast<std::uint16_t>(layout.compressor));
  // The version of LASzip that reads such files.
  put_little_endian(content, 4, static_cast<std::uint8_t>(layout.is_layered() ? 3 : 2));
  put_little_endian(content, 5, static_cast<std::uint8_t>(layout.is_layered() ? 4 : 2));
  put_little_endian(content, 12, layout.chunk_size);
  put_little_endian(content, 16, std::int64_t{-1});  // no special records behind the points, and where they are
  put_little_endian(content, 24, std::int64_t{-1});
  put_little_endian(content, 32, static_cast<std::uint16_t>(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    put_little_endian(content, items_start + i * item_size, items[i].type);
    put_little_endian(content, items_start + i * item_size + 2, items[i].size);
    put_little_endian(content, items_start + i * item_size + 4, items[i].version);
  }
  return content;
}

}  // namespace burnish::io
