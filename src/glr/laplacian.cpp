#include "glr/laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/parallel.hpp"

namespace burnish::glr {
namespace {

constexpr std::size_t rows_per_block = 256;

/// All edges of a point together, at most some hundreds of this weight, are less than what rounding does to one edge of
/// weight 1, and less still against μ: they are left out.
constexpr double negligible_weight = 1e-10;

/// Four lanes are one vector where the processor has AVX, two where not; the result is the same.
[[gnu::always_inline]] inline void multiply_rows_body(const PointLaplacian& laplacian, double mu,
                                                      std::span<const Quad> x, std::span<Quad> y, std::size_t begin,
                                                      std::size_t end) {
  using Lanes [[gnu::vector_size(sizeof(Quad))]] = double;
  const PointLaplacian::Entry* entry = laplacian.entries.data() + (begin > 0 ? laplacian.ends[begin - 1] : 0);
  for (std::size_t p = begin; p < end; ++p) {
    const PointLaplacian::Entry* last = laplacian.entries.data() + laplacian.ends[p];
    const auto subtract = [&](const PointLaplacian::Entry& e, Lanes& from) {
      Lanes lanes;
      std::memcpy(&lanes, x[e.column].data(), sizeof lanes);
      from -= lanes * static_cast<double>(e.weight);
    };
    Lanes sum;
    std::memcpy(&sum, x[p].data(), sizeof sum);
    sum *= laplacian.diagonal[p] + mu;
    Lanes a{};  // several sums, so that one addition need not wait for another
    Lanes b{};
    Lanes c{};
    for (; entry + 3 < last; entry += 4) {
      subtract(entry[0], sum);
      subtract(entry[1], a);
      subtract(entry[2], b);
      subtract(entry[3], c);
    }
    for (; entry < last; ++entry) {
      subtract(*entry, sum);
    }
    sum += (a + b) + c;
    std::memcpy(y[p].data(), &sum, sizeof sum);
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void multiply_rows_avx2(const PointLaplacian& laplacian, double mu, std::span<const Quad> x,
                                                std::span<Quad> y, std::size_t begin, std::size_t end) {
  multiply_rows_body(laplacian, mu, x, y, begin, end);
}
#endif

void multiply_rows(const PointLaplacian& laplacian, double mu, std::span<const Quad> x, std::span<Quad> y,
                   std::size_t begin, std::size_t end) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    multiply_rows_avx2(laplacian, mu, x, y, begin, end);
    return;
  }
#endif
  multiply_rows_body(laplacian, mu, x, y, begin, end);
}

/// So many blocks are summed before they are taken over: few enough to stay in the cache.
constexpr std::size_t blocks_at_once = 32;

}  // namespace

struct LaplacianAssembler::Rows {
  std::vector<std::uint32_t> ends;  ///< row → end of its sums
  std::vector<std::uint32_t> columns;
  std::vector<EdgeSum> sums;
};

const PointLaplacian& LaplacianAssembler::assemble(const PointGraph& graph, const NodesOfPoints& nodes,
                                                   const GlrSettings& settings, const ExecutionContext& context) {
  const std::size_t points = nodes.begin.size() - 1;
  prepare(graph, settings, context);
  found_.clear();
  found_ends_.clear();
  laplacian_.diagonal.assign(points, 0.0);
  laplacian_.centring.assign(points, Vec3::Zero());
  laplacian_.ends.assign(points, 0);

  constexpr std::size_t rows_at_once = rows_per_block * blocks_at_once;
  std::vector<Rows> blocks(blocks_at_once);
  for (std::size_t first = 0; first < points; first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, points - first);
    parallel_blocks(context, count, rows_per_block, [&](std::size_t begin, std::size_t end) {
      sum_rows(graph, nodes, first + begin, first + end, blocks[begin / rows_per_block]);
    });
    for (std::size_t begin = 0; begin < count; begin += rows_per_block) {
      take_rows(first + begin, blocks[begin / rows_per_block]);
    }
  }
  mirror_entries();
  const std::vector<double> row_sums = laplacian_.diagonal;
  if (settings.laplacian == Laplacian::normalised) {
    add_normalised_diagonal(graph, context);
  }
  measure(row_sums);
  return laplacian_;
}

void LaplacianAssembler::prepare(const PointGraph& graph, const GlrSettings& settings,
                                 const ExecutionContext& context) {
  const Patches& patches = graph.patches;
  const bool by_degree =
      settings.normalisation == Normalisation::node_degree || settings.laplacian == Laplacian::normalised;
  if (by_degree) {
    scales_ = graph.sums_over_edges(nullptr, context);
  } else {
    scales_.assign(patches.members.size(), 1.0);
  }
  node_ends_.resize(patches.members.size());
  parallel_for(context, patches.members.size(), 4096, [&](std::size_t node) {
    double& scale = scales_[node];
    if (by_degree) {
      scale = scale > 0.0 ? 1.0 / std::sqrt(scale) : 0.0;
    }
    node_ends_[node] = {scale, patches.members[node]};
  });
  std::vector<double> largest_scales(patches.count());
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    const double* scales = &scales_[m * patches.size];
    largest_scales[m] = *std::max_element(scales, scales + patches.size);
  });
  slot_edges_.clear();
  slot_edges_ends_.clear();
  for (std::size_t m = 0; m < patches.count(); ++m) {
    for (std::uint32_t s = graph.patch_graph.begin[m]; s < graph.patch_graph.begin[m + 1]; ++s) {
      const std::uint32_t n = graph.patch_graph.neighbours[s];
      if (graph.weights[s] * largest_scales[m] * largest_scales[n] > negligible_weight) {
        const Vec3 difference = patches.origins[m] - patches.origins[n];
        const EdgeSum unit = {1.0, difference.x(), difference.y(), difference.z()};
        slot_edges_.push_back(SlotEdges{unit, graph.weights[s], graph.edges.partners_of(s),
                                        static_cast<std::uint32_t>(n * patches.size), s});
      }
    }
    slot_edges_ends_.push_back(static_cast<std::uint32_t>(slot_edges_.size()));
  }
}

