#include "burnish/mesh_sampling.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "burnish/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"

namespace burnish {
namespace {

constexpr std::size_t block = std::size_t{1} << 14;

/// A mesh from which random points can be drawn by number.
class RandomSurface {
 public:
  explicit RandomSurface(const TriangleMesh& mesh) : mesh_(mesh) {
    Eigen::AlignedBox3d box;
    for (const auto& triangle : mesh.triangles) {
      for (const std::uint32_t corner : triangle) {
        if (corner >= mesh.vertices.size()) {
          throw Error("a triangle refers to a vertex that does not exist");
        }
        if (!is_finite(mesh.vertices[corner])) {
          throw Error("a corner of a triangle is not finite");
        }
        box.extend(mesh.vertices[corner]);
      }
    }
    // In units of the size of the mesh, so that no area is lost because squares of lengths are too large or too small.
    size_ = mesh.triangles.empty() ? 0.0 : box.sizes().maxCoeff();
    double sum = 0.0;
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vec3 ab = (mesh.vertices[b] - mesh.vertices[a]) / size_;
      const Vec3 ac = (mesh.vertices[c] - mesh.vertices[a]) / size_;
      sum += 0.5 * ab.cross(ac).norm();
      area_up_to_.push_back(sum);
    }
    if (!std::isfinite(size_) || !(sum > 0.0)) {
      throw Error("no triangle has an area from which points could be sampled");
    }
    corner_ = box.min();
  }

  [[nodiscard]] double size() const { return size_; }
  /// The side of a square of the area that each of `count` points stands for.
  [[nodiscard]] double side(double count) const { return size_ * std::sqrt(area_up_to_.back() / count); }
  [[nodiscard]] const Vec3& lowest_corner() const { return corner_; }

  /// Random point number i.
  [[nodiscard]] Vec3 point(std::uint64_t seed, std::uint64_t i) const {
    RandomStream random(seed, i);
    const double place = random.uniform() * area_up_to_.back();
    const auto found = std::ranges::upper_bound(area_up_to_, place);
    const auto index = static_cast<std::size_t>(found - area_up_to_.begin());
    const auto& [a, b, c] = mesh_.triangles[std::min(index, area_up_to_.size() - 1)];
    // Uniform in the parallelogram, its far half folded back.
    double s = random.uniform();
    double t = random.uniform();
    if (s + t > 1.0) {
      s = 1.0 - s;
      t = 1.0 - t;
    }
    return mesh_.vertices[a] + s * (mesh_.vertices[b] - mesh_.vertices[a]) +
           t * (mesh_.vertices[c] - mesh_.vertices[a]);
  }

 private:
  const TriangleMesh& mesh_;
  std::vector<double> area_up_to_;
  double size_ = 0.0;
  Vec3 corner_ = Vec3::Zero();
};

/// Points that keep a distance, in a hashed grid of cells as wide as that distance.
class DistantPoints {
 public:
  DistantPoints(const Vec3& origin, double distance, std::size_t expected)
      : origin_(origin), distance_(distance), table_(std::bit_ceil(4 * expected + 64), none) {}

  /// Adds a point unless one of those added is nearer to it.
  void add(const Vec3& p) {
    const Vec3 place = (p - origin_) / distance_;
    const Cell cell = cell_of(place);
    // Its own cell first: there most are refused.
    if (has_near(place, cell)) {
      return;
    }
    for (const std::int64_t x : {-1, 0, 1}) {
      for (const std::int64_t y : {-1, 0, 1}) {
        for (const std::int64_t z : {-1, 0, 1}) {
          if ((x != 0 || y != 0 || z != 0) && has_near(place, {cell[0] + x, cell[1] + y, cell[2] + z})) {
            return;
          }
        }
      }
    }
    if (2 * positions.size() > table_.size()) {
      grow();
    }
    insert(cell, static_cast<std::uint32_t>(positions.size()));
    positions.push_back(p);
    places_.push_back(place);
  }

  std::vector<Vec3> positions;

 private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  static Cell cell_of(const Vec3& place) {
    return {std::llround(place.x()), std::llround(place.y()), std::llround(place.z())};
  }

