#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "glr/point_graph.hpp"
#include "glr/row_sum.hpp"

namespace burnish::glr {

/// x, y, z and a zero: one vector of four doubles.
using Quad = Eigen::Array4d;

/// The Laplacian over the points instead of the nodes: SᵀL_pS, a sparse symmetric matrix, and SᵀL_pC. L_p itself is
/// never formed.
struct PointLaplacian {
  /// An off-diagonal entry is −weight. Single precision halves the data read by the solver; the diagonal is the sum of
  /// the rounded weights, so that this is still the Laplacian of a graph.
  struct Entry {
    std::uint32_t column;
    float weight;
  };

  std::vector<double> diagonal;
  std::vector<Entry> entries;       ///< row by row, with gaps between blocks of rows
  std::vector<std::size_t> begins;  ///< row → its first entry
  std::vector<std::size_t> ends;    ///< row → end of its entries

  std::vector<Vec3> centring;  ///< SᵀL_pC

  double mean_degree = 0.0;     ///< of the diagonal
  double largest_degree = 0.0;  ///< of the diagonal
  /// No eigenvalue is larger: the largest sum of absolute values in a row (Gershgorin).
  double eigenvalue_bound = 0.0;

  /// y = (SᵀL_pS + μI) x
  void multiply(double mu, std::span<const Quad> x, std::span<Quad> y, const ExecutionContext& context) const;
};

/// Assembles Laplacians, one after the other, in the same memory.
class LaplacianAssembler {
 public:
  /// The result is valid until the next call.
  const PointLaplacian& assemble(const PointGraph& graph, const NodesOfPoints& nodes, const GlrSettings& settings,
                                 const ExecutionContext& context);

  /// Adds to the diagonal of the last assembled matrix: more fidelity for some points than for others.
  void add_to_diagonal(std::span<const double> added) {
    for (std::size_t p = 0; p < added.size(); ++p) {
      laplacian_.diagonal[p] += added[p];
    }
  }

  /// D^−1/2 of every node in what was assembled last, or 1 where weights stay as they are.
  [[nodiscard]] std::span<const double> scales() const { return scales_; }

 private:
  /// A node as the other end of an edge sees it.
  struct NodeEnd {
    double scale;  ///< D^−1/2 of the node, or 1 where weights stay as they are
    std::uint32_t point;
  };

  /// A slot with edges, as needed for these. Small, because every node of a patch reads all of them.
  struct SlotEnd {
    std::uint32_t slot;
    std::uint32_t first_node;  ///< of the other patch
  };

  /// Consecutive rows, the work of one thread. Edges are found from one of their points; what they add to the other is
  /// added at once where that is among the rows too, and later where not.
  struct Chunk {
    struct Outside {
      PointLaplacian::Entry entry;  ///< as the row has it
      std::uint32_t row;
    };
    std::vector<PointLaplacian::Entry> found;  ///< row by row
    std::vector<std::uint32_t> found_ends;
    std::vector<Outside> outside;            ///< those found whose column is not among the rows
    std::vector<EdgeSum> outside_sums;       ///< all of what they add
    std::vector<std::uint32_t> other_found;  ///< row → how often its point is the other one
  };

  [[nodiscard]] RowSum borrow_row();
  void give_back(RowSum row);
  void prepare(const PointGraph& graph, const GlrSettings& settings, const ExecutionContext& context);
  void sum_rows(const PointGraph& graph, const NodesOfPoints& nodes, std::size_t first, RowSum& row, Chunk& chunk);
  void add_interpolations(const PointGraph& graph, const NodesOfPoints& nodes, std::size_t p, RowSum& row) const;
  void sum_outside(const Chunk& chunk);
  void place_rows(const ExecutionContext& context);
  std::size_t merge_row(std::size_t p, std::size_t first, std::vector<std::uint16_t>& places);
  void add_normalised_diagonal(const PointGraph& graph, const ExecutionContext& context);
  void measure(const std::vector<double>& row_sums);

  std::vector<double> scales_;
  std::vector<NodeEnd> node_ends_;
  std::vector<SlotEnd> slot_ends_;               ///< patch by patch, from the patch's first slot on
  std::vector<EdgeSum> units_;                   ///< beside them: what an edge between nodes of degree 1 adds
  std::vector<std::uint32_t> slots_with_edges_;  ///< patch → end of its entries
  std::vector<Chunk> chunks_;
  std::mutex lock_;
  std::vector<RowSum> idle_rows_;  ///< they know all columns, which takes memory: one for each thread
  PointLaplacian laplacian_;
};

}  // namespace burnish::glr
