#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/tiles.hpp"
#include "tiles/scratch.hpp"

namespace burnish::tiles {

/// Writes the input once more, in its order and with all its attributes, its points where the tiles' results have them;
/// points that are in no tile stay. `finish_part` may do otherwise, and leave points out. Takes about `memory` bytes.
/// With a name for the index map, writes the rows that are left to that file. Returns what the output's format could
/// not hold.
[[nodiscard]] std::vector<std::string> stitch(const std::filesystem::path& folder, const TilingPlan& plan,
                                              const std::filesystem::path& input, const std::filesystem::path& output,
                                              std::uint64_t memory, const ExecutionContext& context,
                                              const FinishPart& finish_part = {},
                                              const std::filesystem::path& index_map = {});

}  // namespace burnish::tiles
