#include "geometry/normals.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "geometry/frames.hpp"

namespace burnish {
namespace {

/// From 1 (two normals agree) to −1 (they are opposed); near 0 it is uncertain.
double agreement(const Vec3& step, const Vec3& own, const Vec3& other, double squared_radius, Orientation rule) {
  const double parallel = own.dot(other);
  return rule == Orientation::parallel
             ? parallel
             : parallel - 2.0 * step.dot(own) * step.dot(other) / (step.squaredNorm() + squared_radius);
}

struct Edge {
  bool opposed;
  double cost;
  std::uint32_t from;
  std::uint32_t to;
};

std::vector<Edge> sorted_edges(std::span<const Vec3> points, std::span<const Vec3> normals,
                               const Neighbourhoods& neighbourhoods, std::size_t count, Orientation rule,
                               const ExecutionContext& context) {
  const std::size_t others = neighbourhoods.nearest(0, count).size() - 1;
  std::vector<Edge> edges(normals.size() * others);
  parallel_for(context, normals.size(), 1024, [&](std::size_t i) {
    const auto nearest = neighbourhoods.nearest(i, count);
    const double squared_radius = (points[nearest[others]] - points[i]).squaredNorm();
    for (std::size_t k = 0; k < others; ++k) {
      const std::uint32_t j = nearest[k + 1];
      const double agrees = agreement(points[j] - points[i], normals[i], normals[j], squared_radius, rule);
      edges[i * others + k] = {agrees < 0.0, 1.0 - std::abs(agrees), static_cast<std::uint32_t>(i), j};
    }
  });
  parallel_sort(context, edges, [](const Edge& a, const Edge& b) {
    if (a.cost != b.cost) {
      return a.cost < b.cost;
    }
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  return edges;
}

/// Sets of points whose normals are known to agree or to be opposed: union-find that keeps, for every point, whether
/// its normal is opposed to that of its parent. Joining sets along the cheapest edges first (Kruskal) walks the
/// minimum spanning tree without building it.
class AgreeingSets {
 public:
  explicit AgreeingSets(std::size_t points) : parent_(points), opposed_(points, 0), rank_(points, 0) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  struct Root {
    std::uint32_t point;
    bool opposed;
  };

  Root find(std::uint32_t i) {
    std::uint32_t root = i;
    bool opposed = false;
    while (parent_[root] != root) {
      opposed ^= opposed_[root] != 0;
      root = parent_[root];
    }
    bool rest = opposed;
    while (parent_[i] != root && i != root) {  // the path is shortened
      const std::uint32_t next = std::exchange(parent_[i], root);
      const bool step = std::exchange(opposed_[i], static_cast<std::uint8_t>(rest)) != 0;
      rest ^= step;
      i = next;
    }
    return {root, opposed};
  }

  void join(std::uint32_t i, std::uint32_t j, bool normals_opposed) {
    Root a = find(i);
    Root b = find(j);
    if (a.point == b.point) {
      return;
    }
    if (rank_[a.point] < rank_[b.point]) {
      std::swap(a, b);
    }
    if (rank_[a.point] == rank_[b.point]) {
      ++rank_[a.point];
    }
    parent_[b.point] = a.point;
    opposed_[b.point] = static_cast<std::uint8_t>(a.opposed ^ b.opposed ^ normals_opposed);
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> opposed_;
  std::vector<std::uint8_t> rank_;
};

}  // namespace

std::vector<Vec3> estimate_normals(std::span<const Vec3> points, const Neighbourhoods& neighbourhoods,
                                   std::size_t count, const ExecutionContext& context) {
  std::vector<Vec3> normals(points.size());
  parallel_blocks(context, points.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<Vec3> around;
    for (std::size_t i = begin; i < end; ++i) {
      around.clear();
      for (const std::uint32_t j : neighbourhoods.nearest(i, count)) {
        around.push_back(points[j]);
      }
      normals[i] = principal_frame(around).axes.col(2);
    }
  });
  return normals;
}

void orient_normals(std::span<const Vec3> points, std::span<Vec3> normals, const Neighbourhoods& neighbourhoods,
                    std::size_t count, Orientation rule, const ExecutionContext& context) {
  if (points.size() < 2) {
    return;
  }
  AgreeingSets sets(points.size());
  for (const Edge& edge : sorted_edges(points, normals, neighbourhoods, count, rule, context)) {
    sets.join(edge.from, edge.to, edge.opposed);
  }

  struct Part {
    Vec3 middle = Vec3::Zero();
    double points = 0.0;
    double outwards = 0.0;
  };
  std::vector<Part> parts(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto root = sets.find(static_cast<std::uint32_t>(i));
    parts[root.point].middle += points[i];
    parts[root.point].points += 1.0;
    if (root.opposed) {
      normals[i] = -normals[i];
    }
  }
  // By the divergence theorem, ∫ n·(p − m) over a closed surface is three times the volume if n points outwards.
  for (std::size_t i = 0; i < points.size(); ++i) {
    Part& part = parts[sets.find(static_cast<std::uint32_t>(i)).point];
    part.outwards += normals[i].dot(points[i] - part.middle / part.points);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (parts[sets.find(static_cast<std::uint32_t>(i)).point].outwards < 0.0) {
      normals[i] = -normals[i];
    }
  }
}

std::vector<Vec3> oriented_normals(std::span<const Vec3> points, std::span<const Vec3> known,
                                   const Neighbourhoods& neighbourhoods, std::size_t count,
                                   const ExecutionContext& context) {
  if (!known.empty()) {
    return {known.begin(), known.end()};
  }
  std::vector<Vec3> normals = estimate_normals(points, neighbourhoods, count, context);
  orient_normals(points, normals, neighbourhoods, count, Orientation::parallel, context);
  return normals;
}

}  // namespace burnish
