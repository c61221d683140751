#pragma once

#include <cstdint>
#include <string_view>

namespace burnish::io {

/// The checksum CRC-32C (Castagnoli): polynomial 0x1EDC6F41, bits reflected, start and end inverted.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

}  // namespace burnish::io
