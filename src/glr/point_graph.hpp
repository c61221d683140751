#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "glr/patch_distance.hpp"

namespace burnish::glr {

/// The graph of corresponding points: nodes are the points of the patches, an undirected edge joins a node and its
/// partner. Where two nodes are each other's partner there is one edge.
struct PointGraph {
  const Patches& patches;
  const PatchGraph& patch_graph;
  const Correspondences& correspondences;

  std::vector<double> weights;  ///< slot → weight of the edges it makes

  double epsilon = 0.0;
  double manifold_dimension = 0.0;  ///< Σ w·d²

  /// Calls visit(n, j, weight) for every edge of node (m, i); (n, j) is the node at its other end.
  template <class Visit>
  void for_each_edge(std::size_t m, std::size_t i, const Visit& visit) const;
};

/// Weighs the edges: equations 7 and 8. `length` is the unit of lengths among the settings, `iteration` counts from 1.
[[nodiscard]] PointGraph weigh_edges(const Patches& patches, const PatchGraph& patch_graph,
                                     const Correspondences& correspondences, const GlrSettings& settings,
                                     double length, unsigned iteration, const ExecutionContext& context);

/// Calls visit(j) for every j with row[j] == value; `stride` is a multiple of 8.
template <class Visit>
void for_each_equal_byte(const std::uint8_t* row, std::size_t stride, std::uint8_t value, const Visit& visit) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t low_bits = 0x7F7F7F7F7F7F7F7F;
  for (std::size_t begin = 0; begin < stride; begin += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, row + begin, 8);
    word ^= 0x0101010101010101 * value;
    // The highest bit of every byte that has become zero.
    std::uint64_t equal = ~(((word & low_bits) + low_bits) | word | low_bits);
    for (; equal != 0; equal &= equal - 1) {
      visit(begin + static_cast<std::size_t>(std::countr_zero(equal)) / 8);
    }
  }
}

template <class Visit>
void PointGraph::for_each_edge(std::size_t m, std::size_t i, const Visit& visit) const {
  for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
    const std::uint32_t r = patch_graph.reverse[s];
    const double weight_out = weights[s];
    const double weight_in = weights[r];
    if (weight_out == 0.0 && weight_in == 0.0) {
      continue;
    }
    const std::uint32_t n = patch_graph.neighbours[s];
    const std::uint8_t partner = correspondences.partners_of(s)[i];
    const std::uint8_t* row_in = correspondences.partners_of(r);

    if (partner != Correspondences::no_partner) {
      // Of an edge found from both sides, the direction from the patch that was chosen later counts.
      const bool mutual = row_in[partner] == i;
      const bool in_counts = mutual && patches.ranks[n] > patches.ranks[m];
      visit(n, partner, in_counts ? weight_in : weight_out);
    }
    for_each_equal_byte(row_in, correspondences.stride, static_cast<std::uint8_t>(i), [&](std::size_t j) {
      if (j != partner) {
        visit(n, j, weight_in);
      }
    });
    for (const InterpolatedPartner& plane : correspondences.interpolations_of(s)) {
      for (std::size_t c = 0; plane.node == i && c < 3; ++c) {
        visit(n, plane.corners[c], weight_out * plane.shares[c]);
      }
    }
    for (const InterpolatedPartner& plane : correspondences.interpolations_of(r)) {
      for (std::size_t c = 0; c < 3; ++c) {
        if (plane.corners[c] == i) {
          visit(n, plane.node, weight_in * plane.shares[c]);
        }
      }
    }
  }
}

}  // namespace burnish::glr
