#include "io/lzf.hpp"

#include <cstddef>
#include <cstring>

// The stream is a row of runs. A first byte b below 32 is followed by b + 1 bytes to be copied.
// Otherwise its upper three bits are the length, less two, of a copy from what is decompressed already (7: the next
// byte is to be added), and its lower five bits with the following byte are how far back that starts, less one.

namespace burnish::io {

bool decompress_lzf(std::string_view compressed, std::span<char> target) {
  std::size_t in = 0;
  std::size_t out = 0;
  const auto next = [&] { return static_cast<unsigned char>(compressed[in++]); };
  while (in < compressed.size()) {
    const std::size_t first = next();
    if (first < 32) {
      const std::size_t length = first + 1;
      if (length > compressed.size() - in || length > target.size() - out) {
        return false;
      }
      std::memcpy(target.data() + out, compressed.data() + in, length);
      in += length;
      out += length;
      continue;
    }
    std::size_t length = (first >> 5) + 2;
    if (compressed.size() - in < (length == 9 ? 2U : 1U)) {
      return false;
    }
    if (length == 9) {
      length += next();
    }
    const std::size_t back = ((first & 31) << 8) + next() + 1;
    if (back > out || length > target.size() - out) {
      return false;
    }
    // Byte by byte: a copy may reach into what it writes itself, which repeats a pattern.
    for (const std::size_t end = out + length; out < end; ++out) {
      target[out] = target[out - back];
    }
  }
  return out == target.size();
}

}  // namespace burnish::io
