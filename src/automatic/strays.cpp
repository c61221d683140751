#include "automatic/strays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "geometry/robust_plane.hpp"

namespace burnish::automatic {
namespace {

/// Points this many times as far from their neighbours as those are from theirs may be strays, or are certainly
/// isolated.
constexpr double suspect_isolation = 1.5;
constexpr double certain_isolation = 2.5;

/// The same relative to the typical distance in the cloud, for points that fill a volume.
constexpr double suspect_sparseness = 2.0;
constexpr double certain_sparseness = 3.0;

/// In a volume, the least principal variance of a neighbourhood is more than this fraction of the middle one.
constexpr double least_thickness = 0.2;

/// Points around a stray to which its plane is fitted, and the fraction of them that must lie on it.
constexpr std::size_t plane_points = 24;
constexpr double part_on_plane = 0.75;

/// Least distance of a stray from its plane, in standard deviations of the noise.
constexpr double least_deviations = 4.0;

/// Largest height of noise, in distances of neighbouring points.
constexpr double farthest_of_all = 12.0;

}  // namespace

StraySearch::StraySearch(const std::vector<Vec3>& points, const NeighbourSearch& search,
                         const ExecutionContext& context)
    : points_(points),
      search_(search),
      context_(context),
      nearest_(points.size()),
      distance_(points.size(), std::numeric_limits<double>::infinity()) {
  if (points.size() <= 4 * neighbours) {
    return;
  }
  parallel_blocks(context, points.size(), 256, [&](std::size_t begin, std::size_t end) {
    NeighbourQueries queries(search_, neighbours + 1);
    for (std::size_t p = begin; p < end; ++p) {
      const NeighbourQueries::Found found = queries.nearest(points_[p]);
      double sum = 0.0;
      for (const double square : found.distances) {
        sum += std::sqrt(square);
      }
      distance_[p] = sum / neighbours;
      std::ranges::copy(found.indices, nearest_[p].begin());
      if (const auto itself = std::ranges::find(nearest_[p], p); itself != nearest_[p].end()) {
        std::iter_swap(nearest_[p].begin(), itself);
      }
    }
  });
}

double StraySearch::typical_distance() const {
  if (points_.size() <= 4 * neighbours) {
    return 0.0;
  }
  std::vector<double> sorted = distance_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

double StraySearch::isolation(std::size_t p) const {
  std::array<double, neighbours> around;
  std::transform(nearest_[p].begin() + 1, nearest_[p].end(), around.begin(),
                 [&](std::uint32_t n) { return distance_[n]; });
  std::ranges::nth_element(around, around.begin() + neighbours / 2);
  return distance_[p] / around[neighbours / 2];
}

bool StraySearch::fills_volume(const Vec3& centre) const {
  std::array<std::uint32_t, 24> indices{};
  std::array<double, 24> squares{};
  const std::size_t count = search_.nearest(centre, indices, squares);
  std::array<Vec3, 24> around;
  std::transform(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(count), around.begin(),
                 [&](std::uint32_t i) { return points_[i]; });
  const std::span<const Vec3> members(around.data(), count);
  const PrincipalFrame frame = principal_frame(members);
  Vec3 spread = Vec3::Zero();
  for (const Vec3& p : members) {
    spread += (frame.axes.transpose() * (p - frame.mean)).cwiseAbs2();
  }
  return spread[2] > least_thickness * spread[1];
}

std::vector<bool> StraySearch::isolated(double typical_distance) const {
  std::vector<std::uint8_t> is_isolated(points_.size(), 0);
  if (points_.size() > 4 * neighbours) {
    parallel_for(context_, points_.size(), 256, [&](std::size_t p) {
      is_isolated[p] = isolation(p) > certain_isolation ||
                               (distance_[p] > certain_sparseness * typical_distance && fills_volume(points_[p]))
                           ? 1
                           : 0;
    });
  }
  return {is_isolated.begin(), is_isolated.end()};
}

std::vector<Stray> StraySearch::find(double typical_distance, std::span<const double> noise, Among among) const {
  if (points_.size() <= 4 * neighbours) {
    return {};
  }
  std::vector<std::uint8_t> marks(points_.size(), 0);
  parallel_for(context_, points_.size(), 256, [&](std::size_t p) {
    marks[p] = isolation(p) > suspect_isolation ||
                       (distance_[p] > suspect_sparseness * typical_distance && fills_volume(points_[p]))
                   ? 1
                   : 0;
  });
  const std::vector<bool> is_suspect(marks.begin(), marks.end());
  std::vector<Stray> strays;
  for (std::uint32_t p = 0; p < points_.size(); ++p) {
    if (is_suspect[p] || among == Among::all) {
      strays.push_back({p, 0.0, points_[p]});
    }
  }
  parallel_for(context_, strays.size(), 64,
               [&](std::size_t s) { strays[s] = offset_of(strays[s].point, is_suspect, noise); });
  std::erase_if(strays, [](const Stray& stray) { return stray.height == 0.0; });
  return strays;
}

/// A height of 0 means that the point is not a stray.
Stray StraySearch::offset_of(std::uint32_t p, const std::vector<bool>& is_suspect,
                             std::span<const double> noise) const {
  constexpr std::size_t looked_at = 64;
  std::array<std::uint32_t, looked_at> indices{};
  std::array<double, looked_at> squares{};
  const std::size_t count = search_.nearest(points_[p], indices, squares);
  std::array<Vec3, plane_points> around;
  std::size_t found = 0;
  double spacing = 0.0;
  double sigma = 0.0;
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = 1; i < count && found < plane_points; ++i) {
    if (!is_suspect[indices[i]]) {
      around[found++] = points_[indices[i]];
      mean += points_[indices[i]] / plane_points;
      spacing += distance_[indices[i]] / plane_points;
      sigma += noise[indices[i]] / plane_points;
    }
  }
  Stray stray{p, std::numeric_limits<double>::infinity(), points_[p]};
  if (found < plane_points) {
    return stray;
  }
  double radius = 0.0;
  for (const Vec3& q : around) {
    radius = std::max(radius, (q - mean).norm());
  }
  std::array<double, plane_points> weights{};
  std::array<double, plane_points> scratch{};
  weights.fill(1.0);
  const RobustPlane plane = fit_robust_plane(around, weights, radius, std::max(sigma, 0.05 * spacing), scratch);
  const Vec3 normal = plane.frame.axes.col(2);
  const double height = normal.dot(points_[p] - plane.frame.mean);
  stray.foot = points_[p] - height * normal;
  if ((stray.foot - plane.frame.mean).norm() > radius) {
    // Beyond the border of the surface the plane is not valid; a point may still be too far from all others.
    stray.foot = points_[p];
    stray.height = distance_[p] > 4.0 * spacing + 5.0 * sigma ? std::numeric_limits<double>::infinity() : 0.0;
    return stray;
  }
  const auto on_plane = std::ranges::count_if(around, [&](const Vec3& q) {
    return std::abs(normal.dot(q - plane.frame.mean)) < 3.0 * std::max(sigma, 0.1 * spacing);
  });
  const bool is_certain = static_cast<double>(on_plane) >= part_on_plane * plane_points;
  // In sparse parts of a surface points are isolated too, but not because of their height.
  const bool is_high = std::abs(height) > std::max({least_deviations * sigma, 0.2 * spacing, 0.25 * distance_[p]});
  stray.height = is_certain && is_high ? std::abs(height) / spacing : 0.0;
  return stray;
}

double farthest_pull(const std::vector<Stray>& strays) {
  // Numbers of strays by distance, in shells that end at 2, 4, 8, 16 distances.
  constexpr std::array ends = {2.0, 4.0, 8.0, 16.0};
  std::array<double, ends.size()> density{};
  for (const Stray& stray : strays) {
    const auto shell = static_cast<std::size_t>(std::ranges::upper_bound(ends, stray.height) - ends.begin());
    if (shell < ends.size()) {
      density[shell] += 1.0 / (ends[shell] - (shell == 0 ? 0.0 : ends[shell - 1]));
    }
  }
  // If strays far away are at least a quarter as frequent as in a shell, those in the shell are mostly outliers, too.
  const double of_outliers = std::max(density[2], density[3]);
  double farthest = 0.0;
  for (std::size_t shell = 0; shell < ends.size() && of_outliers <= 0.25 * density[shell]; ++shell) {
    farthest = ends[shell];
  }
  // If they are rare everywhere, strays beyond the last shell are rare large errors.
  return farthest >= ends[1] ? farthest_of_all : farthest;
}

}  // namespace burnish::automatic
