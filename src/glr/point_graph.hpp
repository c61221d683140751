#pragma once

#include <cstdint>
#include <vector>

#include "glr/patch_distance.hpp"

namespace burnish::glr {

/// The graph of corresponding points: nodes are the points of the patches, an undirected edge joins a node and its
/// partner. Where two nodes are each other's partner:
/// - with a symmetric distance, a patch pair is the mean of its two directions; the edge is there twice, and every edge
///   of the pair has half of the pair's weight;
/// - where directions stand alone, the edge is there once, with the weight of the patch that was chosen later.
struct PointGraph {
  const Patches& patches;
  const PatchGraph& patch_graph;
  const Correspondences& edges;
  const std::vector<std::uint8_t>& partners;  ///< of the edges that are there, laid out as in the correspondences

  std::vector<double> weights;      ///< slot → weight of its edges
  double epsilon = 0.0;             ///< ε of the weights
  double manifold_dimension = 0.0;  ///< Σ w·d²

  [[nodiscard]] const std::uint8_t* partners_of(std::uint32_t slot) const { return &partners[slot * edges.stride]; }

  /// Σ weight · values[other end] over all edges of a node, for every node. Without values: the degrees.
  [[nodiscard]] std::vector<double> sums_over_edges(const std::vector<double>* values,
                                                    const ExecutionContext& context) const;
};

/// Makes the graph and weighs its edges: equations 7 and 8. Second edges are removed in a copy of the partners, which
/// the correspondences keep. `length` is the unit of lengths among the settings, `iteration` counts from 1.
[[nodiscard]] PointGraph make_point_graph(const Patches& patches, const PatchGraph& patch_graph,
                                          Correspondences& correspondences, const GlrSettings& settings, double length,
                                          unsigned iteration, const ExecutionContext& context);

}  // namespace burnish::glr
