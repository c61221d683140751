#include "glr/laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"

namespace burnish::glr {
namespace {

constexpr std::size_t rows_per_block = 256;

/// Edges below this weight are left out: all edges of a point together, at most some hundreds of them, are less than
/// the rounding error of one edge of weight 1, and even less compared with μ.
constexpr double negligible_weight = 1e-10;

/// Rows of a chunk: enough that most entries are between two of them.
constexpr std::size_t rows_per_chunk = 4096;

/// Number of chunks that are summed before sums with points outside of them are added, which limits memory.
constexpr std::size_t chunks_at_once = 16;

}  // namespace

const PointLaplacian& LaplacianAssembler::assemble(const PointGraph& graph, const NodesOfPoints& nodes,
                                                   const GlrSettings& settings, const ExecutionContext& context) {
  const std::size_t points = nodes.begin.size() - 1;
  prepare(graph, settings, context);
  laplacian_.diagonal.resize(points);
  laplacian_.centring.assign(points, Vec3::Zero());
  laplacian_.begins.resize(points);
  laplacian_.ends.resize(points);

  chunks_.resize((points + rows_per_chunk - 1) / rows_per_chunk);
  for (std::size_t first = 0; first < chunks_.size(); first += chunks_at_once) {
    const std::size_t last = std::min(first + chunks_at_once, chunks_.size());
    parallel_for(context, last - first, 1, [&](std::size_t c) {
      RowSum row = borrow_row();
      sum_rows(graph, nodes, (first + c) * rows_per_chunk, row, chunks_[first + c]);
      give_back(std::move(row));
    });
    for (std::size_t c = first; c < last; ++c) {
      sum_outside(chunks_[c]);
    }
  }
  place_rows(context);
  const std::vector<double> row_sums = laplacian_.diagonal;
  if (settings.laplacian == Laplacian::normalised) {
    add_normalised_diagonal(graph, context);
  }
  measure(row_sums);
  return laplacian_;
}

RowSum LaplacianAssembler::borrow_row() {
  const std::lock_guard guard(lock_);
  if (idle_rows_.empty()) {
    return {};
  }
  RowSum row = std::move(idle_rows_.back());
  idle_rows_.pop_back();
  return row;
}

void LaplacianAssembler::give_back(RowSum row) {
  const std::lock_guard guard(lock_);
  idle_rows_.push_back(std::move(row));
}

void LaplacianAssembler::prepare(const PointGraph& graph, const GlrSettings& settings,
                                 const ExecutionContext& context) {
  const Patches& patches = graph.patches;
  const PatchGraph& patch_graph = graph.patch_graph;
  std::vector<double> largest_scales(patches.count(), 1.0);
  if (settings.normalisation == Normalisation::node_degree || settings.laplacian == Laplacian::normalised) {
    scales_.resize(patches.members.size());
    parallel_for(context, patches.count(), 256, [&](std::size_t m) {
      double* scales = &scales_[m * patches.size];
      graph.degrees(m, scales);
      for (std::size_t i = 0; i < patches.size; ++i) {
        scales[i] = scales[i] > 0.0 ? 1.0 / std::sqrt(scales[i]) : 0.0;
      }
      largest_scales[m] = *std::max_element(scales, scales + patches.size);
    });
  } else {
    scales_.assign(patches.members.size(), 1.0);
  }
  node_ends_.resize(patches.members.size());
  parallel_for(context, patches.members.size(), 4096, [&](std::size_t node) {
    node_ends_[node] = {scales_[node], patches.members[node]};
  });
  slot_ends_.resize(patch_graph.slots());
  units_.resize(patch_graph.slots());
  slots_with_edges_.resize(patches.count());
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    std::uint32_t end = patch_graph.begin[m];
    for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
      const std::uint32_t n = patch_graph.neighbours[s];
      if (graph.weights[s] * largest_scales[m] * largest_scales[n] > negligible_weight) {
        const Vec3 difference = patches.origins[m] - patches.origins[n];
        const EdgeSum unit = {1.0, difference.x(), difference.y(), difference.z()};
        slot_ends_[end] = {s, static_cast<std::uint32_t>(n * patches.size)};
        units_[end++] = graph.weights[s] * unit;
      }
    }
    slots_with_edges_[m] = end;
  });
}

