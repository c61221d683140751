#include "burnish/neighbours.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"

namespace burnish {
namespace {

constexpr std::size_t leaf_size = 16;

/// Neighbouring points, stored coordinate by coordinate for vector instructions. Missing points of the last leaf have
/// NaN coordinates, so that no distance to them is within any bound.
struct Leaf {
  std::array<double, leaf_size> x;
  std::array<double, leaf_size> y;
  std::array<double, leaf_size> z;
  std::array<std::uint32_t, leaf_size> index;
};

using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

/// The boxes of the two halves of a node, axis by axis.
struct Node {
  std::array<Pair, 3> low;
  std::array<Pair, 3> high;
};

/// Consecutive leaves. The nodes of a subtree with n leaves are n − 1 consecutive ones: its own, those of the first
/// half, those of the second. The place of every node is known before it is built, on any thread, and no pointers are
/// needed.
struct Subtree {
  std::uint32_t node;
  std::uint32_t first_leaf;
  std::uint32_t leaves;

  [[nodiscard]] Subtree first_half() const { return {node + 1, first_leaf, (leaves + 1) / 2}; }
  [[nodiscard]] Subtree second_half() const {
    const std::uint32_t before = (leaves + 1) / 2;
    return {node + before, first_leaf + before, leaves - before};
  }
};

struct Numbered {
  Vec3 point;
  std::uint32_t index;
};

/// A subtree to be built of these points.
struct Part {
  Subtree subtree;
  std::span<Numbered> points;
  Eigen::AlignedBox3d box;
};

/// Keeps the nearest points sorted by distance, then index.
class NearestInOrder {
 public:
  NearestInOrder(std::span<std::uint32_t> indices, std::span<double> distances)
      : indices_(indices), distances_(distances) {}

  [[nodiscard]] std::size_t size() const { return count_; }

  /// Boxes nearer than this are visited, but not boxes at the same distance, because many duplicate points would create
  /// as many of these as there are points.
  [[nodiscard]] double bound() const { return bound_; }

  /// False if no more is wanted.
  bool add(double distance, std::uint32_t index) {
    if (count_ < indices_.size()) {
      ++count_;
    } else if (!before(distance, index, count_ - 1)) {
      return true;
    }
    std::size_t i = count_ - 1;
    for (; i > 0 && before(distance, index, i - 1); --i) {
      distances_[i] = distances_[i - 1];
      indices_[i] = indices_[i - 1];
    }
    distances_[i] = distance;
    indices_[i] = index;
    if (count_ == indices_.size()) {
      bound_ = distances_[count_ - 1];
    }
    return true;
  }

 private:
  [[nodiscard]] bool before(double distance, std::uint32_t index, std::size_t i) const {
    return distance < distances_[i] || (distance == distances_[i] && index < indices_[i]);
  }

  std::span<std::uint32_t> indices_;
  std::span<double> distances_;
  std::size_t count_ = 0;
  double bound_ = std::numeric_limits<double>::infinity();
};

/// The same for many points, for which occasional selection is cheaper than insertion: up to twice the wanted number
/// are collected, and when that is reached, the nearer half is kept.
class NearestBySelection {
 public:
  NearestBySelection(std::size_t wanted, std::vector<std::pair<double, std::uint32_t>>& kept)
      : wanted_(wanted), kept_(kept) {
    kept_.clear();
    kept_.reserve(2 * wanted);
  }

  [[nodiscard]] double bound() const { return bound_; }

  bool add(double distance, std::uint32_t index) {
    kept_.emplace_back(distance, index);
    if (kept_.size() == 2 * wanted_) {
      select();
      bound_ = std::ranges::max_element(kept_)->first;
    }
    return true;
  }

  /// The number of points found, sorted by distance, then index.
  std::size_t copy_to(std::span<std::uint32_t> indices, std::span<double> distances) {
    select();
    std::ranges::sort(kept_);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      std::tie(distances[i], indices[i]) = kept_[i];
    }
    return kept_.size();
  }

 private:
  void select() {
    if (kept_.size() > wanted_) {
      std::ranges::nth_element(kept_, kept_.begin() + static_cast<std::ptrdiff_t>(wanted_));
      kept_.resize(wanted_);
    }
  }

  std::size_t wanted_;
  std::vector<std::pair<double, std::uint32_t>>& kept_;
  double bound_ = std::numeric_limits<double>::infinity();
};

/// Below this number insertion is as fast.
constexpr std::size_t least_to_select = 64;

/// Keeps all points nearer than a distance, up to a limit.
class AllWithin {
 public:
  AllWithin(double distance, std::size_t limit, std::vector<std::uint32_t>& indices)
      : distance_(distance), limit_(limit), indices_(indices) {}

  [[nodiscard]] bool overflowed() const { return overflowed_; }
  [[nodiscard]] double bound() const { return distance_; }

  bool add(double distance, std::uint32_t index) {
    if (distance < distance_) {
      overflowed_ = indices_.size() == limit_;
      if (!overflowed_) {
        indices_.push_back(index);
      }
    }
    return !overflowed_;
  }

