#include "glr/patch_distance.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/parallel.hpp"
#include "geometry/frames.hpp"
#include "glr/nearest.hpp"
#include "glr/projection.hpp"

namespace burnish::glr {
namespace {

/// Gathers a patch relative to its origin.
void gather(std::span<const Vec3> points, const Patches& patches, std::size_t m, LocalPatch& patch) {
  const Vec3& origin = patches.origins[m];
  const std::span<const std::uint32_t> members = patches.patch(m);
  patch.count = members.size();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Vec3& p = points[members[i]];
    patch.x[i] = p.x() - origin.x();
    patch.y[i] = p.y() - origin.y();
    patch.z[i] = p.z() - origin.z();
  }
}

/// The largest distance of a patch's points from its origin.
double radius_of(std::span<const Vec3> points, const Patches& patches, std::size_t m) {
  double squared = 0.0;
  for (const std::uint32_t p : patches.patch(m)) {
    squared = std::max(squared, (points[p] - patches.origins[m]).squaredNorm());
  }
  return std::sqrt(squared);
}

/// Decides in double precision where the kernel is in doubt, so that the nearest points are exact.
void settle_doubts(const ProjectedPatch& a, const ProjectedPatch& b, Nearest& nearest) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (nearest.doubtful[i] != 0) {
      std::size_t best = 0;
      for (std::size_t j = 1; j < b.count; ++j) {
        if (a.squared_distance(i, b, j) < a.squared_distance(i, b, best)) {
          best = j;
        }
      }
      nearest.index[i] = static_cast<std::int32_t>(best);
    }
  }
}

struct PlanePartner {
  bool valid = false;
  double height_difference = 0.0;
  std::array<std::uint8_t, 3> corners{};
};

/// Section V-A3: the point above or below point i of a on the plane through the three points of b whose projections
/// are nearest. Valid only if i lies within that triangle in projection: beyond it the plane, tilted by the noise of
/// three points close together, would be far off.
PlanePartner interpolate(const ProjectedPatch& a, std::size_t i, const ProjectedPatch& b) {
  PlanePartner result;
  if (b.count < 3) {
    return result;
  }
  std::array<std::uint8_t, patch_capacity> order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  std::partial_sort(order.begin(), order.begin() + 3, order.begin() + static_cast<std::ptrdiff_t>(b.count),
                    [&](std::uint8_t j, std::uint8_t l) {
                      const double dj = a.squared_distance(i, b, j);
                      const double dl = a.squared_distance(i, b, l);
                      return dj < dl || (dj == dl && j < l);
                    });
  std::copy_n(order.begin(), 3, result.corners.begin());
  // Twice the signed area of the triangle that point i makes with the side opposite of each corner.
  std::array<double, 3> areas{};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t p = order[(c + 1) % 3];
    const std::size_t q = order[(c + 2) % 3];
    areas[c] = (b.u[p] - a.u[i]) * (b.v[q] - a.v[i]) - (b.u[q] - a.u[i]) * (b.v[p] - a.v[i]);
  }
  const double whole = areas[0] + areas[1] + areas[2];
  result.valid = whole != 0.0 && std::ranges::all_of(areas, [&](double area) { return area * whole >= 0.0; });
  if (result.valid) {
    double height = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      height += areas[c] / whole * b.height[order[c]];
    }
    result.height_difference = a.height[i] - height;
  }
  return result;
}

/// Equation 34: the shares are proportional to the distances of the point to the corners.
std::array<double, 3> shares_of(const ProjectedPatch& a, std::size_t i, const ProjectedPatch& b,
                                const std::array<std::uint8_t, 3>& corners) {
  std::array<double, 3> shares{};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t j = corners[c];
    shares[c] = std::sqrt(a.squared_distance(i, b, j) + std::pow(a.height[i] - b.height[j], 2));
  }
  const double sum = shares[0] + shares[1] + shares[2];
  for (double& share : shares) {
    share /= sum;
  }
  return shares;
}

/// What one thread works with.
struct Scratch {
  ProjectedPatch own;
  ProjectedPatch other;
  Nearest nearest;
  std::vector<InterpolatedPartner> interpolations;

  /// Patches that follow each other have most of their neighbours in common: the last ones gathered are kept.
  std::vector<LocalPatch> gathered{64};
  std::vector<std::uint32_t> gathered_patch = std::vector<std::uint32_t>(64, 0xFFFFFFFF);

  const LocalPatch& local(std::span<const Vec3> points, const Patches& patches, std::uint32_t m) {
    const std::size_t place = m % gathered.size();
    if (gathered_patch[place] != m) {
      gather(points, patches, m, gathered[place]);
      gathered_patch[place] = m;
    }
    return gathered[place];
  }
};

/// Puts planes in the place of partners that are farther than τ in projection; returns what that adds to the sum of
/// squared differences in height.
double interpolate_far_partners(std::uint32_t s, Interpolation interpolation, double interpolation_distance,
                                Scratch& scratch, std::uint8_t* partners) {
  const ProjectedPatch& own = scratch.own;
  const ProjectedPatch& other = scratch.other;
  double more = 0.0;
  for (std::size_t i = 0; i < own.count; ++i) {
    if (own.squared_distance(i, other, partners[i]) > interpolation_distance * interpolation_distance) {
      const PlanePartner plane = interpolate(own, i, other);
      if (plane.valid) {
        more += std::pow(plane.height_difference, 2) - std::pow(own.height[i] - other.height[partners[i]], 2);
        if (interpolation == Interpolation::connect) {
          scratch.interpolations.push_back(
              {s, static_cast<std::uint8_t>(i), plane.corners, shares_of(own, i, other, plane.corners)});
          partners[i] = Correspondences::no_partner;
        }
      }
    }
  }
  return more;
}

