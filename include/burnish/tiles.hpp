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

// Denoising clouds that do not fit into memory, from file to file: `denoise` on tiles of the cloud, each with its halo,
// the points around it on which its result depends. docs/scale.md describes the method, and the difference from
// denoising the cloud as a whole.
//
// The whole state of a run is in its scratch folder, so that an interrupted run can be resumed, and tiles can be
// denoised by other processes, also on other machines, with access to the folder:
//
//     const TilesToDo to_do = plan_tiles("huge.las", "smooth.las", settings);
//     for (std::size_t tile : to_do.unfinished) denoise_tile(to_do.scratch, tile);      // anywhere, in any order
//     stitch_tiles("huge.las", "smooth.las", settings);

namespace burnish {

/// Consecutive points of the input once their tiles are denoised.
struct DenoisedPart {
  std::uint64_t first_row = 0;          ///< of the part, in the input
  std::span<const Vec3> positions;      ///< after denoising; unchanged for points that are not finite
  const std::vector<bool>& is_outlier;  ///< which points belong to no surface
  std::span<const Vec3> normals;  ///< of the new positions, of arbitrary sign; zero for points that are not finite.
                                  ///< Empty unless TilingSettings::normals is set
  std::span<const double> noise;  ///< DenoiseResult::noise_at_points; empty unless TilingSettings::attributes
  std::span<const double> error;  ///< DenoiseResult::error_at_points; the same
};

using FinishPart = std::function<std::vector<bool>(PointCloud& part, const DenoisedPart& denoised)>;

struct TilingSettings {
  DenoiseSettings denoise;
  /// Applies the result to a part of the input, and returns which points to write (empty: all). By default every point
  /// gets its new position. Called twice for each part, in the order of the rows.
  FinishPart finish_part;
  /// Estimate normals of the new positions, for `finish_part`.
  bool normals = false;
  /// Keep noise and expected error of each point, for `finish_part`.
  bool attributes = false;
  /// File for the input row of each remaining point, one per line; empty: none.
  std::filesystem::path index_map;
  /// Approximate memory limit in bytes; 0: memory_limit(). It determines the size of the tiles, so the result depends
  /// on it within the tolerance stated in docs/scale.md. The result does not depend on the number of threads or
  /// processes.
  std::uint64_t memory = 0;
  /// Folder for temporary files: 64 bytes per point, 32 more with normals, 32 more with attributes. By default the
  /// output's name with ".scratch" appended.
  std::filesystem::path scratch;
  /// Continue the run whose files are in the scratch folder, if there is one.
  bool resume = false;
};

struct TilesToDo {
  std::filesystem::path scratch;
  std::uint64_t points = 0;
  std::size_t tiles = 0;
  std::uint64_t not_finite = 0;  ///< points that are NaN or infinite, and unchanged
  std::vector<std::size_t> unfinished;
  std::uint64_t memory_of_tile = 0;  ///< approximate bytes needed to denoise one tile
  DenoiseFindings found;
};

/// Sorts the points of a file into tiles, analyses the cloud, and writes tiles and plan into the scratch folder. With
/// `resume`, finds the unfinished tiles; throws Error if the folder belongs to another input or other settings.
/// Without, throws Error if the folder contains an unfinished run. PLY, PCD, LAS and text can be read in parts, and can
/// be written in parts (LAS only from LAS); throws Error for other formats.
[[nodiscard]] TilesToDo plan_tiles(const std::filesystem::path& input, const std::filesystem::path& output,
                                   const TilingSettings& settings, const ExecutionContext& context = {});

/// Denoises one tile. The result is written completely or not at all; two processes that work on the same tile write
/// the same bytes.
void denoise_tile(const std::filesystem::path& scratch, std::size_t tile, const ExecutionContext& context = {});

/// Writes the output, in the input's order and with all its attributes, from the results of all tiles; then removes the
/// scratch files. Returns doubts about the result, a sentence each.
[[nodiscard]] std::vector<std::string> stitch_tiles(const std::filesystem::path& input,
                                                    const std::filesystem::path& output, const TilingSettings& settings,
                                                    const ExecutionContext& context = {});

/// True if the scratch folder contains a run that `resume` would continue.
[[nodiscard]] bool has_unfinished_run(const std::filesystem::path& output, const TilingSettings& settings);

/// Removes the scratch files of a run that is not to be continued.
void discard_tiles(const std::filesystem::path& output, const TilingSettings& settings);

struct TilingResult {
  std::uint64_t points = 0;
  std::size_t tiles = 0;
  DenoiseFindings found;
  std::size_t tiles_resumed = 0;      ///< finished before
  std::vector<std::string> warnings;  ///< doubts about the result, a sentence each
  std::uint64_t not_finite = 0;       ///< points that are NaN or infinite, and unchanged
};

/// All of these steps on this machine, with as many tiles at a time as memory and threads allow. If it is interrupted
/// after the tiles have been made, the scratch folder remains, and `resume` continues from there; the message of an
/// Error says so.
[[nodiscard]] TilingResult denoise_in_tiles(const std::filesystem::path& input, const std::filesystem::path& output,
                                            const TilingSettings& settings, const ExecutionContext& context = {});

/// The first points of a file that can be denoised in tiles, with their attributes, to inspect its contents.
[[nodiscard]] PointCloud first_points(const std::filesystem::path& input, std::size_t count);

/// Why a file cannot be denoised in tiles, as text that follows its name: "is of a format that …"; empty if it can be.
[[nodiscard]] std::string why_not_in_tiles(const std::filesystem::path& input, const std::filesystem::path& output);

/// Approximate bytes needed to denoise this number of points in memory, with the threads of the context.
[[nodiscard]] std::uint64_t memory_to_denoise(std::uint64_t points, const ExecutionContext& context);

/// The same for a file with all its contents, from its header or, for text, its first lines.
[[nodiscard]] std::uint64_t memory_to_denoise(const std::filesystem::path& input, const ExecutionContext& context);

/// The default limit on this machine: half of the free memory, or of the limit of this process.
[[nodiscard]] std::uint64_t memory_limit();

/// Bytes from text such as "500M", "2G", "1.5 GiB" or "2000000000"; K, M, G and T are powers of 1024. Throws Error for
/// any other text.
[[nodiscard]] std::uint64_t parse_memory(const std::string& text);

}  // namespace burnish
