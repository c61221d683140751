#include "burnish/sampling.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "geometry/spatial_order.hpp"

namespace burnish {
namespace {

/// A point with its squared distance to the nearest chosen one; -1 once it is chosen itself.
struct Candidate {
  Vec3 position;
  double distance;
  std::uint32_t index;

  [[nodiscard]] bool farther_than(const Candidate& other) const {
    return distance > other.distance || (distance == other.distance && index < other.index);
  }
};

/// A bounding-volume tree over the points in spatial order. Every node stores the candidate below it that is farthest
/// from the chosen points. Choosing a point reduces distances only inside boxes that are nearer to it than that, so
/// most of the tree is not visited: this makes the sampling near-linear.
class FarthestTree {
 public:
  FarthestTree(std::span<const Vec3> points, const std::vector<std::uint32_t>& order) {
    candidates_.reserve(points.size());
    for (const std::uint32_t i : order) {
      candidates_.push_back({points[i], std::numeric_limits<double>::infinity(), i});
    }
    leaves_ = std::bit_ceil((points.size() + leaf_size - 1) / leaf_size);
    nodes_.resize(2 * leaves_);
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
      Node& node = nodes_[leaves_ + leaf];
      const std::size_t end = std::min((leaf + 1) * leaf_size, candidates_.size());
      for (std::size_t i = leaf * leaf_size; i < end; ++i) {
        node.box.extend(candidates_[i].position);
      }
      if (leaf * leaf_size < end) {
        node.farthest = static_cast<std::uint32_t>(leaf * leaf_size);
        refresh_leaf(leaves_ + leaf);
      }
    }
    for (std::size_t n = leaves_ - 1; n > 0; --n) {
      nodes_[n].box = nodes_[2 * n].box.merged(nodes_[2 * n + 1].box);
      refresh_inner(n);
    }
  }

  [[nodiscard]] std::uint32_t farthest() const { return candidates_[nodes_[1].farthest].index; }

  void choose(const Vec3& position, std::uint32_t index) { update(1, position, index); }

 private:
  static constexpr std::size_t leaf_size = 16;
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct Node {
    Eigen::AlignedBox3d box;
    std::uint32_t farthest = none;
  };

  void update(std::size_t n, const Vec3& position, std::uint32_t index) {
    Node& node = nodes_[n];
    if (node.farthest == none) {
      return;
    }
    // Rounding cannot break this test: the box's distance is computed like a point's, from smaller differences.
    const Vec3 gap = (node.box.min() - position).cwiseMax(position - node.box.max()).cwiseMax(0.0);
    if (squared_norm(gap) > candidates_[node.farthest].distance) {
      return;
    }
    if (n >= leaves_) {
      const std::size_t begin = (n - leaves_) * leaf_size;
      const std::size_t end = std::min(begin + leaf_size, candidates_.size());
      for (std::size_t i = begin; i < end; ++i) {
        Candidate& c = candidates_[i];
        c.distance = c.index == index ? -1.0 : std::min(c.distance, squared_norm(c.position - position));
      }
      refresh_leaf(n);
    } else {
      update(2 * n, position, index);
      update(2 * n + 1, position, index);
      refresh_inner(n);
    }
  }

  void refresh_leaf(std::size_t n) {
    const std::size_t begin = (n - leaves_) * leaf_size;
    const std::size_t end = std::min(begin + leaf_size, candidates_.size());
    std::size_t farthest = begin;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (candidates_[i].farther_than(candidates_[farthest])) {
        farthest = i;
      }
    }
    nodes_[n].farthest = static_cast<std::uint32_t>(farthest);
  }

  void refresh_inner(std::size_t n) {
    const std::uint32_t left = nodes_[2 * n].farthest;
    const std::uint32_t right = nodes_[2 * n + 1].farthest;
    // The last leaves of the tree may be empty, so only the right one can be missing alone.
    nodes_[n].farthest = right != none && candidates_[right].farther_than(candidates_[left]) ? right : left;
  }

  static double squared_norm(const Vec3& v) { return v.x() * v.x() + v.y() * v.y() + v.z() * v.z(); }

  std::vector<Candidate> candidates_;
  std::vector<Node> nodes_;
  std::size_t leaves_ = 0;
};

}  // namespace

std::vector<std::uint32_t> farthest_point_sample(std::span<const Vec3> points, std::size_t count, std::uint32_t first,
                                                 const ExecutionContext& context) {
  std::vector<std::uint32_t> chosen;
  if (count == 0) {
    return chosen;
  }
  FarthestTree tree(points, spatial_order(points, context));
  chosen.reserve(count);
  for (std::uint32_t next = first;; next = tree.farthest()) {
    chosen.push_back(next);
    if (chosen.size() == count) {
      return chosen;
    }
    if (chosen.size() % 1024 == 0) {
      context.check_cancelled();
    }
    tree.choose(points[next], next);
  }
}

double sampled_diameter(std::span<const Vec3> points) {
  constexpr std::size_t samples = 200;
  const std::vector<std::uint32_t> chosen = farthest_point_sample(points, std::min(samples, points.size()));
  double largest = 0.0;
  for (const std::uint32_t a : chosen) {
    for (const std::uint32_t b : chosen) {
      largest = std::max(largest, (points[a] - points[b]).norm());
    }
  }
  return largest;
}

}  // namespace burnish
