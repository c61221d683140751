#include "glr/patch_distance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "geometry/frames.hpp"
#include "glr/nearest_projection.hpp"

namespace burnish::glr {
namespace {

/// A patch in a reference frame: u and v in the plane, height above it.
struct ProjectedPatch {
  double u[PlanePoints::capacity];
  double v[PlanePoints::capacity];
  double height[PlanePoints::capacity];
  double radius = 0.0;  ///< the largest |u| or |v|
  PlanePoints plane;    ///< u and v once more, for the kernel
};

void project(std::span<const Vec3> points, std::span<const std::uint32_t> members, const Vec3& origin,
             const Eigen::Matrix3d& axes, ProjectedPatch& patch) {
  patch.plane.count = members.size();
  double radius = 0.0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Vec3 p = points[members[i]] - origin;
    patch.u[i] = p.dot(axes.col(0));
    patch.v[i] = p.dot(axes.col(1));
    patch.height[i] = p.dot(axes.col(2));
    radius = std::max({radius, std::abs(patch.u[i]), std::abs(patch.v[i])});
    patch.plane.u[i] = static_cast<float>(patch.u[i]);
    patch.plane.v[i] = static_cast<float>(patch.v[i]);
  }
  patch.radius = radius;
}

double squared_plane_distance(const ProjectedPatch& a, std::size_t i, const ProjectedPatch& b, std::size_t j) {
  const double du = a.u[i] - b.u[j];
  const double dv = a.v[i] - b.v[j];
  return du * du + dv * dv;
}

std::uint8_t nearest_exactly(const ProjectedPatch& a, std::size_t i, const ProjectedPatch& b) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < b.plane.count; ++j) {
    if (squared_plane_distance(a, i, b, j) < squared_plane_distance(a, i, b, best)) {
      best = j;
    }
  }
  return static_cast<std::uint8_t>(best);
}

/// The nearest point of b for every point of a, exactly. The kernel works in single precision; where its two nearest
/// are too close to tell apart, the comparison is made again in double.
void nearest_points(const ProjectedPatch& a, const ProjectedPatch& b, NearestInPlane& found, std::uint8_t* partners) {
  nearest_projection(a.plane, b.plane, found);
  // A coordinate is rounded by at most 2⁻²⁴ of the radius R, so a squared distance d² is off by less than 10⁻⁶·R·d.
  const float margin = 4e-6F * static_cast<float>(std::max(a.radius, b.radius));
  for (std::size_t i = 0; i < a.plane.count; ++i) {
    const bool clear = found.second[i] - found.nearest[i] > margin * std::sqrt(found.second[i]);
    partners[i] = clear ? static_cast<std::uint8_t>(found.index[i]) : nearest_exactly(a, i, b);
  }
}

struct PlanePartner {
  bool valid = false;
  double height_difference = 0.0;
  std::array<std::uint8_t, 3> corners{};
};

/// Section V-A3: the point above or below point i of a on the plane through the three points of b whose projections
/// are nearest. Not valid if these three do not span a plane that can be seen from above.
PlanePartner interpolate(const ProjectedPatch& a, std::size_t i, const ProjectedPatch& b) {
  PlanePartner result;
  if (b.plane.count < 3) {
    return result;
  }
  std::array<std::uint8_t, PlanePoints::capacity> order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  std::partial_sort(order.begin(), order.begin() + 3, order.begin() + static_cast<std::ptrdiff_t>(b.plane.count),
                    [&](std::uint8_t j, std::uint8_t l) {
                      const double dj = squared_plane_distance(a, i, b, j);
                      const double dl = squared_plane_distance(a, i, b, l);
                      return dj < dl || (dj == dl && j < l);
                    });
  const auto corner = [&](std::size_t c) { return Vec3(b.u[order[c]], b.v[order[c]], b.height[order[c]]); };
  const Vec3 ab = corner(1) - corner(0);
  const Vec3 ac = corner(2) - corner(0);
  const Vec3 normal(ab.y() * ac.z() - ab.z() * ac.y(), ab.z() * ac.x() - ab.x() * ac.z(),
                    ab.x() * ac.y() - ab.y() * ac.x());
  // A sliver would throw the interpolated point far off.
  constexpr double thinnest = 0.1;
  if (std::abs(normal.z()) <= thinnest * ab.head<2>().norm() * ac.head<2>().norm()) {
    return result;
  }
  result.valid = true;
  std::copy_n(order.begin(), 3, result.corners.begin());
  result.height_difference = normal.dot(Vec3(a.u[i], a.v[i], a.height[i]) - corner(0)) / normal.z();
  return result;
}

