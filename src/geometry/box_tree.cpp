#include "geometry/box_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace burnish {
namespace {

constexpr std::size_t bins = 16;

double area(const Eigen::AlignedBox3d& box) {
  const Vec3 d = box.sizes();
  return box.isEmpty() ? 0.0 : d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

/// The index of the slice, of several equal ones between two ends, that contains a value.
std::size_t bin_of(double value, double low, double high) {
  return std::min(bins - 1, static_cast<std::size_t>(static_cast<double>(bins) * ((value - low) / (high - low))));
}

/// Number of slices in the first part of a split: the one that minimises the sum over both parts of surface area times
/// items, the expected number of intersection tests of a random line (J. Goldsmith, J. Salmon: "Automatic creation of
/// object hierarchies for ray tracing", IEEE Computer Graphics and Applications 7(5), 1987).
std::size_t best_cut(const std::array<Eigen::AlignedBox3d, bins>& boxes, const std::array<std::size_t, bins>& items) {
  std::array<double, bins> upper_cost{};
  Eigen::AlignedBox3d box;
  std::size_t count = 0;
  for (std::size_t b = bins - 1; b > 0; --b) {
    box.extend(boxes[b]);
    count += items[b];
    upper_cost[b] = area(box) * static_cast<double>(count);
  }
  box.setEmpty();
  count = 0;
  std::size_t best = 1;
  double best_cost = 0.0;
  for (std::size_t b = 1; b < bins; ++b) {
    box.extend(boxes[b - 1]);
    count += items[b - 1];
    const double cost = area(box) * static_cast<double>(count) + upper_cost[b];
    if (b == 1 || cost < best_cost) {
      best_cost = cost;
      best = b;
    }
  }
  return best;
}

}  // namespace

BoxTree::BoxTree(std::span<const Eigen::AlignedBox3d> boxes, std::size_t leaf_size) : order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  if (boxes.empty()) {
    return;
  }
  std::vector<Vec3> centres(boxes.size());
  std::ranges::transform(boxes, centres.begin(), [](const Eigen::AlignedBox3d& box) -> Vec3 { return box.center(); });

  struct Job {
    std::uint32_t node, begin, end, depth;
  };
  std::vector<Job> jobs{{0, 0, static_cast<std::uint32_t>(boxes.size()), 0}};
  nodes_.resize(1);
  while (!jobs.empty()) {
    const auto [node, begin, end, depth] = jobs.back();
    jobs.pop_back();
    Eigen::AlignedBox3d box;
    Eigen::AlignedBox3d box_of_centres;
    for (std::uint32_t slot = begin; slot < end; ++slot) {
      box.extend(boxes[order_[slot]]);
      box_of_centres.extend(centres[order_[slot]]);
    }
    nodes_[node].box = box;
    if (end - begin <= leaf_size) {
      nodes_[node].first = begin;
      nodes_[node].items = end - begin;
      continue;
    }
    Eigen::Index axis = 0;
    box_of_centres.sizes().maxCoeff(&axis);
    const double low = box_of_centres.min()[axis];
    const double high = box_of_centres.max()[axis];
    std::uint32_t middle = begin + (end - begin) / 2;
    const auto bin = [&](std::uint32_t item) { return bin_of(centres[item][axis], low, high); };
    if (depth < deepest_uneven && low < high && std::isfinite(high - low)) {
      std::array<Eigen::AlignedBox3d, bins> bin_boxes;
      std::array<std::size_t, bins> bin_items{};
      for (std::uint32_t slot = begin; slot < end; ++slot) {
        bin_boxes[bin(order_[slot])].extend(boxes[order_[slot]]);
        ++bin_items[bin(order_[slot])];
      }
      // The lowest and the highest slice hold at least one item each, so no part is empty.
      const std::size_t cut = best_cut(bin_boxes, bin_items);
      const auto upper = std::stable_partition(order_.begin() + begin, order_.begin() + end,
                                               [&](std::uint32_t item) { return bin(item) < cut; });
      middle = static_cast<std::uint32_t>(upper - order_.begin());
    } else {
      std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                       [&](std::uint32_t a, std::uint32_t b) {
                         return centres[a][axis] < centres[b][axis] || (centres[a][axis] == centres[b][axis] && a < b);
                       });
    }
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].first = child;
    nodes_.resize(nodes_.size() + 2);
    jobs.push_back({child, begin, middle, depth + 1});
    jobs.push_back({child + 1, middle, end, depth + 1});
  }
}

}  // namespace burnish
