#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "glr/point_graph.hpp"

namespace burnish::glr {

/// The Laplacian brought from the nodes to the points: SᵀL_pS, a sparse symmetric matrix over the points, and SᵀL_pC.
/// L_p itself is never formed.
struct PointLaplacian {
  /// Off-diagonal entries of consecutive rows.
  struct Rows {
    std::vector<std::uint32_t> ends;  ///< row → end of its entries
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
  };
  static constexpr std::size_t rows_per_block = 256;

  std::vector<double> diagonal;
  std::vector<Rows> blocks;
  std::vector<Vec3> centring;  ///< SᵀL_pC

  double mean_degree = 0.0;     ///< of the diagonal
  double largest_degree = 0.0;  ///< of the diagonal
  /// No eigenvalue is larger: the largest sum of absolute values in a row (Gershgorin).
  double eigenvalue_bound = 0.0;

  /// y = (SᵀL_pS + μI) x
  void multiply(double mu, std::span<const Vec3> x, std::span<Vec3> y, const ExecutionContext& context) const;
};

[[nodiscard]] PointLaplacian assemble(const PointGraph& graph, const NodesOfPoints& nodes, const GlrSettings& settings,
                                      const ExecutionContext& context);

}  // namespace burnish::glr
