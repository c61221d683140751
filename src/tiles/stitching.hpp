#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/tiles.hpp"
#include "tiles/scratch.hpp"

namespace burnish::tiles {

/// Writes the input again, in its order and with all its attributes, with the positions from the results of the tiles;
/// points in no tile are unchanged. `finish_part` may change this, and remove points. Uses about `memory` bytes. With a
/// name for the index map, writes the remaining rows to that file. Returns what the output format cannot hold.
[[nodiscard]] std::vector<std::string> stitch(const std::filesystem::path& folder, const TilingPlan& plan,
                                              const std::filesystem::path& input, const std::filesystem::path& output,
                                              std::uint64_t memory, const ExecutionContext& context,
                                              const FinishPart& finish_part = {},
                                              const std::filesystem::path& index_map = {});

}  // namespace burnish::tiles
