#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "glr/patches.hpp"

namespace burnish::automatic {

/// Overlapping neighbourhoods of a cloud, and for every point those that contain it.
struct Windows {
  glr::Patches patches;
  glr::NodesOfPoints nodes;

  /// Calls visit(window) for all windows that contain point p.
  template <class Visit>
  void around(std::size_t p, const Visit& visit) const {
    for (std::uint32_t e = nodes.begin[p]; e < nodes.begin[p + 1]; ++e) {
      visit(nodes.nodes[e] / patches.size);
    }
  }
};

/// Windows of `neighbourhood` points around centres.
[[nodiscard]] inline Windows make_windows(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                          std::span<const std::uint32_t> centres, std::size_t neighbourhood,
                                          const ExecutionContext& context) {
  GlrSettings settings;
  settings.patch_size = static_cast<unsigned>(neighbourhood);
  Windows windows;
  windows.patches = glr::make_patches_around(points, search, centres, settings, context);
  windows.nodes = glr::nodes_of_points(windows.patches, points.size());
  return windows;
}

}  // namespace burnish::automatic