  [[nodiscard]] std::size_t slot_of(const Cell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t coordinate : cell) {
      hash = (hash ^ static_cast<std::uint64_t>(coordinate)) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash) & (table_.size() - 1);
  }

  /// Every point has a slot of its own, the first free one from that of its cell on.
  void insert(const Cell& cell, std::uint32_t index) {
    std::size_t slot = slot_of(cell);
    while (table_[slot] != none) {
      slot = (slot + 1) & (table_.size() - 1);
    }
    table_[slot] = index;
  }

  /// Whether a point that starts from that cell's slot is near. Points of other cells may be among them, which does no
  /// harm.
  [[nodiscard]] bool has_near(const Vec3& place, const Cell& cell) const {
    for (std::size_t slot = slot_of(cell); table_[slot] != none; slot = (slot + 1) & (table_.size() - 1)) {
      if ((places_[table_[slot]] - place).squaredNorm() < 1.0) {
        return true;
      }
    }
    return false;
  }

  void grow() {
    table_.assign(2 * table_.size(), none);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      insert(cell_of(places_[i]), static_cast<std::uint32_t>(i));
    }
  }

  Vec3 origin_;
  double distance_;
  std::vector<std::uint32_t> table_;
  std::vector<Vec3> places_;  ///< relative to the origin, in units of the distance
};

/// Goes through the pool and keeps what is not too near. The pool is not stored: its points are made block by block.
std::vector<Vec3> eliminate(const RandomSurface& surface, double radius, std::size_t pool, std::size_t expected,
                            std::uint64_t seed, const ExecutionContext& context) {
  DistantPoints kept(surface.lowest_corner(), radius, expected);
  constexpr std::size_t at_once = 16 * block;
  std::vector<Vec3> candidates;
  for (std::size_t begin = 0; begin < pool; begin += at_once) {
    candidates.resize(std::min(at_once, pool - begin));
    parallel_for(context, candidates.size(), block / 4,
                 [&](std::size_t i) { candidates[i] = surface.point(seed, begin + i); });
    for (const Vec3& p : candidates) {
      kept.add(p);
    }
  }
  return std::move(kept.positions);
}

}  // namespace

std::vector<Vec3> sample_uniformly(const TriangleMesh& mesh, std::size_t points, std::uint64_t seed,
                                   const ExecutionContext& context) {
  const RandomSurface surface(mesh);
  std::vector<Vec3> result(points);
  parallel_for(context, points, block, [&](std::size_t i) { result[i] = surface.point(seed, first_random_point + i); });
  return result;
}

PoissonDiskSample sample_poisson_disk(const TriangleMesh& mesh, std::size_t points, std::uint64_t seed,
                                      const ExecutionContext& context) {
  const RandomSurface surface(mesh);
  if (points == 0) {
    return {};
  }
  constexpr std::size_t pool_rate = 24;
  constexpr int most_rounds = 16;
  const std::size_t pool = pool_rate * points + 1000;
  const auto wanted = static_cast<double>(points);
  const double tolerance = 0.005 * wanted;

  PoissonDiskSample best;
  double best_error = std::numeric_limits<double>::infinity();
  // Discs of half the radius cover about 0.53 of the surface when no more fit in.
  double radius = std::sqrt(4.0 * 0.53 / std::numbers::pi) * surface.side(wanted);
  double too_small = 0.0;
  double too_large = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds && best_error > tolerance; ++round) {
    context.report("sampling", static_cast<double>(round) / most_rounds);
    radius = std::max(radius, 1e-12 * surface.size());  // slivers; below that places cannot be distinguished
    std::vector<Vec3> kept = eliminate(surface, radius, pool, points, seed, context);
    const auto count = static_cast<double>(kept.size());
    if (std::abs(count - wanted) < best_error) {
      best_error = std::abs(count - wanted);
      best = {std::move(kept), radius};
    }
    (count > wanted ? too_small : too_large) = radius;
    // The number falls with the square of the radius on a surface; halving is for where it does not.
    const double guess = radius * std::sqrt(count / wanted);
    const bool inside = guess > too_small && guess < too_large;
    radius = inside ? guess : too_large < 1e300 ? 0.5 * (too_small + too_large) : 2.0 * radius;
  }
  context.report("sampling", 1.0);
  return best;
}

}  // namespace burnish
