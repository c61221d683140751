#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "tiles/point_file.hpp"

namespace burnish::tiles {

/// Properties of a tile, without opening its file.
struct Tile {
  std::uint64_t points = 0;
  Eigen::AlignedBox3d box;
  double spacing = 0.0;  ///< the largest of its blocks
};

using RecordVisitor = std::function<void(std::span<const Record>)>;

/// Passes all records, some at a time, to a visitor. Repeatable.
using RecordSource = std::function<void(const RecordVisitor&)>;

/// Sorts points of any number, all finite, into tiles of at most `points_in_tile`, with bounded memory: the cells of a
/// tree that splits at medians, so that dense regions have many small tiles. Points with identical coordinates cannot
/// be separated that way; if they do not fit into a tile, they are divided in the order of their rows. The same points
/// in the same order always give the same tiles.
///
/// Tile t is in the file tile_file(folder, t), with its points along a space-filling curve. The source is read twice.
[[nodiscard]] std::vector<Tile> sort_into_tiles(const RecordSource& source, const std::filesystem::path& folder,
                                                std::uint64_t run, std::size_t points_in_tile,
                                                const ExecutionContext& context);

}  // namespace burnish::tiles
