#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "burnish/denoise.hpp"
#include "burnish/execution.hpp"

// Denoising clouds that do not fit into memory, from file to file: `denoise` on tiles of the cloud, each with as much
// around it as its points depend on. docs/scale.md describes how, and how far that is from denoising the cloud as a
// whole.
//
// Everything a run knows is in its scratch folder, so that it can go on after it was stopped, and so that tiles can be
// denoised by other processes, on other machines even, that see the folder:
//
//     const TilesToDo to_do = plan_tiles("huge.las", "smooth.las", settings);
//     for (std::size_t tile : to_do.unfinished) denoise_tile(to_do.scratch, tile);      // anywhere, in any order
//     stitch_tiles("huge.las", "smooth.las", settings);

namespace burnish {

/// Consecutive points of the input once their tiles are denoised.
struct DenoisedPart {
  std::uint64_t first_row = 0;          ///< of the part, in the input
  std::span<const Vec3> positions;      ///< after denoising; of points that are not finite as they were
  const std::vector<bool>& is_outlier;  ///< which points belong to no surface
  std::span<const Vec3> normals;        ///< of the new positions, with any sign; zero for points that are not finite.
                                        ///< Empty unless TilingSettings::normals asked for them
  std::span<const double> noise;        ///< DenoiseResult::noise_at_points; empty unless TilingSettings::attributes
  std::span<const double> error;        ///< DenoiseResult::error_at_points; the same
};

using FinishPart = std::function<std::vector<bool>(PointCloud& part, const DenoisedPart& denoised)>;

struct TilingSettings {
  DenoiseSettings denoise;
  /// Takes over into a part of the input what denoising made of it, and returns which points to write, all if it is
  /// empty. By default every point gets its new position. Called twice for each part, in the order of the rows.
  FinishPart finish_part;
  /// Estimate normals of the new positions, for `finish_part`.
  bool normals = false;
  /// Keep noise and expected error of each point, for `finish_part`.
  bool attributes = false;
  /// File to write the row of the input of each point that is left to, one per line; empty: none.
  std::filesystem::path index_map;
  /// Bytes to use at most, about; 0: memory_limit(). Tiles are as large as that allows, and so the result depends on it
  /// within the tolerance that docs/scale.md states. It does not depend on the number of threads or processes.
  std::uint64_t memory = 0;
  /// Folder for temporary files: 64 bytes per point, 32 more with normals, 32 more with attributes. By default the
  /// output's name with ".scratch" appended.
  std::filesystem::path scratch;
  /// Go on with the run whose files are in the scratch folder, if there is one.
  bool resume = false;
};

struct TilesToDo {
  std::filesystem::path scratch;
  std::uint64_t points = 0;
  std::size_t tiles = 0;
  std::uint64_t not_finite = 0;  ///< points that are NaN or infinite, and stay as they are
  std::vector<std::size_t> unfinished;
  std::uint64_t memory_of_tile = 0;  ///< bytes that the work on one tile takes, about
  DenoiseFindings found;
};

/// Sorts the points of a file into tiles, finds out how to denoise them, and writes both into the scratch folder.
/// With `resume`, finds out what is left to do; throws Error if the folder is that of another input or other settings.
/// Without, throws Error if the folder is that of an unfinished run. PLY, PCD, LAS and text can be read in parts, and
/// can be written in parts (LAS only from LAS); throws Error if that is not what the names of the files ask for.
[[nodiscard]] TilesToDo plan_tiles(const std::filesystem::path& input, const std::filesystem::path& output,
                                   const TilingSettings& settings, const ExecutionContext& context = {});

/// Denoises one tile. The result is there whole or not at all; of two processes that work on the same tile both write
/// the same bytes.
void denoise_tile(const std::filesystem::path& scratch, std::size_t tile, const ExecutionContext& context = {});

/// Writes the output, in the input's order and with all its attributes, from the results of all tiles; then removes the
/// scratch files. Returns what speaks against using the result as it is, a sentence each.
[[nodiscard]] std::vector<std::string> stitch_tiles(const std::filesystem::path& input,
                                                    const std::filesystem::path& output, const TilingSettings& settings,
                                                    const ExecutionContext& context = {});

/// True if the scratch folder holds a run that `resume` would go on with.
[[nodiscard]] bool has_unfinished_run(const std::filesystem::path& output, const TilingSettings& settings);

/// Removes the scratch files of a run that is not to go on.
void discard_tiles(const std::filesystem::path& output, const TilingSettings& settings);

struct TilingResult {
  std::uint64_t points = 0;
  std::size_t tiles = 0;
  DenoiseFindings found;
  std::size_t tiles_resumed = 0;      ///< finished before
  std::vector<std::string> warnings;  ///< what speaks against using the result as it is, a sentence each
  std::uint64_t not_finite = 0;       ///< points that are NaN or infinite, and left as found
};

/// All of that on this machine: as many tiles at a time as memory and threads allow. If it is stopped once the tiles
/// are made, the scratch folder stays, and `resume` goes on from there; the message of an Error says so.
[[nodiscard]] TilingResult denoise_in_tiles(const std::filesystem::path& input, const std::filesystem::path& output,
                                            const TilingSettings& settings, const ExecutionContext& context = {});

/// The first points of a file that can be denoised in tiles, with their attributes: to see what it holds.
[[nodiscard]] PointCloud first_points(const std::filesystem::path& input, std::size_t count);

/// Why a file cannot be denoised in tiles, to be read after its name: "is of a format that …"; empty if it can be.
[[nodiscard]] std::string why_not_in_tiles(const std::filesystem::path& input, const std::filesystem::path& output);

/// Bytes that denoising this number of points in memory takes, about, on as many threads as the context allows.
[[nodiscard]] std::uint64_t memory_to_denoise(std::uint64_t points, const ExecutionContext& context);

/// The same for the points of a file, with all it holds: from its header or, for text, its first lines.
[[nodiscard]] std::uint64_t memory_to_denoise(const std::filesystem::path& input, const ExecutionContext& context);

/// A sensible limit on this machine: half of the memory that is free now, or of what this process may have.
[[nodiscard]] std::uint64_t memory_limit();

/// Bytes from text such as "500M", "2G", "1.5 GiB" or "2000000000"; K, M, G and T are powers of 1024. Throws Error if
/// it is anything else.
[[nodiscard]] std::uint64_t parse_memory(const std::string& text);

}  // namespace burnish
