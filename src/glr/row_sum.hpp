#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace burnish::glr {

/// What an edge of weight w between patches m and n adds to the row of its point in m: w, and the three coordinates of
/// w·(c_m − c_n). Or the sum of that over the edges between two points. The compiler's own vector, because it takes a
/// write through one of Eigen's for a possible write to anything.
using EdgeSum [[gnu::vector_size(4 * sizeof(double))]] = double;

/// The edges of one point while they are collected: some dozens of entries from hundreds of edges. Every column knows
/// its place in the row, so nothing is searched for.
class RowSum {
 public:
  struct Edge {
    std::uint32_t column;
    double factor;
    const EdgeSum& unit;  ///< what an edge of factor 1 adds
  };

  /// For columns below `count`.
  void set_columns(std::size_t count) {
    if (places_.size() != count) {
      places_.assign(count, 0);
      first_place_ = 1;
    }
  }

  /// Adds edge(0), …, edge(edges − 1).
  template <class EdgeAt>
  [[gnu::always_inline]] void add(std::size_t edges, const EdgeAt& edge) {
    if (columns_.size() < count_ + edges) {
      columns_.resize(2 * (count_ + edges));
      sums_.resize(2 * (count_ + edges), EdgeSum{});
    }
    std::uint32_t* const places = places_.data();
    std::uint32_t* const columns = columns_.data();
    EdgeSum* const sums = sums_.data();
    const std::uint32_t first_place = first_place_;
    std::uint32_t count = count_;
    for (std::size_t i = 0; i < edges; ++i) {
      const Edge e = edge(i);
      // Places of earlier rows are below the first one of this row, so that the difference is huge. Whether a column is
      // new is a coin toss: no branch on it, which keeps the processor from guessing wrong.
      const std::uint32_t known = places[e.column] - first_place;
      const std::uint32_t place = known < count ? known : count;
      count += place == count ? 1 : 0;
      places[e.column] = first_place + place;
      columns[place] = e.column;
      sums[place] += e.factor * e.unit;
    }
    count_ = count;
  }

  /// Calls visit(column, sum) in the order the columns first came, and empties the row.
  template <class Visit>
  [[gnu::always_inline]] void take(const Visit& visit) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      visit(columns_[i], sums_[i]);
      sums_[i] = EdgeSum{};
    }
    first_place_ += count_;
    count_ = 0;
    if (first_place_ > 0x7FFFFFFF) {
      std::ranges::fill(places_, 0U);
      first_place_ = 1;
    }
  }

 private:
  std::vector<std::uint32_t> places_;   ///< column → its place in the row it was last in, counted on from row to row
  std::vector<std::uint32_t> columns_;  ///< of this row
  std::vector<EdgeSum> sums_;           ///< beside the columns; zero behind
  std::uint32_t first_place_ = 1;
  std::uint32_t count_ = 0;
};

}  // namespace burnish::glr
