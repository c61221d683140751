#include "burnish/neighbours.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"

namespace burnish {
namespace {

constexpr std::size_t leaf_size = 16;

/// The index of a point that is missing.
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Points that lie together, coordinate by coordinate, as vector units like them. Some may be missing, in the last leaf
/// or because they were left out: their coordinates are not numbers, and so is every distance to them, which is not
/// within any bound.
struct Leaf {
  std::array<double, leaf_size> x;
  std::array<double, leaf_size> y;
  std::array<double, leaf_size> z;
  std::array<std::uint32_t, leaf_size> index;
};

/// From a query to the points of a leaf.
using Distances = std::array<double, leaf_size>;

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
  bool add(const Distances& distances, const Leaf& leaf) {
    // Which are near is unpredictable: no branch on it.
    std::array<std::uint8_t, leaf_size> near;
    std::size_t count = 0;
    for (std::size_t i = 0; i < leaf_size; ++i) {
      near[count] = static_cast<std::uint8_t>(i);
      count += distances[i] <= bound_ ? 1 : 0;
    }
    for (std::size_t n = 0; n < count; ++n) {
      insert(distances[near[n]], leaf.index[near[n]]);
    }
    return true;
  }

 private:
  void insert(double distance, std::uint32_t index) {
    if (count_ < indices_.size()) {
      ++count_;
    } else if (!before(distance, index, count_ - 1)) {
      return;
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
  }

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
  /// Memory, of which the first `wanted` places hold what was found in the end.
  struct Candidates {
    std::vector<double> distances;
    std::vector<std::uint32_t> indices;
  };

  /// All that are wanted are known to be nearer than `bound`.
  NearestBySelection(std::size_t wanted, double bound, Candidates& kept) : wanted_(wanted), bound_(bound), kept_(kept) {
    if (kept_.distances.size() < capacity()) {
      kept_.distances.resize(capacity());
      kept_.indices.resize(capacity());
    }
  }

  [[nodiscard]] double bound() const { return bound_; }

  bool add(const Distances& distances, const Leaf& leaf) {
    // Which are near is unpredictable: no branch on it.
    double* to_distance = kept_.distances.data();
    std::uint32_t* to_index = kept_.indices.data();
    std::size_t count = count_;
    for (std::size_t i = 0; i < leaf_size; ++i) {
      to_distance[count] = distances[i];
      to_index[count] = leaf.index[i];
      count += distances[i] <= bound_ ? 1 : 0;
    }
    count_ = count;
    if (count_ + leaf_size > capacity()) {
      bound_ = select();
    }
    return true;
  }

  /// Leaves no more than are wanted. Returns how far the last of these is, if there are as many.
  double select() {
    if (count_ < wanted_) {
      return std::numeric_limits<double>::infinity();
    }
    if (count_ == wanted_) {
      return farthest();
    }
    double high = bound_ < std::numeric_limits<double>::infinity() ? bound_ : farthest();
    // Counts grow about evenly with the squared distance: the place where `wanted` are nearer is found by halving and
    // by the line between two counts in turn.
    double low = 0.0;
    std::size_t below_low = 0;
    std::size_t below_high = count_;
    for (int round = 0; round < 24; ++round) {
      const double part =
          round % 4 == 3 ? 0.5 : static_cast<double>(wanted_ - below_low) / static_cast<double>(below_high - below_low);
      const double between = low + (high - low) * part;
      if (!(between > low && between < high)) {
        break;
      }
      const std::size_t below = count_up_to(between);
      if (below == wanted_) {
        keep_up_to(between);
        return farthest();
      }
      (below < wanted_ ? low : high) = between;
      (below < wanted_ ? below_low : below_high) = below;
    }
    return select_among_equals();
  }

  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  [[nodiscard]] std::size_t capacity() const { return 2 * wanted_ + 4 * leaf_size; }

  [[nodiscard]] Pair pair_at(std::size_t i) const {
    Pair pair;
    std::memcpy(&pair, &kept_.distances[i], sizeof pair);
    return pair;
  }

  [[nodiscard]] std::size_t count_up_to(double distance) const {
    const Pair limit{distance, distance};
    auto counts = limit < limit;  // zero
    std::size_t i = 0;
    for (; i + 2 <= count_; i += 2) {
      counts -= pair_at(i) <= limit;
    }
    const auto odd = i < count_ && kept_.distances[i] <= distance ? 1 : 0;
    return static_cast<std::size_t>(counts[0] + counts[1] + odd);
  }

  [[nodiscard]] double farthest() const {
    Pair farthest{};
    std::size_t i = 0;
    for (; i + 2 <= count_; i += 2) {
      const Pair pair = pair_at(i);
      farthest = farthest < pair ? pair : farthest;
    }
    const double last = i < count_ ? kept_.distances[i] : 0.0;
    return std::max({farthest[0], farthest[1], last});
  }

  void keep_up_to(double distance) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const double here = kept_.distances[i];
      kept_.distances[kept] = here;
      kept_.indices[kept] = kept_.indices[i];
      kept += here <= distance ? 1 : 0;
    }
    count_ = kept;
  }

