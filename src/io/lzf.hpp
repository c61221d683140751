#pragma once

#include <span>
#include <string_view>

namespace burnish::io {

/// Undoes LZF, the compression of PCD files. True if the bytes decompress to exactly as many as `target` has; whatever
/// they are, nothing is read or written outside of both.
[[nodiscard]] bool decompress_lzf(std::string_view compressed, std::span<char> target);

/// No compressed file of that size decompresses to more: three bytes stand for 264 at most.
[[nodiscard]] constexpr unsigned long long largest_lzf_content(unsigned long long compressed) {
  return compressed * 88;
}

}  // namespace burnish::io