/// Finds the partners of a patch in its neighbour, which are both in the scratch; returns d²_{m→n}. The margin is how
/// much distances may change before partners do, twice.
double correspond(std::uint32_t s, double radius, Interpolation interpolation, double interpolation_distance,
                  Scratch& scratch, std::uint8_t* partners, float& margin) {
  const ProjectedPatch& own = scratch.own;
  const ProjectedPatch& other = scratch.other;
  Nearest& nearest = scratch.nearest;
  find_nearest(own, other, radius > 0.0 ? interpolation_distance / radius : 0.0, nearest);
  if (nearest.any_doubtful) {
    settle_doubts(own, other, nearest);
  }
  const std::size_t count = own.count;  // a write to a byte could be one to anything: not read again after each
  for (std::size_t i = 0; i < count; ++i) {
    partners[i] = static_cast<std::uint8_t>(nearest.index[i]);
  }
  double sum = sum_of_squared_differences(own.height, other.height, partners, count);
  double allowed = nearest.margin * radius;
  if (interpolation != Interpolation::off) {
    allowed = std::min(allowed, interpolation_distance - nearest.farthest * radius);
    if (nearest.any_far) {
      sum += interpolate_far_partners(s, interpolation, interpolation_distance, scratch, partners);
    }
  }
  margin = static_cast<float>(allowed);
  return sum / static_cast<double>(count);
}

/// The same where the partners are known.
double distance_of_partners(const Vec3& normal, const LocalPatch& other, const Scratch& scratch,
                            const std::uint8_t* partners) {
  double heights[patch_capacity];
  project_heights(other, normal, heights);
  return sum_of_squared_differences(scratch.own.height, heights, partners, other.count) /
         static_cast<double>(other.count);
}

/// The largest way of a patch's points.
double largest_move(const std::vector<Vec3>& from, std::span<const Vec3> to, std::span<const std::uint32_t> members) {
  double squared = 0.0;
  for (const std::uint32_t p : members) {
    squared = std::max(squared, (to[p] - from[p]).squaredNorm());
  }
  return std::sqrt(squared);
}

}  // namespace

void find_correspondences(std::span<const Vec3> points, const Patches& patches, const PatchGraph& graph,
                          Interpolation interpolation, double interpolation_distance, Correspondences& result,
                          const ExecutionContext& context, Before before) {
  Correspondences::Search& search = result.search;
  if (before == Before::anything) {
    result.stride = (patches.size + 7) / 8 * 8;
    result.partners.assign(graph.slots() * result.stride, Correspondences::no_partner);
    result.squared_distances.assign(graph.slots(), 0.0);
    search.margins.assign(graph.slots(), 0.0F);
    search.points.assign(points.begin(), points.end());
    search.normals.assign(patches.count(), Vec3::Zero());
  }
  constexpr std::size_t block = 512;
  std::vector<std::vector<InterpolatedPartner>> interpolations((patches.count() + block - 1) / block);

  std::vector<double> radii(patches.count());
  std::vector<double> moves(patches.count());
  parallel_for(context, patches.count(), block, [&](std::size_t m) {
    radii[m] = radius_of(points, patches, m);
    moves[m] = largest_move(search.points, points, patches.patch(m));
  });
  parallel_blocks(context, patches.count(), block, [&](std::size_t begin, std::size_t end) {
    const auto scratch = std::make_unique<Scratch>();
    std::vector<Vec3> own_points(patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      std::ranges::transform(patches.patch(m), own_points.begin(), [&](std::uint32_t p) { return points[p]; });
      const Eigen::Matrix3d axes = principal_frame(own_points).axes;  // equations 29 and 30
      const Vec3 normal = axes.col(2);
      double radius = radii[m];
      for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
        radius = std::max(radius, radii[graph.neighbours[s]]);
      }
      const double turn = std::min((normal - search.normals[m]).norm(), (normal + search.normals[m]).norm());
      search.normals[m] = normal;
      project(scratch->local(points, patches, static_cast<std::uint32_t>(m)), axes, radius, scratch->own);
      for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
        if (graph.connects[s] == 0) {
          continue;
        }
        const std::uint32_t n = graph.neighbours[s];
        const LocalPatch& other = scratch->local(points, patches, n);
        std::uint8_t* partners = &result.partners[s * result.stride];
        // A distance in projection changes by no more than its two points move, and the turn of the plane times the
        // distance of the points; the margin has room for errors of rounding.
        const double move = moves[m] + moves[n];
        float& margin = search.margins[s];
        margin = static_cast<float>(margin - 2.0 * (move + turn * (2.0 * radius + move)));
        if (margin > 0.0F) {
          result.squared_distances[s] = distance_of_partners(normal, other, *scratch, partners);
        } else {
          project(other, axes, radius, scratch->other);
          result.squared_distances[s] =
              correspond(s, radius, interpolation, interpolation_distance, *scratch, partners, margin);
        }
      }
    }
    interpolations[begin / block] = std::move(scratch->interpolations);
  });
  std::ranges::copy(points, search.points.begin());

  result.interpolations.clear();
  result.interpolations_begin.assign(graph.slots() + 1, 0);
  for (const auto& part : interpolations) {
    for (const InterpolatedPartner& partner : part) {
      ++result.interpolations_begin[partner.slot + 1];
    }
    result.interpolations.insert(result.interpolations.end(), part.begin(), part.end());
  }
  std::partial_sum(result.interpolations_begin.begin(), result.interpolations_begin.end(),
                   result.interpolations_begin.begin());
}

}  // namespace burnish::glr