/// Equation 34: the shares are proportional to the distances of the point to the corners.
std::array<double, 3> shares_of(const ProjectedPatch& a, std::size_t i, const ProjectedPatch& b,
                                const std::array<std::uint8_t, 3>& corners) {
  std::array<double, 3> shares{};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t j = corners[c];
    shares[c] = std::sqrt(squared_plane_distance(a, i, b, j) + std::pow(a.height[i] - b.height[j], 2));
  }
  const double sum = shares[0] + shares[1] + shares[2];
  for (double& share : shares) {
    share /= sum;
  }
  return shares;
}

}  // namespace

Correspondences find_correspondences(std::span<const Vec3> points, const Patches& patches, const PatchGraph& graph,
                                     Interpolation interpolation, double interpolation_distance,
                                     const ExecutionContext& context) {
  Correspondences result;
  result.stride = (patches.size + 7) / 8 * 8;
  result.partners.assign(graph.slots() * result.stride, Correspondences::no_partner);
  result.squared_distances.assign(graph.slots(), 0.0);
  constexpr std::size_t block = 64;
  std::vector<std::vector<InterpolatedPartner>> interpolations((patches.count() + block - 1) / block);

  parallel_blocks(context, patches.count(), block, [&](std::size_t begin, std::size_t end) {
    ProjectedPatch own{};
    ProjectedPatch other{};
    NearestInPlane found;
    std::vector<Vec3> own_points(patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      std::ranges::transform(patches.patch(m), own_points.begin(), [&](std::uint32_t p) { return points[p]; });
      const Eigen::Matrix3d axes = principal_frame(own_points).axes;  // equations 29 and 30
      project(points, patches.patch(m), patches.origins[m], axes, own);
      for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
        if (graph.connects[s] == 0) {
          continue;
        }
        const std::uint32_t n = graph.neighbours[s];
        project(points, patches.patch(n), patches.origins[n], axes, other);
        std::uint8_t* partners = &result.partners[s * result.stride];
        nearest_points(own, other, found, partners);

        double sum = 0.0;  // equation 31
        for (std::size_t i = 0; i < patches.size; ++i) {
          double difference = own.height[i] - other.height[partners[i]];
          if (interpolation != Interpolation::off &&
              squared_plane_distance(own, i, other, partners[i]) > interpolation_distance * interpolation_distance) {
            const PlanePartner plane = interpolate(own, i, other);
            if (plane.valid) {
              difference = plane.height_difference;
              if (interpolation == Interpolation::connect) {
                interpolations[m / block].push_back({s, static_cast<std::uint8_t>(i), plane.corners,
                                                     shares_of(own, i, other, plane.corners)});
                partners[i] = Correspondences::no_partner;
              }
            }
          }
          sum += difference * difference;
        }
        result.squared_distances[s] = sum / static_cast<double>(patches.size);
      }
    }
  });

  result.interpolations_begin.assign(graph.slots() + 1, 0);
  for (const auto& part : interpolations) {
    for (const InterpolatedPartner& partner : part) {
      ++result.interpolations_begin[partner.slot + 1];
    }
    result.interpolations.insert(result.interpolations.end(), part.begin(), part.end());
  }
  std::partial_sum(result.interpolations_begin.begin(), result.interpolations_begin.end(),
                   result.interpolations_begin.begin());
  return result;
}

}  // namespace burnish::glr