void LaplacianAssembler::sum_rows(const PointGraph& graph, const NodesOfPoints& nodes, std::size_t first, RowSum& row,
                                  Chunk& chunk) {
  const PointEdges& edges = graph.edges;
  const NodeEnd* node_ends = node_ends_.data();
  const SlotEnd* slot_ends = slot_ends_.data();
  const EdgeSum* units = units_.data();
  const std::size_t stride = edges.stride;
  const auto k = static_cast<std::uint32_t>(graph.patches.size);
  const std::size_t rows = std::min(rows_per_chunk, laplacian_.diagonal.size() - first);
  chunk.found.clear();
  chunk.found_ends.clear();
  chunk.outside.clear();
  chunk.outside_sums.clear();
  chunk.other_found.assign(rows, 0);
  row.set_columns(laplacian_.diagonal.size());
  struct Edge {
    double own_scale;
    std::uint32_t unit;
    std::uint32_t other;  ///< the node at the other end
  };
  std::vector<Edge> edges_of_point;
  for (std::size_t p = first; p < first + rows; ++p) {
    // All edges of the point are listed before any is added, so that the other ends are prefetched.
    std::size_t edge_count = 0;
    for (std::uint32_t e = nodes.begin[p]; e < nodes.begin[p + 1]; ++e) {
      const std::uint32_t node = nodes.nodes[e];
      const std::uint32_t m = node / k;
      const std::uint8_t* partners = edges.partners.data() + (node - m * k);
      const double own_scale = node_ends[node].scale;
      const std::uint32_t slots_begin = graph.patch_graph.begin[m];
      const std::uint32_t slots_end = slots_with_edges_[m];
      if (edges_of_point.size() < edge_count + (slots_end - slots_begin)) {
        edges_of_point.resize(2 * (edge_count + (slots_end - slots_begin)));
      }
      Edge* const list = edges_of_point.data();
      for (std::uint32_t s = slots_begin; s < slots_end; ++s) {
        const std::uint8_t partner = partners[slot_ends[s].slot * stride];
        const std::uint32_t other = slot_ends[s].first_node + partner;
        __builtin_prefetch(node_ends + other);
        // Whether a point has a partner is unpredictable, hence no branch.
        list[edge_count] = {own_scale, s, other};
        edge_count += partner != edges.none ? 1 : 0;
      }
    }
    row.add(
        edge_count, [&](std::size_t n) __attribute__((always_inline)) {
          const Edge& edge = edges_of_point[n];
          const NodeEnd& other = node_ends[edge.other];
          return RowSum::Edge{other.point, edge.own_scale * other.scale, units[edge.unit]};
        });
    if (!graph.correspondences.interpolations.empty()) {
      add_interpolations(graph, nodes, p, row);
    }
    Vec3& centring = laplacian_.centring[p];
    row.take([&](std::uint32_t column, const EdgeSum& sum) {
      if (column == p || !(sum[0] > 0.0)) {  // two nodes of one point pull at nothing
        return;
      }
      const PointLaplacian::Entry entry{column, static_cast<float>(sum[0])};
      chunk.found.push_back(entry);
      const Vec3 pull(sum[1], sum[2], sum[3]);
      centring += pull;
      if (column - first < rows) {
        laplacian_.centring[column] -= pull;
        ++chunk.other_found[column - first];
      } else {
        chunk.outside.push_back({entry, static_cast<std::uint32_t>(p)});
        chunk.outside_sums.push_back(sum);
      }
    });
    chunk.found_ends.push_back(static_cast<std::uint32_t>(chunk.found.size()));
  }
}

/// Adds the edges of a point whose partners are planes.
void LaplacianAssembler::add_interpolations(const PointGraph& graph, const NodesOfPoints& nodes, std::size_t p,
                                            RowSum& row) const {
  for (std::uint32_t e = nodes.begin[p]; e < nodes.begin[p + 1]; ++e) {
    const std::uint32_t node = nodes.nodes[e];
    const std::size_t m = node / graph.patches.size;
    for (std::uint32_t s = graph.patch_graph.begin[m]; s < slots_with_edges_[m]; ++s) {
      for (const InterpolatedPartner& plane : graph.correspondences.interpolations_of(slot_ends_[s].slot)) {
        if (plane.node == node - m * graph.patches.size) {
          row.add(3, [&](std::size_t c) {
            const NodeEnd& other = node_ends_[slot_ends_[s].first_node + plane.corners[c]];
            return RowSum::Edge{other.point, plane.shares[c] * node_ends_[node].scale * other.scale, units_[s]};
          });
        }
      }
    }
  }
}

/// Sequential, so that the order of additions is always the same.
void LaplacianAssembler::sum_outside(const Chunk& chunk) {
  for (std::size_t i = 0; i < chunk.outside.size(); ++i) {
    const std::uint32_t q = chunk.outside[i].entry.column;
    const EdgeSum& sum = chunk.outside_sums[i];
    laplacian_.centring[q] -= Vec3(sum[1], sum[2], sum[3]);
  }
}

