#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/block_reader.hpp"

namespace burnish::io {

/// Exactly `count` bytes from a place of the file, which the caller has compared with its size. Throws Error if the
/// file ends before.
[[nodiscard]] std::string bytes_at(BlockReader& file, std::uint64_t offset, std::size_t count);

}  // namespace burnish::io
