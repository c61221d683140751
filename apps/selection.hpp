#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "option_values.hpp"

// Points that are denoised, while the others are neighbours only.

namespace burnish::cli {

struct PointFilter {
  std::vector<std::string> only;  ///< "classification=2,6": points that have one of the values
  std::optional<Box> box;
  std::string mask;  ///< an attribute that is not 0 at the points

  [[nodiscard]] bool is_empty() const { return only.empty() && !box && mask.empty(); }
};

/// Adds --only, --box and --mask.
void add_point_filter_options(CLI::App& command, PointFilter& selection);

/// For every point whether it is selected by all that is given. Throws Error if the cloud lacks an attribute.
[[nodiscard]] std::vector<bool> selected_points(const PointFilter& selection, const PointCloud& cloud,
                                                const std::string& file);

}  // namespace burnish::cli
