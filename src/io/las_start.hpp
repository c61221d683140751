#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/block_reader.hpp"
#include "io/laz_layout.hpp"

namespace burnish::io {

/// All of a LAS or LAZ file but its points. A LAZ file is described as the LAS file it stands for: without the records
/// that are about its compression or, of a COPC file, about its octree.
struct LasStart {
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  std::string header;  ///< with all records that come before the points
  std::uint64_t points = 0;
  std::uint64_t points_offset = 0;      ///< in the file
  std::optional<LazLayout> compressed;  ///< how the points are compressed, if they are
  std::string copc_info;                ///< of a COPC file, the content of its first record
  std::vector<Range> trailer;           ///< where in the file the bytes are that follow the points and are kept
};

/// Reads the header and looks for what follows the points. Throws Error if the file cannot be what it promises.
[[nodiscard]] LasStart read_las_start(BlockReader& file);

}  // namespace burnish::io