void LaplacianAssembler::sum_rows(const PointGraph& graph, const NodesOfPoints& nodes, std::size_t begin,
                                  std::size_t end, Rows& rows) const {
  const Correspondences& edges = graph.edges;
  const std::size_t k = graph.patches.size;
  rows.ends.clear();
  rows.columns.clear();
  rows.sums.clear();
  RowSum row;
  struct FoundEdge {
    std::uint32_t entry;  ///< in slot_edges_
    std::uint32_t node;   ///< at the other end
  };
  std::vector<FoundEdge> found;
  for (std::size_t p = begin; p < end; ++p) {
    for (std::uint32_t e = nodes.begin[p]; e < nodes.begin[p + 1]; ++e) {
      const std::uint32_t node = nodes.nodes[e];
      const std::size_t m = node / k;
      const std::size_t i = node - m * k;
      const double own_scale = node_ends_[node].scale;
      const auto add = [&](const SlotEdges& slot, const NodeEnd& other, double share) {
        row.add(other.point, share * slot.weight * own_scale * other.scale, slot.unit);
      };
      const std::uint32_t first = m > 0 ? slot_edges_ends_[m - 1] : 0;
      const std::uint32_t last = slot_edges_ends_[m];
      found.resize(last - first);
      row.reserve(std::size_t{3} * found.size());
      // Some places have no partner, without pattern. Those that have are collected first, without a branch.
      FoundEdge* next = found.data();
      for (std::uint32_t entry = first; entry < last; ++entry) {
        const SlotEdges& slot = slot_edges_[entry];
        const std::uint8_t partner = slot.partners[i];
        *next = {entry, slot.first_node + partner};
        next += partner != Correspondences::no_partner ? 1 : 0;
      }
      for (const FoundEdge* edge = found.data(); edge < next; ++edge) {
        add(slot_edges_[edge->entry], node_ends_[edge->node], 1.0);
      }
      for (std::uint32_t entry = first; entry < last && !edges.interpolations.empty(); ++entry) {
        const SlotEdges& slot = slot_edges_[entry];
        for (const InterpolatedPartner& plane : edges.interpolations_of(slot.slot)) {
          for (std::size_t c = 0; plane.node == i && c < 3; ++c) {
            add(slot, node_ends_[slot.first_node + plane.corners[c]], plane.shares[c]);
          }
        }
      }
    }
    row.take([&](std::uint32_t column, const EdgeSum& sum) {
      if (column != p && sum[0] > 0.0) {  // two nodes of one point pull at nothing
        rows.columns.push_back(column);
        rows.sums.push_back(sum);
      }
    });
    rows.ends.push_back(static_cast<std::uint32_t>(rows.columns.size()));
  }
}

/// Adds sums to both of their points. Not in parallel, so that the order of additions is always the same.
void LaplacianAssembler::take_rows(std::size_t begin, const Rows& rows) {
  std::uint32_t entry = 0;
  for (std::size_t row = 0; row < rows.ends.size(); ++row) {
    const std::size_t p = begin + row;
    for (; entry < rows.ends[row]; ++entry) {
      const std::uint32_t q = rows.columns[entry];
      const EdgeSum& sum = rows.sums[entry];
      const auto weight = static_cast<float>(sum[0]);
      found_.push_back({q, weight});
      laplacian_.diagonal[p] += weight;
      laplacian_.diagonal[q] += weight;
      const Vec3 centring(sum[1], sum[2], sum[3]);
      laplacian_.centring[p] += centring;
      laplacian_.centring[q] -= centring;
      ++laplacian_.ends[q];
    }
    found_ends_.push_back(found_.size());
    laplacian_.ends[p] += found_.size() - (p > 0 ? found_ends_[p - 1] : 0);
  }
}

/// Every entry stands in the row of either point. Their places are known by counting.
void LaplacianAssembler::mirror_entries() {
  std::size_t entries = 0;
  for (std::size_t& end : laplacian_.ends) {
    entries += std::exchange(end, entries);  // now where the row begins; filling moves it to its end
  }
  laplacian_.entries.resize(entries);
  std::size_t entry = 0;
  for (std::uint32_t p = 0; p < found_ends_.size(); ++p) {
    for (; entry < found_ends_[p]; ++entry) {
      const auto [q, weight] = found_[entry];
      laplacian_.entries[laplacian_.ends[p]++] = {q, weight};
      laplacian_.entries[laplacian_.ends[q]++] = {p, weight};
    }
  }
}

/// The diagonal of the normalised L_p is 1, whatever the sum of the row. Edges between two nodes of one point, left out
/// so far, stand on the diagonal too.
void LaplacianAssembler::add_normalised_diagonal(const PointGraph& graph, const ExecutionContext& context) {
  const std::vector<double> sums = graph.sums_over_edges(&scales_, context);
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

void PointLaplacian::multiply(double mu, std::span<const Quad> x, std::span<Quad> y,
                              const ExecutionContext& context) const {
  parallel_blocks(context, diagonal.size(), rows_per_block,
                  [&](std::size_t begin, std::size_t end) { multiply_rows(*this, mu, x, y, begin, end); });
}

}  // namespace burnish::glr
