#include "burnish/neighbours.hpp"

#include <nanoflann.hpp>

#include <bit>
#include <limits>
#include <variant>

namespace burnish {
namespace {

struct PointsAdaptor {
  std::span<const Vec3> points;

  [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t dimension) const {
    return points[i][static_cast<Eigen::Index>(dimension)];
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

/// Keeps the nearest points sorted by distance, then index.
class NearestInOrder {
 public:
  NearestInOrder(std::span<std::uint32_t> indices, std::span<double> distances)
      : indices_(indices), distances_(distances) {}

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool full() const { return count_ == indices_.size(); }

  bool addPoint(double distance, std::uint32_t index) {  // NOLINT(readability-identifier-naming): nanoflann calls it
    if (!full()) {
      ++count_;
    } else if (!before(distance, index, count_ - 1)) {
      return true;  // nanoflann asks for worstDist() once a leaf only
    }
    std::size_t i = count_ - 1;
    for (; i > 0 && before(distance, index, i - 1); --i) {
      distances_[i] = distances_[i - 1];
      indices_[i] = indices_[i - 1];
    }
    distances_[i] = distance;
    indices_[i] = index;
    return true;
  }

  /// nanoflann opens boxes that are no farther than this. One step less keeps it from opening every box at exactly that
  /// distance, of which masses of duplicate points make as many as there are points.
  [[nodiscard]] double worstDist() const {  // NOLINT(readability-identifier-naming)
    if (!full()) {
      return std::numeric_limits<double>::infinity();
    }
    const double worst = distances_[count_ - 1];
    return worst > 0.0 ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(worst) - 1) : -1.0;
  }

 private:
  [[nodiscard]] bool before(double distance, std::uint32_t index, std::size_t i) const {
    return distance < distances_[i] || (distance == distances_[i] && index < indices_[i]);
  }

  std::span<std::uint32_t> indices_;
  std::span<double> distances_;
  std::size_t count_ = 0;
};

/// Keeps all points nearer than a distance, up to a limit.
class AllWithin {
 public:
  AllWithin(double distance, std::size_t limit, std::vector<std::uint32_t>& indices)
      : distance_(distance), limit_(limit), indices_(indices) {}

  [[nodiscard]] bool overflowed() const { return overflowed_; }
  [[nodiscard]] bool full() const { return true; }

  bool addPoint(double distance, std::uint32_t index) {  // NOLINT(readability-identifier-naming)
    if (distance < distance_) {
      overflowed_ = indices_.size() == limit_;
      if (!overflowed_) {
        indices_.push_back(index);
      }
    }
    return !overflowed_;
  }
  [[nodiscard]] double worstDist() const { return distance_; }  // NOLINT(readability-identifier-naming)

 private:
  double distance_;
  std::size_t limit_;
  std::vector<std::uint32_t>& indices_;
  bool overflowed_ = false;
};

template <class Distance>
using KdTree = nanoflann::KDTreeSingleIndexAdaptor<Distance, PointsAdaptor, 3, std::uint32_t>;
using EuclideanTree = KdTree<nanoflann::L2_Simple_Adaptor<double, PointsAdaptor, double, std::uint32_t>>;
using CityBlockTree = KdTree<nanoflann::L1_Adaptor<double, PointsAdaptor, double, std::uint32_t>>;

}  // namespace

struct NeighbourSearch::Tree {
  PointsAdaptor adaptor;
  std::variant<std::monostate, EuclideanTree, CityBlockTree> index;

  Tree(std::span<const Vec3> points, Metric metric) : adaptor{points} {
    const nanoflann::KDTreeSingleIndexAdaptorParams leaf_size(10);
    if (points.empty()) {
      return;
    }
    if (metric == Metric::squared_euclidean) {
      index.emplace<EuclideanTree>(3, adaptor, leaf_size);
    } else {
      index.emplace<CityBlockTree>(3, adaptor, leaf_size);
    }
  }
};

NeighbourSearch::NeighbourSearch(std::span<const Vec3> points, Metric metric)
    : tree_(std::make_unique<Tree>(points, metric)) {}
NeighbourSearch::~NeighbourSearch() = default;
NeighbourSearch::NeighbourSearch(NeighbourSearch&&) noexcept = default;
NeighbourSearch& NeighbourSearch::operator=(NeighbourSearch&&) noexcept = default;

std::size_t NeighbourSearch::nearest(const Vec3& query, std::span<std::uint32_t> indices,
                                     std::span<double> distances) const {
  NearestInOrder found(indices, distances);
  if (!indices.empty()) {
    std::visit(
        [&]<class Index>(const Index& index) {
          if constexpr (!std::is_same_v<Index, std::monostate>) {
            index.findNeighbors(found, query.data(), nanoflann::SearchParams());
          }
        },
        tree_->index);
  }
  return found.size();
}

bool NeighbourSearch::within(const Vec3& query, double distance, std::size_t limit,
                             std::vector<std::uint32_t>& indices) const {
  indices.clear();
  AllWithin found(distance, limit, indices);
  std::visit(
      [&]<class Index>(const Index& index) {
        if constexpr (!std::is_same_v<Index, std::monostate>) {
          index.findNeighbors(found, query.data(), nanoflann::SearchParams());
        }
      },
      tree_->index);
  return !found.overflowed();
}

}  // namespace burnish
