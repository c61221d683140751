#pragma once

#include <cstdint>
#include <vector>

#include "glr/patches.hpp"

namespace burnish::glr {

/// Which patches are compared with which. Every unordered pair of neighbouring patches has two slots, one for each
/// direction; the slots of patch m are begin[m] … begin[m+1], ordered by neighbour.
struct PatchGraph {
  std::vector<std::uint32_t> begin;       ///< patch → its first slot; one entry more than patches
  std::vector<std::uint32_t> neighbours;  ///< slot → the other patch
  std::vector<std::uint32_t> reverse;     ///< slot → the slot of the other direction
  std::vector<std::uint8_t> connects;     ///< slot → whether the points of patch m look for partners in the other

  [[nodiscard]] std::size_t slots() const { return neighbours.size(); }
};

/// Connects every patch with the K patches whose centres are nearest to its own. With a symmetric distance both
/// directions of a pair make connections; otherwise only those from a patch to one of its own K nearest.
[[nodiscard]] PatchGraph make_patch_graph(std::span<const Vec3> points, const Patches& patches,
                                          const GlrSettings& settings, const ExecutionContext& context);

}  // namespace burnish::glr