 private:
  double distance_;
  std::size_t limit_;
  std::vector<std::uint32_t>& indices_;
  bool overflowed_ = false;
};

template <Metric metric, class Number>
[[gnu::always_inline]] inline Number length_of(const Number& x, const Number& y, const Number& z) {
  if constexpr (metric == Metric::squared_euclidean) {
    return x * x + y * y + z * z;
  } else {
    const Number zero{};
    return (x < zero ? -x : x) + (y < zero ? -y : y) + (z < zero ? -z : z);
  }
}

/// Distances of the two boxes of a node from a point: not larger than those of the points within, rounding included,
/// and never infinite, which would equal the initial bound.
template <Metric metric>
[[gnu::always_inline]] inline Pair distances_of_halves(const Node& node, const Vec3& point) {
  std::array<Pair, 3> outside;
  for (std::size_t d = 0; d < 3; ++d) {
    const double p = point[static_cast<Eigen::Index>(d)];
    const Pair below = node.low[d] - p;
    const Pair above = p - node.high[d];
    const Pair larger = below > above ? below : above;
    outside[d] = larger > 0.0 ? larger : Pair{};
  }
  const Pair distances = length_of<metric>(outside[0], outside[1], outside[2]);
  constexpr double largest = std::numeric_limits<double>::max();
  return distances < largest ? distances : Pair{largest, largest};
}

Eigen::AlignedBox3d box_of(std::span<const Numbered> points) {
  Eigen::AlignedBox3d box;
  for (const Numbered& p : points) {
    box.extend(p.point);
  }
  return box;
}

}  // namespace

struct NeighbourSearch::Tree {
  Metric metric;
  std::vector<Leaf> leaves;
  std::vector<Node> nodes;

  Tree(std::span<const Vec3> points, Metric metric_of_search, const ExecutionContext& context)
      : metric(metric_of_search),
        leaves((points.size() + leaf_size - 1) / leaf_size),
        nodes(leaves.empty() ? 0 : leaves.size() - 1) {
    if (leaves.empty()) {
      return;
    }
    std::vector<Numbered> numbered(points.size());
    parallel_for(context, points.size(), 4096, [&](std::size_t i) {
      numbered[i] = {points[i], static_cast<std::uint32_t>(i)};
    });
    std::vector<Part> parts{{whole(), numbered, box_of(numbered)}};
    while (parts.size() < 64 && parts.front().subtree.leaves > 256) {  // enough for threads to share
      std::vector<Part> halves(2 * parts.size());
      parallel_for(context, parts.size(), 1,
                   [&](std::size_t i) { std::tie(halves[2 * i], halves[2 * i + 1]) = split(parts[i]); });
      parts = std::move(halves);
    }
    parallel_for(context, parts.size(), 1, [&](std::size_t i) { build(parts[i]); });
  }

  [[nodiscard]] Subtree whole() const { return {0, 0, static_cast<std::uint32_t>(leaves.size())}; }

  /// In the middle of its points, across its longest side.
  std::pair<Part, Part> split(const Part& part) {
    Eigen::Index axis = 0;
    part.box.sizes().maxCoeff(&axis);
    const Subtree first = part.subtree.first_half();
    const std::size_t before = first.leaves * leaf_size;
    std::ranges::nth_element(part.points, part.points.begin() + static_cast<std::ptrdiff_t>(before), {},
                             [&](const Numbered& p) { return p.point[axis]; });
    const std::span<Numbered> first_points = part.points.first(before);
    const std::span<Numbered> second_points = part.points.subspan(before);
    const std::pair<Part, Part> halves{{first, first_points, box_of(first_points)},
                                       {part.subtree.second_half(), second_points, box_of(second_points)}};
    set_boxes(part.subtree, halves.first.box, halves.second.box);
    return halves;
  }

  void set_boxes(const Subtree& subtree, const Eigen::AlignedBox3d& first, const Eigen::AlignedBox3d& second) {
    Node& node = nodes[subtree.node];
    for (std::size_t d = 0; d < 3; ++d) {
      const auto i = static_cast<Eigen::Index>(d);
      node.low[d] = Pair{first.min()[i], second.min()[i]};
      node.high[d] = Pair{first.max()[i], second.max()[i]};
    }
  }

  void build(const Part& part) {
    if (part.subtree.leaves > 1) {
      const auto [first, second] = split(part);
      build(first);
      build(second);
      return;
    }
    Leaf& leaf = leaves[part.subtree.first_leaf];
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    leaf.x.fill(missing);
    leaf.y.fill(missing);
    leaf.z.fill(missing);
    for (std::size_t i = 0; i < part.points.size(); ++i) {
      const auto& [point, index] = part.points[i];
      leaf.x[i] = point.x();
      leaf.y[i] = point.y();
      leaf.z[i] = point.z();
      leaf.index[i] = index;
    }
  }

