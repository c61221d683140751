#include "glr/laplacian.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace burnish::glr {
namespace {

/// One row of the matrix while edges are added to it: a small hash table from column to value.
class RowSum {
 public:
  RowSum() : keys_(1024, empty), sums_(1024) {}

  void add(std::uint32_t column, double value) {
    std::size_t place = column & (keys_.size() - 1);
    while (keys_[place] != column) {
      if (keys_[place] == empty) {
        if (2 * used_.size() >= keys_.size()) {
          grow();
          add(column, value);
          return;
        }
        keys_[place] = column;
        sums_[place] = 0.0;
        used_.push_back(static_cast<std::uint32_t>(place));
        break;
      }
      place = (place + 1) & (keys_.size() - 1);
    }
    sums_[place] += value;
  }

  /// Calls visit(column, value) in the order the columns came, and empties the row.
  template <class Visit>
  void take(const Visit& visit) {
    for (const std::uint32_t place : used_) {
      visit(keys_[place], sums_[place]);
      keys_[place] = empty;
    }
    used_.clear();
  }

 private:
  static constexpr std::uint32_t empty = 0xFFFFFFFF;

  void grow() {
    std::vector<std::pair<std::uint32_t, double>> entries;
    take([&](std::uint32_t column, double value) { entries.emplace_back(column, value); });
    keys_.assign(2 * keys_.size(), empty);
    sums_.resize(keys_.size());
    for (const auto& [column, value] : entries) {
      add(column, value);
    }
  }

  std::vector<std::uint32_t> keys_;
  std::vector<double> sums_;
  std::vector<std::uint32_t> used_;
};

/// D^−1/2 over the nodes; 0 for a node without edges.
std::vector<double> inverse_root_degrees(const PointGraph& graph, const ExecutionContext& context) {
  std::vector<double> result(graph.patches.members.size());
  parallel_for(context, graph.patches.count(), 256, [&](std::size_t m) {
    for (std::size_t i = 0; i < graph.patches.size; ++i) {
      double degree = 0.0;
      graph.for_each_edge(m, i, [&](std::size_t, std::size_t, double weight) { degree += weight; });
      result[m * graph.patches.size + i] = degree > 0.0 ? 1.0 / std::sqrt(degree) : 0.0;
    }
  });
  return result;
}

/// Adds up the diagonal, its maximum and the row bound, block by block.
struct DegreeStatistics {
  double sum = 0.0;
  double largest = 0.0;
  double bound = 0.0;

  DegreeStatistics& operator+=(const DegreeStatistics& other) {
    sum += other.sum;
    largest = std::max(largest, other.largest);
    bound = std::max(bound, other.bound);
    return *this;
  }
};

}  // namespace

PointLaplacian assemble(const PointGraph& graph, const NodesOfPoints& nodes, const GlrSettings& settings,
                        const ExecutionContext& context) {
  const Patches& patches = graph.patches;
  const std::size_t k = patches.size;
  const std::size_t points = nodes.begin.size() - 1;
  const bool normalised = settings.laplacian == Laplacian::normalised;
  const bool by_node_degree = settings.normalisation == Normalisation::node_degree || normalised;
  const std::vector<double> scale =
      by_node_degree ? inverse_root_degrees(graph, context) : std::vector<double>(patches.members.size(), 1.0);

  PointLaplacian result;
  result.diagonal.resize(points);
  result.centring.resize(points);
  result.blocks.resize((points + PointLaplacian::rows_per_block - 1) / PointLaplacian::rows_per_block);

  const auto assemble_rows = [&](std::size_t begin, std::size_t end) {
    PointLaplacian::Rows& rows = result.blocks[begin / PointLaplacian::rows_per_block];
    DegreeStatistics statistics;
    RowSum row;
    for (std::size_t p = begin; p < end; ++p) {
      double diagonal = 0.0;
      Vec3 centring = Vec3::Zero();
      for (std::uint32_t e = nodes.begin[p]; e < nodes.begin[p + 1]; ++e) {
        const std::uint32_t node = nodes.nodes[e];
        const std::size_t m = node / k;
        double degree = 0.0;
        graph.for_each_edge(m, node % k, [&](std::size_t n, std::size_t j, double weight) {
          const double w = weight * scale[node] * scale[n * k + j];
          row.add(patches.members[n * k + j], -w);
          centring -= w * patches.origins[n];
          degree += w;
        });
        const double own = normalised ? (degree > 0.0 ? 1.0 : 0.0) : degree;
        diagonal += own;
        centring += own * patches.origins[m];
      }
      double absolute_sum = 0.0;
      row.take([&](std::uint32_t column, double value) {
        if (column == p) {  // two nodes of one point: no edge between points
          diagonal += value;
        } else {
          rows.columns.push_back(column);
          rows.values.push_back(value);
          absolute_sum += std::abs(value);
        }
      });
      rows.ends.push_back(static_cast<std::uint32_t>(rows.columns.size()));
      result.diagonal[p] = diagonal;
      result.centring[p] = centring;
      statistics += {diagonal, diagonal, std::abs(diagonal) + absolute_sum};
    }
    return statistics;
  };
  const auto statistics =
      parallel_sum(context, points, PointLaplacian::rows_per_block, DegreeStatistics{}, assemble_rows);
  result.mean_degree = statistics.sum / static_cast<double>(points);
  result.largest_degree = statistics.largest;
  result.eigenvalue_bound = statistics.bound;
  return result;
}

void PointLaplacian::multiply(double mu, std::span<const Vec3> x, std::span<Vec3> y,
                              const ExecutionContext& context) const {
  parallel_blocks(context, diagonal.size(), rows_per_block, [&](std::size_t begin, std::size_t end) {
    const Rows& rows = blocks[begin / rows_per_block];
    std::uint32_t e = 0;
    for (std::size_t p = begin; p < end; ++p) {
      Vec3 sum = (diagonal[p] + mu) * x[p];
      for (; e < rows.ends[p - begin]; ++e) {
        sum += rows.values[e] * x[rows.columns[e]];
      }
      y[p] = sum;
    }
  });
}

}  // namespace burnish::glr
