#include "geometry/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace burnish {

BoxTree::BoxTree(std::span<const Eigen::AlignedBox3d> boxes, std::size_t leaf_size) : order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  if (boxes.empty()) {
    return;
  }
  std::vector<Vec3> centres(boxes.size());
  std::ranges::transform(boxes, centres.begin(), [](const Eigen::AlignedBox3d& box) -> Vec3 { return box.center(); });

  struct Job {
    std::uint32_t node, begin, end;
  };
  std::vector<Job> jobs{{0, 0, static_cast<std::uint32_t>(boxes.size())}};
  nodes_.resize(1);
  while (!jobs.empty()) {
    const auto [node, begin, end] = jobs.back();
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
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       return centres[a][axis] < centres[b][axis] || (centres[a][axis] == centres[b][axis] && a < b);
                     });
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].first = child;
    nodes_.resize(nodes_.size() + 2);
    jobs.push_back({child, begin, middle});
    jobs.push_back({child + 1, middle, end});
  }
}

}  // namespace burnish
