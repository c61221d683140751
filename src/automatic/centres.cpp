#include "automatic/centres.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"

namespace burnish::automatic {
namespace {

/// A point with its squared distances to the two nearest others. Mutual nearest neighbours are equal in the first;
/// points of a regular lattice are equal in both, and then the order is arbitrary.
struct Offer {
  double nearest;
  double second;
  std::uint64_t tie_break;
  std::uint32_t point;

  [[nodiscard]] bool before(const Offer& other) const {
    if (nearest != other.nearest) {
      return nearest > other.nearest;
    }
    if (second != other.second) {
      return second > other.second;
    }
    return tie_break != other.tie_break ? tie_break < other.tie_break : point < other.point;
  }
};

std::uint64_t tie_break_of(const Vec3& point) {
  const auto bits = [&](int axis) { return std::bit_cast<std::uint64_t>(point[axis]); };
  return RandomStream(RandomStream(bits(0), bits(1)).bits(), bits(2)).bits();
}

std::vector<std::uint32_t> order_of_offers(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                           const ExecutionContext& context) {
  std::vector<Offer> offers(points.size());
  parallel_for(context, points.size(), 256, [&](std::size_t p) {
    std::array<std::uint32_t, 3> indices{};
    std::array<double, 3> squares{};
    search.nearest(points[p], indices, squares);
    offers[p] = {squares[1], squares[2], tie_break_of(points[p]), static_cast<std::uint32_t>(p)};
  });
  parallel_sort(context, offers, [](const Offer& a, const Offer& b) { return a.before(b); });
  std::vector<std::uint32_t> order(points.size());
  std::ranges::transform(offers, order.begin(), &Offer::point);
  return order;
}

}  // namespace

Centres::Centres(const std::vector<Vec3>& points, const NeighbourSearch& search, const ExecutionContext& context)
    : points_(points), context_(context), search_(search), order_(order_of_offers(points, search_, context)) {}

const std::vector<std::uint32_t>& Centres::choose(double distance, std::size_t patch_size) {
  std::vector<std::uint32_t>& chosen = chosen_[{distance, patch_size}];
  if (chosen.empty()) {
    chosen = find(distance, patch_size);
  }
  return chosen;
}

std::vector<std::uint32_t> Centres::find(double distance, std::size_t patch_size) const {
  std::vector<bool> kept_away(points_.size(), false);
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> near;
  std::vector<double> squares(patch_size);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (i % 65536 == 0) {
      context_.check_cancelled();
    }
    const std::uint32_t p = order_[i];
    if (kept_away[p]) {
      continue;
    }
    chosen.push_back(p);
    near.clear();
    if (!search_.within_radius(points_[p], distance, patch_size, near)) {
      near.resize(patch_size);
      near.resize(search_.nearest(points_[p], near, squares));
    }
    for (const std::uint32_t n : near) {
      kept_away[n] = true;
    }
  }
  return chosen;
}

double Centres::find_distance(std::size_t patch_size, double coverage) const {
  const double wanted = std::min(coverage / static_cast<double>(patch_size), 0.5) * static_cast<double>(points_.size());
  // The search starts at the typical distance of nearest neighbours. Counts decrease with a power of the distance
  // between 2 (on a surface) and 3 (in noise), so a few corrections suffice.
  const Vec3& typical = points_[order_[order_.size() / 2]];
  std::array<std::uint32_t, 2> indices{};
  std::array<double, 2> squares{};
  search_.nearest(typical, indices, squares);
  double distance = std::sqrt(squares[1] * static_cast<double>(points_.size()) / wanted);
  for (int correction = 0; correction < 4; ++correction) {
    const double ratio = static_cast<double>(find(distance, patch_size).size()) / wanted;
    if (std::abs(ratio - 1.0) < 0.05) {
      break;
    }
    distance *= math::pow(ratio, 0.45);
  }
  return distance;
}

}  // namespace burnish::automatic
