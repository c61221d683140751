#pragma once

#include <cstdint>
#include <string_view>

#include "io/block_reader.hpp"

namespace burnish::io {

enum class Format : std::uint8_t { ply, pcd, las, npy, npz, kitti, obj, off, stl, pts, ptx, e57, text };

/// The format of a file, detected from its content; the ending (in lower case, with its dot) is used where the content
/// is ambiguous. Does not consume bytes. Throws Error, naming the kind of file if known, if burnish does not read it.
[[nodiscard]] Format detect_format(BlockReader& file, std::string_view ending);

/// True for the first word of an OFF file: OFF preceded by the letters of its contents, and possibly followed, without
/// a blank, by its first count.
[[nodiscard]] bool is_off_keyword(std::string_view word);

}  // namespace burnish::io
