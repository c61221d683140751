#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "glr/patch_distance.hpp"

namespace burnish::glr {

/// The graph of corresponding points: nodes are the points of the patches, an undirected edge joins a node and its
/// partner. Where two nodes are each other's partner the edge is found from both sides; either side carries half of it.
struct PointGraph {
  const Patches& patches;
  const PatchGraph& patch_graph;
  const Correspondences& correspondences;

  /// slot → weight of an edge that is found from this side only, and what this side carries of one found from both.
  std::vector<std::array<double, 2>> weights;
  std::vector<std::uint8_t> mutual;  ///< slot × place, like the partners → 1 if the edge is found from both sides

  double epsilon = 0.0;             ///< ε of the weights
  double manifold_dimension = 0.0;  ///< Σ w·d²

  /// Calls visit(i, j, weight) for every edge that slot s finds, from place i of its patch to place j of the other.
  template <class Visit>
  void for_each_edge(std::uint32_t s, const Visit& visit) const;

  /// The same for one place i of the patch, with weights given as in `weights`.
  template <class Weights, class Visit>
  void for_each_edge_of(std::uint32_t s, std::size_t i, const Weights& edge_weights, const Visit& visit) const;

  /// Σ weight · values[other end] over all edges of a node, for every node. Without values: the degrees.
  [[nodiscard]] std::vector<double> sums_over_edges(const std::vector<double>* values,
                                                    const ExecutionContext& context) const;
};

/// Makes the graph and weighs its edges: equations 7 and 8. `length` is the unit of lengths among the settings,
/// `iteration` counts from 1.
[[nodiscard]] PointGraph make_point_graph(const Patches& patches, const PatchGraph& patch_graph,
                                          const Correspondences& correspondences, const GlrSettings& settings,
                                          double length, unsigned iteration, const ExecutionContext& context);

template <class Weights, class Visit>
void PointGraph::for_each_edge_of(std::uint32_t s, std::size_t i, const Weights& edge_weights,
                                  const Visit& visit) const {
  const std::uint8_t partner = correspondences.partners_of(s)[i];
  if (partner != Correspondences::no_partner) [[likely]] {
    visit(i, partner, edge_weights[mutual[s * correspondences.stride + i]]);
    return;
  }
  for (const InterpolatedPartner& plane : correspondences.interpolations_of(s)) {
    for (std::size_t c = 0; plane.node == i && c < 3; ++c) {
      visit(i, plane.corners[c], edge_weights[0] * plane.shares[c]);
    }
  }
}

template <class Visit>
void PointGraph::for_each_edge(std::uint32_t s, const Visit& visit) const {
  if (patch_graph.connects[s] != 0 && (weights[s][0] > 0.0 || weights[s][1] > 0.0)) {
    for (std::size_t i = 0; i < patches.size; ++i) {
      for_each_edge_of(s, i, weights[s], visit);
    }
  }
}

}  // namespace burnish::glr
