#pragma once

#include <memory>
#include <vector>

#include "burnish/io.hpp"
#include "io/cloud_parts.hpp"
#include "io/las_start.hpp"

namespace burnish::io {

/// Whether a LAZ file is a COPC file too.
[[nodiscard]] bool is_copc(const LasStart& start);

/// The points of the nodes that a selection needs: all of each node, so some may be outside the box.
[[nodiscard]] std::unique_ptr<CloudParts> copc_parts(BlockReader& file, LasStart start, const Selection& selection);

/// See levels_of.
[[nodiscard]] std::vector<Level> copc_levels(BlockReader& file);

}  // namespace burnish::io
