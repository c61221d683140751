#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "burnish/execution.hpp"
#include "tiles/sorting.hpp"

// The scratch folder of a run: everything it knows is there, so that it can go on after it was stopped, and so that
// any number of processes on any number of machines can work on it.
//
//     plan.json         what the run is about and what its tiles are; there once they all are
//     tile-000000, …    the points of each tile
//     done-000000, …    where they are after denoising, in the order of their rows
//     outliers-000000, … those of them that belong to no surface
//     normals-000000, … normals of the denoised points in place of their positions, where they are wanted
//     attributes-000000, … the same, with their noise and the variance of their error in place of x and y
//     truncated-halo-000000, … empty, for tiles whose halo does not fit into memory
//     writer            the number of the process that writes the output

namespace burnish::tiles {

[[nodiscard]] std::filesystem::path tile_file(const std::filesystem::path& folder, std::size_t tile);
[[nodiscard]] std::filesystem::path result_file(const std::filesystem::path& folder, std::size_t tile);
[[nodiscard]] std::filesystem::path outlier_file(const std::filesystem::path& folder, std::size_t tile);
[[nodiscard]] std::filesystem::path normal_file(const std::filesystem::path& folder, std::size_t tile);
[[nodiscard]] std::filesystem::path attribute_file(const std::filesystem::path& folder, std::size_t tile);
[[nodiscard]] std::filesystem::path truncated_halo_file(const std::filesystem::path& folder, std::size_t tile);
[[nodiscard]] std::filesystem::path spill_file(const std::filesystem::path& folder, std::size_t number);

/// What distinguishes one input file from another, or from itself after a change.
struct InputMark {
  std::uint64_t size = 0;
  std::int64_t changed = 0;  ///< nanoseconds
  std::uint64_t start = 0;   ///< checksum of the first bytes

  bool operator==(const InputMark&) const = default;
};

[[nodiscard]] InputMark mark_of(const std::filesystem::path& input);

/// Rows of the input, up to those of the next, that were measured from one place.
struct ScannerRows {
  std::uint64_t first_row = 0;
  Vec3 scanner = Vec3::Zero();
};

struct TilingPlan {
  InputMark input;
  std::string settings;           ///< of the method, as text
  std::uint64_t points = 0;       ///< in the input
  std::uint64_t most_points = 0;  ///< that a tile and its surroundings may have together
  std::vector<Tile> tiles;
  std::vector<ScannerRows> scanners;  ///< from row 0 on; empty if not known
  std::string method;                 ///< how to denoise a tile, as text
  bool normals = false;
  bool attributes = false;  ///< noise and variance of the error of each point are kept

  /// A number that all files of the run have in common and no other run has.
  [[nodiscard]] std::uint64_t run() const;

  /// Where the scanner was that measured a row. Only if scanners are known.
  [[nodiscard]] const Vec3& scanner_of(std::uint64_t row) const;
};

void write_plan(const std::filesystem::path& folder, const TilingPlan& plan);

/// Throws Error if there is none, or it is damaged.
[[nodiscard]] TilingPlan read_plan(const std::filesystem::path& folder);

[[nodiscard]] bool has_plan(const std::filesystem::path& folder);

/// Tiles whose results are there. Every result is read: one that is damaged is removed, and so counts as missing.
[[nodiscard]] std::vector<bool> find_results(const std::filesystem::path& folder, const TilingPlan& plan,
                                             const ExecutionContext& context);

/// Removes what an earlier process of this run has left unfinished of the output when it was killed, and remembers that
/// it is now this process that writes it.
void become_writer(const std::filesystem::path& folder, const std::filesystem::path& output);

/// Makes the folder if need be. Throws Error if it holds anything that is not of a run.
void prepare_folder(const std::filesystem::path& folder);

/// Removes what runs leave in a folder, and the folder if nothing else is in it.
void remove_scratch(const std::filesystem::path& folder);

}  // namespace burnish::tiles
