#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "burnish/execution.hpp"
#include "tiles/scratch.hpp"

namespace burnish::tiles {

/// The result for the points of a tile.
struct DenoisedTile {
  DenoisedTile(std::vector<Vec3> moved, std::vector<std::uint32_t> not_on_surface = {})  // NOLINT(google-explicit-*)
      : positions(std::move(moved)), outliers(std::move(not_on_surface)) {}

  std::vector<Vec3> positions;
  std::vector<std::uint32_t> outliers;  ///< points that belong to no surface, ascending
  std::vector<double> noise;            ///< at each point, for TilingPlan::attributes
  std::vector<double> variance;         ///< of the error left at each point, relative to that at others; the same
};

/// The method that is applied to a tile. The result at a point may depend on points up to the halo radius, the larger
/// of a length in the unit of the cloud and one in local spacings.
struct TileMethod {
  double halo_radius = 0.0;
  double halo_radius_in_spacings = 0.0;
  /// With the scanner position of each point; empty if unknown.
  std::function<DenoisedTile(std::span<const Vec3> points, std::span<const Vec3> scanner_positions,
                             const ExecutionContext& context)>
      denoise;
};

/// A tile with its halo.
struct Surrounded {
  std::vector<Record> own;
  std::vector<Record> around;
  bool is_complete = true;  ///< false if the halo did not fit and its farthest points were left out
};

[[nodiscard]] Surrounded gather(const std::filesystem::path& folder, const TilingPlan& plan, std::size_t tile,
                                const TileMethod& method, const ExecutionContext& context);

/// Denoises a tile and writes its result.
void work_on_tile(const std::filesystem::path& folder, const TilingPlan& plan, std::size_t tile,
                  const TileMethod& method, const ExecutionContext& context);

/// Denoises some tiles, several at a time, on the threads of the context. Progress is reported as "denoising".
void work_on_tiles(const std::filesystem::path& folder, const TilingPlan& plan, const std::vector<std::size_t>& tiles,
                   const TileMethod& method, std::size_t at_once, const ExecutionContext& context);

}  // namespace burnish::tiles
