#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "burnish/execution.hpp"
#include "tiles/sorting.hpp"

// The scratch folder of a run contains its whole state, so that it can be resumed after an interruption, and any number
// of processes on any number of machines can work on it.
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

/// Identifies an input file, and detects changes of it.
struct InputMark {
  std::uint64_t size = 0;
  std::int64_t changed = 0;  ///< nanoseconds
  std::uint64_t start = 0;   ///< checksum of the first bytes

  bool operator==(const InputMark&) const = default;
};

[[nodiscard]] InputMark mark_of(const std::filesystem::path& input);

/// First of consecutive rows of the input that were measured from one scanner position.
struct ScannerRows {
  std::uint64_t first_row = 0;
  Vec3 scanner = Vec3::Zero();
};

struct TilingPlan {
  InputMark input;
  std::string settings;           ///< of the method, as text
  std::uint64_t points = 0;       ///< in the input
  std::uint64_t most_points = 0;  ///< of a tile with its halo
  std::vector<Tile> tiles;
  std::vector<ScannerRows> scanners;  ///< from row 0 on; empty if not known
  std::string method;                 ///< how to denoise a tile, as text
  bool normals = false;
  bool attributes = false;  ///< noise and variance of the error of each point are kept

  /// An identifier that all files of the run contain, and no other run.
  [[nodiscard]] std::uint64_t run() const;

  /// The scanner position for a row. Only if scanners are known.
  [[nodiscard]] const Vec3& scanner_of(std::uint64_t row) const;
};

void write_plan(const std::filesystem::path& folder, const TilingPlan& plan);

/// Throws Error if there is none, or it is damaged.
[[nodiscard]] TilingPlan read_plan(const std::filesystem::path& folder);

[[nodiscard]] bool has_plan(const std::filesystem::path& folder);

/// Tiles with results. Every result is read; damaged ones are removed and count as missing.
[[nodiscard]] std::vector<bool> find_results(const std::filesystem::path& folder, const TilingPlan& plan,
                                             const ExecutionContext& context);

/// Removes unfinished output of an earlier process of this run that was killed, and records that this process writes it
/// now.
void become_writer(const std::filesystem::path& folder, const std::filesystem::path& output);

/// Creates the folder if necessary. Throws Error if it contains files that do not belong to a run.
void prepare_folder(const std::filesystem::path& folder);

/// Removes the files of runs from a folder, and the folder if it is empty then.
void remove_scratch(const std::filesystem::path& folder);

}  // namespace burnish::tiles
