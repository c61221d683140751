#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"
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

/// Windows of `neighbourhood` points around centres, in the order of these points; members in no particular order.
[[nodiscard]] inline Windows make_windows(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                          std::span<const std::uint32_t> centres, std::size_t neighbourhood,
                                          const ExecutionContext& context) {
  Windows windows;
  glr::Patches& patches = windows.patches;
  patches.size = std::min(neighbourhood, points.size());
  patches.centres.assign(centres.begin(), centres.end());
  std::ranges::sort(patches.centres);
  patches.members.resize(patches.count() * patches.size);
  parallel_blocks(context, patches.count(), 256, [&](std::size_t begin, std::size_t end) {
    NeighbourQueries queries(search, patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      std::ranges::copy(queries.nearest(points[patches.centres[m]]).indices, &patches.members[m * patches.size]);
    }
  });
  windows.nodes = glr::nodes_of_points(patches, points.size());
  return windows;
}

}  // namespace burnish::automatic