  /// Updates the positions of all points, and the boxes of all nodes.
  void move_to(std::span<const Vec3> points, const ExecutionContext& context) {
    if (leaves.empty()) {
      return;
    }
    std::vector<Eigen::AlignedBox3d> boxes(leaves.size());
    const std::size_t in_last = points.size() - leaf_size * (leaves.size() - 1);
    parallel_for(context, leaves.size(), 256, [&](std::size_t l) {
      Leaf& leaf = leaves[l];
      const std::size_t count = l + 1 < leaves.size() ? leaf_size : in_last;
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3& point = points[leaf.index[i]];
        leaf.x[i] = point.x();
        leaf.y[i] = point.y();
        leaf.z[i] = point.z();
        boxes[l].extend(point);
      }
    });
    set_boxes_above(whole(), boxes);
  }

  Eigen::AlignedBox3d set_boxes_above(const Subtree& subtree, const std::vector<Eigen::AlignedBox3d>& of_leaves) {
    if (subtree.leaves == 1) {
      return of_leaves[subtree.first_leaf];
    }
    const Eigen::AlignedBox3d first = set_boxes_above(subtree.first_half(), of_leaves);
    const Eigen::AlignedBox3d second = set_boxes_above(subtree.second_half(), of_leaves);
    set_boxes(subtree, first, second);
    return first.merged(second);
  }

  /// Passes points to `found`, near ones first, until it needs no more.
  template <class Found>
  void visit(const Vec3& query, Found& found) const {
    if (leaves.empty()) {
      return;
    }
    if (metric == Metric::squared_euclidean) {
      visit_by<Metric::squared_euclidean>(query, found);
    } else {
      visit_by<Metric::city_block>(query, found);
    }
  }

  template <Metric by, class Found>
  void visit_by(const Vec3& query, Found& found) const {
    struct Later {
      Subtree subtree;
      double distance;
    };
    std::array<Later, 32> later;  // no tree of 2³² points is so deep
    std::size_t waiting = 0;
    Later here{whole(), 0.0};
    for (;;) {
      if (here.distance < found.bound()) {
        if (here.subtree.leaves > 1) {
          const Pair distances = distances_of_halves<by>(nodes[here.subtree.node], query);
          const Later first{here.subtree.first_half(), distances[0]};
          const Later second{here.subtree.second_half(), distances[1]};
          const bool first_now = !(second.distance < first.distance);
          later[waiting] = first_now ? second : first;
          waiting += later[waiting].distance < found.bound() ? 1 : 0;
          here = first_now ? first : second;
          continue;
        }
        const Leaf& leaf = leaves[here.subtree.first_leaf];
        std::array<double, leaf_size> distances;
        for (std::size_t i = 0; i < leaf_size; ++i) {
          distances[i] = length_of<by>(leaf.x[i] - query.x(), leaf.y[i] - query.y(), leaf.z[i] - query.z());
        }
        // Unpredictable, hence no branch.
        std::array<std::uint8_t, leaf_size> near;
        std::size_t count = 0;
        const double bound = found.bound();
        for (std::size_t i = 0; i < leaf_size; ++i) {
          near[count] = static_cast<std::uint8_t>(i);
          count += distances[i] <= bound ? 1 : 0;
        }
        for (std::size_t n = 0; n < count; ++n) {
          if (!found.add(distances[near[n]], leaf.index[near[n]])) {
            return;
          }
        }
      }
      if (waiting == 0) {
        return;
      }
      here = later[--waiting];
    }
  }
};

NeighbourSearch::NeighbourSearch(std::span<const Vec3> points, const ExecutionContext& context, Metric metric)
    : tree_(std::make_unique<Tree>(points, metric, context)) {}
NeighbourSearch::~NeighbourSearch() = default;
NeighbourSearch::NeighbourSearch(NeighbourSearch&&) noexcept = default;
NeighbourSearch& NeighbourSearch::operator=(NeighbourSearch&&) noexcept = default;

NeighbourSearch NeighbourSearch::moved_to(std::span<const Vec3> points, const ExecutionContext& context) const {
  NeighbourSearch search({}, context, tree_->metric);
  *search.tree_ = *tree_;
  search.tree_->move_to(points, context);
  return search;
}

std::size_t NeighbourSearch::nearest(const Vec3& query, std::span<std::uint32_t> indices,
                                     std::span<double> distances) const {
  if (indices.size() >= least_to_select) {
    thread_local std::vector<std::pair<double, std::uint32_t>> kept;
    NearestBySelection found(indices.size(), kept);
    tree_->visit(query, found);
    return found.copy_to(indices, distances);
  }
  NearestInOrder found(indices, distances);
  if (!indices.empty()) {
    tree_->visit(query, found);
  }
  return found.size();
}

bool NeighbourSearch::within_radius(const Vec3& query, double radius, std::size_t limit,
                                    std::vector<std::uint32_t>& indices) const {
  indices.clear();
  AllWithin found(tree_->metric == Metric::squared_euclidean ? radius * radius : radius, limit, indices);
  tree_->visit(query, found);
  return !found.overflowed();
}

}  // namespace burnish
