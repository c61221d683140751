#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "tiles/point_file.hpp"

namespace burnish::tiles {

/// What is known of a tile without opening its file.
struct Tile {
  std::uint64_t points = 0;
  Eigen::AlignedBox3d box;
  double spacing = 0.0;  ///< the largest of its blocks
};

using RecordVisitor = std::function<void(std::span<const Record>)>;

/// Shows all records, some at a time, to a visitor. Can be asked again and shows the same then.
using RecordSource = std::function<void(const RecordVisitor&)>;

/// Sorts points of any number, all finite, into tiles of at most `points_in_tile`, within a bounded memory: the cells
/// of a tree that halves space where half of the points are, so that a dense spot has many small tiles. Only points at
/// exactly the same place cannot be separated that way; more of them than fit into a tile are shared out in the order
/// of their rows. The same points in the same order always give the same tiles.
///
/// Tile t is in the file tile_file(folder, t) then, its points along a space-filling curve. The source is asked twice.
[[nodiscard]] std::vector<Tile> sort_into_tiles(const RecordSource& source, const std::filesystem::path& folder,
                                                std::uint64_t run, std::size_t points_in_tile,
                                                const ExecutionContext& context);

}  // namespace burnish::tiles
