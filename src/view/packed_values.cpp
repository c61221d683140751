#include "view/packed_values.hpp"

#include <zlib.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "burnish/error.hpp"

namespace burnish {
namespace {

std::vector<Bytef> byte_planes(std::span<const std::uint32_t> values, std::size_t components, std::size_t bytes) {
  const std::size_t points = values.size() / components;
  std::vector<Bytef> planes(values.size() * bytes);
  for (std::size_t c = 0; c < components; ++c) {
    std::uint32_t previous = 0;
    for (std::size_t i = 0; i < points; ++i) {
      const std::uint32_t value = values[i * components + c];
      const std::uint32_t difference = value - previous;
      for (std::size_t b = 0; b < bytes; ++b) {
        planes[(c * bytes + b) * points + i] = static_cast<Bytef>(difference >> (8 * b));
      }
      previous = value;
    }
  }
  return planes;
}

/// Throws what zlib says, if it says anything.
void check(int code) {
  if (code != Z_OK && code != Z_STREAM_END) {
    throw Error("compression failed (zlib " + std::to_string(code) + ")");
  }
}

std::vector<Bytef> deflated(const std::vector<Bytef>& bytes, const ExecutionContext& context) {
  constexpr std::size_t block = std::size_t{1} << 20;
  constexpr int level = 6;
  z_stream stream{};
  check(deflateInit(&stream, level));
  std::vector<Bytef> packed;
  std::vector<Bytef> room(block);
  try {
    for (std::size_t begin = 0; begin == 0 || begin < bytes.size(); begin += block) {
      context.check_cancelled();
      const std::size_t count = std::min(block, bytes.size() - begin);
      stream.next_in = const_cast<Bytef*>(bytes.data() + begin);
      stream.avail_in = static_cast<uInt>(count);
      do {
        stream.next_out = room.data();
        stream.avail_out = static_cast<uInt>(room.size());
        check(deflate(&stream, begin + count == bytes.size() ? Z_FINISH : Z_NO_FLUSH));
        packed.insert(packed.end(), room.begin(), room.end() - static_cast<std::ptrdiff_t>(stream.avail_out));
      } while (stream.avail_out == 0);
    }
  } catch (...) {
    deflateEnd(&stream);
    throw;
  }
  deflateEnd(&stream);
  return packed;
}

std::string base64(std::span<const Bytef> bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      group = group << 8 | (b < there ? bytes[i + b] : 0U);
    }
    for (std::size_t d = 0; d < 4; ++d) {
      text.push_back(d <= there ? alphabet[group >> (18 - 6 * d) & 63U] : '=');
    }
  }
  return text;
}

}  // namespace

std::string pack(std::span<const std::uint32_t> values, std::size_t components, std::size_t bytes,
                 const ExecutionContext& context) {
  return base64(deflated(byte_planes(values, components, bytes), context));
}

}  // namespace burnish
