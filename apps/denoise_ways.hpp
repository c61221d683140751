#pragma once

#include "denoise_options.hpp"

// The two ways to denoise a file. Both return the JSON to print; a dry run writes nothing.

namespace burnish::cli {

/// As a whole. Throws WrongOption if the method cannot do what is asked.
[[nodiscard]] Json denoise_in_memory(const DenoiseOptions& options, const Method& method, const Common& common);

/// In tiles, by the default.
[[nodiscard]] Json denoise_tiled(const DenoiseOptions& options, const Common& common);

/// Whether a file is denoised in tiles: if it takes more memory than it may otherwise. Throws Error if it does, is
/// limited to it by --memory, and cannot be denoised in tiles.
[[nodiscard]] bool uses_tiles(const DenoiseOptions& options, const Common& common);

/// Throws Error if a cloud, once it is read, takes more memory than --memory allows.
void check_memory(const DenoiseOptions& options, std::size_t points, const Common& common);

}  // namespace burnish::cli
