#pragma once

#include <cstdint>
#include <string_view>

#include "io/block_reader.hpp"

namespace burnish::io {

enum class Format : std::uint8_t { ply, pcd, las, npy, npz, kitti, obj, off, stl, pts, ptx, e57, text };

/// The format of a file, found from its content; the ending (in lower case, with its dot) helps where the content alone
/// does not decide. Takes nothing off the file. Throws Error, naming what the file is where that is known, if burnish
/// does not read it.
[[nodiscard]] Format detect_format(BlockReader& file, std::string_view ending);

/// True for the first word of an OFF file: OFF with the letters for what it holds before, and perhaps, without a blank
/// between, its first count behind.
[[nodiscard]] bool is_off_keyword(std::string_view word);

}  // namespace burnish::io
