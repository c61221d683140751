#pragma once

#include <Eigen/Geometry>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// A bounding-volume hierarchy of items of any extent, for searching the item nearest to a query: boxes that cannot
/// contain an item nearer than the best one so far are skipped.
class BoxTree {
 public:
  /// Splits the items by their centres along the longest side, down to `leaf_size` items, so that boxes with many items
  /// are small.
  BoxTree(std::span<const Eigen::AlignedBox3d> boxes, std::size_t leaf_size);

  /// The items in the order of the leaves. Data stored in this order is accessed sequentially.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }

  /// Calls visit(slot) for the items (slot: place in order()) of all boxes with bound(box) <= limit, nearer box first.
  /// `visit` is expected to lower `limit` when it finds better items. Boxes exactly at the limit are visited too, so
  /// that ties are decided by the index of the item and not by the shape of the tree.
  template <class Bound, class Visit>
  void nearest_first(const double& limit, const Bound& bound, const Visit& visit) const {
    // The stack has one entry per depth; below deepest_uneven items are halved, which 2^32 items allow 32 times.
    std::array<std::pair<double, std::uint32_t>, deepest_uneven + 34> waiting;
    std::size_t size = 0;
    if (nodes_.empty() || bound(nodes_[0].box) > limit) {
      return;
    }
    for (std::uint32_t index = 0;;) {
      const Node& node = nodes_[index];
      for (std::uint32_t slot = node.first; slot < node.first + node.items; ++slot) {
        visit(slot);
      }
      if (node.items == 0) {
        const std::uint32_t child = node.first;
        const double first = bound(nodes_[child].box);
        const double second = bound(nodes_[child + 1].box);
        // A branch is intended here: branch prediction continues before the bounds are known.
        if (first <= limit && second <= limit) {
          if (second < first) {
            waiting[size++] = {first, child};
            index = child + 1;
          } else {
            waiting[size++] = {second, child + 1};
            index = child;
          }
          continue;
        }
        if (first <= limit || second <= limit) {
          index = first <= limit ? child : child + 1;
          continue;
        }
      }
      do {
        if (size == 0) {
          return;
        }
        --size;
      } while (waiting[size].first > limit);
      index = waiting[size].second;
    }
  }

 private:
  static constexpr std::uint32_t deepest_uneven = 48;

  struct Node {
    Eigen::AlignedBox3d box;
    std::uint32_t first = 0;  // the first item of a leaf, or the first of the two children, which lie side by side
    std::uint32_t items = 0;  // 0 for an inner node
  };

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
};

}  // namespace burnish