  /// Of points that are equally far, those with the smallest indices.
  double select_among_equals() {
    std::vector<std::pair<double, std::uint32_t>> all(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      all[i] = {kept_.distances[i], kept_.indices[i]};
    }
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(wanted_ - 1));
    for (std::size_t i = 0; i < wanted_; ++i) {
      std::tie(kept_.distances[i], kept_.indices[i]) = all[i];
    }
    count_ = wanted_;
    return all[wanted_ - 1].first;
  }

  std::size_t wanted_;
  double bound_;
  Candidates& kept_;
  std::size_t count_ = 0;
};

/// Below this number insertion is as fast.
constexpr std::size_t least_to_select = 8;

/// Keeps all points nearer than a distance, up to a limit.
class AllWithin {
 public:
  AllWithin(double distance, std::size_t limit, std::vector<std::uint32_t>& indices)
      : distance_(distance), limit_(limit), indices_(indices) {}

  [[nodiscard]] bool overflowed() const { return overflowed_; }
  [[nodiscard]] double bound() const { return distance_; }

  bool add(const Distances& distances, const Leaf& leaf) {
    std::array<std::uint32_t, leaf_size> near;
    std::size_t count = 0;
    for (std::size_t i = 0; i < leaf_size; ++i) {
      near[count] = leaf.index[i];
      count += distances[i] < distance_ ? 1 : 0;
    }
    overflowed_ = indices_.size() + count > limit_;
    indices_.insert(indices_.end(), near.begin(), near.begin() + static_cast<std::ptrdiff_t>(overflowed_ ? 0 : count));
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
    leaf.index.fill(none);
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
    parallel_for(context, leaves.size(), 256, [&](std::size_t l) {
      Leaf& leaf = leaves[l];
      for (std::size_t i = 0; i < leaf_size; ++i) {
        if (leaf.index[i] != none) {
          const Vec3& point = points[leaf.index[i]];
          leaf.x[i] = point.x();
          leaf.y[i] = point.y();
          leaf.z[i] = point.z();
          boxes[l].extend(point);
        }
      }
    });
    set_boxes_above(whole(), boxes);
  }

  /// Boxes stay as they are: they are around the points that are left, too.
  void leave_out(std::span<const std::uint32_t> left_out, const ExecutionContext& context) {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    parallel_for(context, leaves.size(), 256, [&](std::size_t l) {
      Leaf& leaf = leaves[l];
      for (std::size_t i = 0; i < leaf_size; ++i) {
        const auto at = std::ranges::lower_bound(left_out, leaf.index[i]);
        if (at != left_out.end() && *at == leaf.index[i]) {
          leaf.x[i] = missing;
          leaf.y[i] = missing;
          leaf.z[i] = missing;
          leaf.index[i] = none;
        } else if (leaf.index[i] != none) {
          leaf.index[i] -= static_cast<std::uint32_t>(at - left_out.begin());
        }
      }
    });
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
        Distances distances;
        for (std::size_t i = 0; i < leaf_size; ++i) {
          distances[i] = length_of<by>(leaf.x[i] - query.x(), leaf.y[i] - query.y(), leaf.z[i] - query.z());
        }
        if (!found.add(distances, leaf)) {
          return;
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

NeighbourSearch NeighbourSearch::without(std::span<const std::uint32_t> left_out,
                                         const ExecutionContext& context) const {
  NeighbourSearch search({}, context, tree_->metric);
  *search.tree_ = *tree_;
  search.tree_->leave_out(left_out, context);
  return search;
}

std::size_t NeighbourSearch::nearest(const Vec3& query, std::span<std::uint32_t> indices,
                                     std::span<double> distances) const {
  if (indices.size() >= least_to_select) {
    thread_local NearestBySelection::Candidates kept;
    thread_local std::vector<std::pair<double, std::uint32_t>> sorted;
    NearestBySelection found(indices.size(), std::numeric_limits<double>::infinity(), kept);
    tree_->visit(query, found);
    found.select();
    sorted.resize(found.count());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      sorted[i] = {kept.distances[i], kept.indices[i]};
    }
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      std::tie(distances[i], indices[i]) = sorted[i];
    }
    return sorted.size();
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

struct NeighbourQueries::Memory {
  NearestBySelection::Candidates kept;
};

NeighbourQueries::NeighbourQueries(const NeighbourSearch& search, std::size_t wanted)
    : search_(search),
      wanted_(wanted),
      last_distance_(std::numeric_limits<double>::infinity()),
      memory_(std::make_unique<Memory>()) {}
NeighbourQueries::~NeighbourQueries() = default;

NeighbourQueries::Found NeighbourQueries::nearest(const Vec3& query) {
  if (wanted_ == 0) {
    return {};
  }
  double bound = std::numeric_limits<double>::infinity();
  if (search_.tree_->metric == Metric::squared_euclidean && last_distance_ > 0.0) {
    // A little more, for rounding. Larger by far than what is wanted it would not help.
    const double sum = std::sqrt(last_distance_) + (query - last_query_).norm();
    bound = sum * sum * (1.0 + 1e-9);
    bound = bound < 4.0 * last_distance_ ? bound : std::numeric_limits<double>::infinity();
  }
  NearestBySelection found(wanted_, bound, memory_->kept);
  search_.tree_->visit(query, found);
  last_distance_ = found.select();
  last_query_ = query;
  return {
      {memory_->kept.indices.data(), found.count()}, {memory_->kept.distances.data(), found.count()}, last_distance_};
}

}  // namespace burnish
