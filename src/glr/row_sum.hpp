#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace burnish::glr {

/// What an edge of weight w between patches m and n adds to the row of its point in m: w, and the three coordinates of
/// w·(c_m − c_n). Or the sum of that over the edges between two points. The compiler's own vector, because it takes a
/// write through one of Eigen's for a possible write to anything.
using EdgeSum [[gnu::vector_size(4 * sizeof(double))]] = double;

/// The edges of one point while they are collected: a small hash table from the other point to their sum. A row has
/// some dozens of entries, collected from hundreds of edges, so this stays in the first-level cache.
class RowSum {
 public:
  struct Edge {
    std::uint32_t column;
    double factor;
    const EdgeSum& unit;  ///< what an edge of factor 1 adds
  };

  RowSum() : columns_(1024, empty), sums_(1024), used_(1024) {}

  /// Adds edge(0), …, edge(edges − 1).
  template <class EdgeAt>
  [[gnu::always_inline]] void add(std::size_t edges, const EdgeAt& edge) {
    while (2 * (count_ + edges) > columns_.size()) {
      grow();
    }
    std::uint32_t* const columns = columns_.data();
    EdgeSum* const sums = sums_.data();
    std::uint32_t* const used = used_.data();
    const std::size_t mask = columns_.size() - 1;
    std::size_t count = count_;
    for (std::size_t i = 0; i < edges; ++i) {
      const Edge e = edge(i);
      std::size_t place = e.column & mask;  // neighbouring points have neighbouring numbers: hardly any collisions
      // Whether the column is new is a coin toss, so it is not asked: that keeps the processor from guessing wrong. (A
      // product is 0 if one of two is; written as a condition, compilers make two questions of it.)
      while (std::uint64_t{columns[place] ^ e.column} * (columns[place] ^ empty) != 0) {
        place = (place + 1) & mask;
      }
      used[count] = static_cast<std::uint32_t>(place);
      count += columns[place] == empty ? 1 : 0;
      columns[place] = e.column;
      sums[place] += e.factor * e.unit;
    }
    count_ = count;
  }

  /// Calls visit(column, sum) in the order the columns first came, and empties the row.
  template <class Visit>
  [[gnu::always_inline]] void take(const Visit& visit) {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t place = used_[i];
      visit(columns_[place], sums_[place]);
      columns_[place] = empty;
      sums_[place] = EdgeSum{};
    }
    count_ = 0;
  }

 private:
  static constexpr std::uint32_t empty = 0xFFFFFFFF;

  void grow() {
    RowSum larger;
    larger.columns_.assign(2 * columns_.size(), empty);
    larger.sums_.resize(2 * columns_.size());
    larger.used_.resize(2 * columns_.size());
    take([&](std::uint32_t column, const EdgeSum& sum) {
      larger.add(1, [&](std::size_t) { return Edge{column, 1.0, sum}; });
    });
    *this = std::move(larger);
  }

  std::vector<std::uint32_t> columns_;
  std::vector<EdgeSum> sums_;
  std::vector<std::uint32_t> used_;  ///< places in use, in the order they were taken; one spare
  std::size_t count_ = 0;
};

}  // namespace burnish::glr
