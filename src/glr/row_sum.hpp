#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace burnish::glr {

/// What an edge of weight w between patches m and n adds, divided by w: 1, and the three coordinates of c_m − c_n. Or
/// the sum of that over the edges between two points. The compiler's own vector, because it takes a write through one
/// of Eigen's for a possible write to anything.
using EdgeSum [[gnu::vector_size(4 * sizeof(double))]] = double;

/// The edges of one point while they are collected: a small hash table from the other point to their sum. A row has
/// some dozens of entries, collected from hundreds of edges, so this stays in the first-level cache.
class RowSum {
 public:
  RowSum() : keys_(512, empty), sums_(512), used_(512) {}

  /// Makes room for some more columns; to be called before adding that many edges.
  void reserve(std::size_t more) {
    while (2 * (count_ + more) > keys_.size()) {
      grow();
    }
  }

  void add(std::uint32_t column, double weight, const EdgeSum& unit) {
    const std::size_t mask = keys_.size() - 1;
    std::size_t place = column & mask;  // neighbouring points have neighbouring numbers: hardly any collisions
    while (keys_[place] != column && keys_[place] != empty) {
      place = (place + 1) & mask;
    }
    // Whether the column is new is a coin toss, so it is not asked: that keeps the processor from guessing wrong.
    used_[count_] = static_cast<std::uint32_t>(place);
    count_ += keys_[place] == empty ? 1 : 0;
    keys_[place] = column;
    sums_[place] += weight * unit;
  }

  /// Calls visit(column, sum) in the order the columns first came, and empties the row.
  template <class Visit>
  void take(const Visit& visit) {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t place = used_[i];
      visit(keys_[place], sums_[place]);
      keys_[place] = empty;
      sums_[place] = EdgeSum{};
    }
    count_ = 0;
  }

 private:
  static constexpr std::uint32_t empty = 0xFFFFFFFF;

  void grow() {
    RowSum larger;
    larger.keys_.assign(2 * keys_.size(), empty);
    larger.sums_.assign(2 * keys_.size(), EdgeSum{});
    larger.used_.resize(2 * keys_.size());
    take([&](std::uint32_t column, const EdgeSum& sum) {
      larger.add(column, 0.0, EdgeSum{});
      larger.sums_[larger.used_[larger.count_ - 1]] = sum;
    });
    *this = std::move(larger);
  }

  std::vector<std::uint32_t> keys_;
  std::vector<EdgeSum> sums_;
  std::vector<std::uint32_t> used_;  ///< places in use, in the order they were taken; one spare
  std::size_t count_ = 0;
};

}  // namespace burnish::glr