/// Every entry is in the rows of both of its points. Their positions are computed by counting.
void LaplacianAssembler::place_rows(const ExecutionContext& context) {
  for (const Chunk& chunk : chunks_) {
    for (const Chunk::Outside& outside : chunk.outside) {
      ++chunks_[outside.entry.column / rows_per_chunk].other_found[outside.entry.column % rows_per_chunk];
    }
  }
  std::size_t entries = 0;
  for (std::size_t p = 0; p < laplacian_.begins.size(); ++p) {
    const Chunk& chunk = chunks_[p / rows_per_chunk];
    const std::size_t row = p % rows_per_chunk;
    laplacian_.begins[p] = entries;
    const std::size_t own = chunk.found_ends[row] - (row > 0 ? chunk.found_ends[row - 1] : 0);
    laplacian_.ends[p] = entries + own;
    entries += own + chunk.other_found[row];
  }
  laplacian_.entries.resize(entries);

  parallel_for(context, chunks_.size(), 1, [&](std::size_t c) {
    const Chunk& chunk = chunks_[c];
    const std::size_t first = c * rows_per_chunk;
    const std::size_t rows = chunk.found_ends.size();
    std::size_t entry = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      PointLaplacian::Entry* own = laplacian_.entries.data() + laplacian_.begins[first + row];
      for (; entry < chunk.found_ends[row]; ++entry) {
        const auto [column, weight] = chunk.found[entry];
        *own++ = {column, weight};
        if (column - first < rows) {
          laplacian_.entries[laplacian_.ends[column]++] = {static_cast<std::uint32_t>(first + row), weight};
        }
      }
    }
  });
  for (const Chunk& chunk : chunks_) {
    for (const Chunk::Outside& outside : chunk.outside) {
      laplacian_.entries[laplacian_.ends[outside.entry.column]++] = {outside.row, outside.entry.weight};
    }
  }
  parallel_blocks(context, laplacian_.begins.size(), rows_per_block, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint16_t> places(4096, 0);
    std::size_t to = laplacian_.begins[begin];
    for (std::size_t p = begin; p < end; ++p) {
      to = merge_row(p, to, places);
    }
  });
}

/// A column comes twice in a row if edges were found from either point: makes that one entry, and sums up the row. It
/// moves forward to `first`, where the row before it ends, because the solver reads fastest what has no gaps; returns
/// its end. `places` says for a column where to look for it first; what it held before does not matter.
std::size_t LaplacianAssembler::merge_row(std::size_t p, std::size_t first, std::vector<std::uint16_t>& places) {
  const PointLaplacian::Entry* const found = laplacian_.entries.data() + laplacian_.begins[p];
  PointLaplacian::Entry* const row = laplacian_.entries.data() + first;
  const std::size_t count = laplacian_.ends[p] - laplacian_.begins[p];
  const std::size_t mask = places.size() - 1;
  const bool many = count > 0xFFFF;  // more than places can number: they stay as they are
  std::size_t end = many ? count : 0;
  if (many) {
    std::copy_n(found, count, row);
  }
  for (std::size_t i = end; i < count; ++i) {
    const PointLaplacian::Entry entry = found[i];
    std::uint16_t& place = places[entry.column & mask];
    const bool again = place < end && row[place].column == entry.column;  // a coin toss, so no branch on it
    const std::size_t to = again ? place : end;
    row[to] = {entry.column, entry.weight + (again ? row[to].weight : 0.0F)};
    place = static_cast<std::uint16_t>(to);
    end += again ? 0 : 1;
  }
  laplacian_.begins[p] = first;
  laplacian_.ends[p] = first + end;
  double sum = 0.0;
  for (std::size_t i = 0; i < end; ++i) {
    sum += row[i].weight;
  }
  laplacian_.diagonal[p] = sum;
  return first + end;
}

/// The diagonal of the normalised L_p is 1, whatever the sum of the row. Edges between two nodes of one point, left out
/// so far, stand on the diagonal too.
void LaplacianAssembler::add_normalised_diagonal(const PointGraph& graph, const ExecutionContext& context) {
  const std::vector<double> sums = graph.sums_over_edges(scales_, context);
  for (std::size_t node = 0; node < sums.size(); ++node) {
    if (scales_[node] > 0.0) {
      const double missing = 1.0 - scales_[node] * sums[node];
      const std::uint32_t p = graph.patches.members[node];
      laplacian_.diagonal[p] += missing;
      laplacian_.centring[p] += missing * graph.patches.origins[node / graph.patches.size];
    }
  }
}

void LaplacianAssembler::measure(const std::vector<double>& row_sums) {
  double sum = 0.0;
  laplacian_.largest_degree = 0.0;
  laplacian_.eigenvalue_bound = 0.0;
  for (std::size_t p = 0; p < row_sums.size(); ++p) {
    const double degree = laplacian_.diagonal[p];
    sum += degree;
    laplacian_.largest_degree = std::max(laplacian_.largest_degree, degree);
    laplacian_.eigenvalue_bound = std::max(laplacian_.eigenvalue_bound, std::abs(degree) + row_sums[p]);
  }
  laplacian_.mean_degree = sum / static_cast<double>(row_sums.size());
}

}  // namespace burnish::glr
