#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glr/patch_distance.hpp"
#include "glr/point_edges.hpp"

namespace burnish::glr {

/// The graph of corresponding points: nodes are the points of the patches, an undirected edge joins a node and its
/// partner, or the corners of the plane that is its partner. With a symmetric distance every edge of a patch pair has
/// half of the pair's weight.
struct PointGraph {
  const Patches& patches;
  const PatchGraph& patch_graph;
  const Correspondences& correspondences;  ///< for the planes
  const PointEdges& edges;

  std::vector<double> weights;      ///< slot → weight of its edges
  double epsilon = 0.0;             ///< ε of the weights
  double manifold_dimension = 0.0;  ///< Σ w·d²

  /// Σ weight over all edges of a node, for the nodes of patch m.
  void degrees(std::size_t m, double* degrees) const;

  /// Σ weight · values[other end] over all edges of a node, for every node.
  [[nodiscard]] std::vector<double> sums_over_edges(const std::vector<double>& values,
                                                    const ExecutionContext& context) const;
};

/// Makes the graph and weighs its edges: equations 7 and 8. `length` is the unit of lengths among the settings,
/// `iteration` counts from 1. Where the noise differs from place to place, `noise` has the variance of the noise of
/// every patch relative to that of the whole, and distances count in units of it.
[[nodiscard]] PointGraph make_point_graph(const Patches& patches, const PatchGraph& patch_graph,
                                          const Correspondences& correspondences, const PointEdges& edges,
                                          const GlrSettings& settings, double length, unsigned iteration,
                                          const ExecutionContext& context, std::span<const double> noise = {});

}  // namespace burnish::glr
