#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "child_process.hpp"
#include "denoise_options.hpp"

// What `burnish denoise` reports of a cloud, in one sentence and as JSON, the same whether it was denoised as a whole
// or in tiles.

namespace burnish::cli {

/// What was done to a cloud.
struct Report {
  std::string method = {};
  MethodResult found = {};  ///< summary, diagnostics and warnings
  std::size_t points = 0;
  std::optional<std::size_t> selected = {};  ///< if that was counted
  std::size_t points_left = 0;               ///< after outliers were removed
  std::size_t not_finite = 0;
  std::size_t outliers = 0;        ///< that were removed or marked
  std::string about_normals = {};  ///< "; normals updated"
  std::string about_tiles = {};    ///< ", in 3 tiles"
  Cost cost = {};                  ///< of a run that is not dry
};

/// Shows the warnings and, unless there is JSON to print, the sentence; returns the JSON.
[[nodiscard]] Json show_report(Report report, const DenoiseOptions& options, const Common& common);

}  // namespace burnish::cli
