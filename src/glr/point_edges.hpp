#pragma once

#include <cstdint>
#include <vector>

#include "glr/patch_distance.hpp"

namespace burnish::glr {

/// The edges between corresponding points, slot by slot. Where two nodes are each other's partner:
/// - with a symmetric distance, a patch pair is the mean of its two directions; the edge is there twice;
/// - where directions stand alone, the edge is there once, that of the patch that was chosen later.
/// Edges to planes are not among them (Correspondences::interpolations).
struct PointEdges {
  std::size_t stride = 0;              ///< bytes from one slot to the next
  std::uint8_t none = 0;               ///< in place of a partner: the number behind the last point of a patch
  std::vector<std::uint8_t> partners;  ///< slot × place → place in the other patch, or `none`
  std::vector<std::uint8_t> counts;    ///< slot × place in the other patch → how many edges of the slot end there

  [[nodiscard]] const std::uint8_t* partners_of(std::uint32_t slot) const { return &partners[slot * stride]; }
  [[nodiscard]] const std::uint8_t* counts_of(std::uint32_t slot) const { return &counts[slot * stride]; }

  /// Makes the edges of correspondences. If they hold those of the same patches before, what has not changed is kept.
  void update(const Patches& patches, const PatchGraph& graph, const Correspondences& correspondences, bool symmetric,
              Reuse before, const ExecutionContext& context);
};

}  // namespace burnish::glr
