#include "glr/patch_rotations.hpp"

#include <Eigen/Geometry>

#include <algorithm>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/frames.hpp"
#include "geometry/rotation.hpp"

namespace burnish::glr {
namespace {

/// How many times the variance that noise gives it the square of an angle loses.
constexpr double shortening = 1.5;

/// Planes at a larger angle, some 70 degrees, belong to different sides of an edge.
constexpr double largest_angle = 1.2;

}  // namespace

PatchRotations::PatchRotations(std::span<const Vec3> points, const Patches& patches, const ExecutionContext& context)
    : planes_(patches.count()) {
  parallel_blocks(context, patches.count(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<Vec3> members(patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      std::ranges::transform(patches.patch(m), members.begin(), [&](std::uint32_t p) { return points[p]; });
      const PrincipalFrame frame = principal_frame(members);
      Eigen::Array3d squares = Eigen::Array3d::Zero();
      for (const Vec3& p : members) {
        squares += (frame.axes.transpose() * (p - frame.mean)).array().square();
      }
      // The variance of the slope of a plane that noise of the heights causes, three degrees of freedom subtracted.
      const double height_variance = squares[2] / std::max(1.0, static_cast<double>(members.size()) - 3.0);
      const auto slope_variance = [&](double along) { return along > 0.0 ? height_variance / along : 0.0; };
      planes_[m] = {frame.axes.col(2), slope_variance(squares[0]) + slope_variance(squares[1])};
    }
  });
}

Eigen::Matrix3d PatchRotations::rotation(std::size_t m, std::size_t n) const {
  const Vec3& to = planes_[m].normal;
  const Vec3 from = planes_[n].normal.dot(to) < 0.0 ? Vec3(-planes_[n].normal) : planes_[n].normal;
  const Vec3 axis = from.cross(to);
  const double sine = axis.norm();
  const double angle = math::atan2(sine, from.dot(to));
  const double noise = shortening * (planes_[m].uncertainty + planes_[n].uncertainty);
  if (angle > largest_angle || !(angle * angle > noise)) {
    return Eigen::Matrix3d::Identity();
  }
  return rotation_about(axis / sine, (1.0 - noise / (angle * angle)) * angle);
}

std::vector<Vec3> pull_of_rotations(const PatchRotations& rotations, const PointGraph& graph,
                                    std::span<const double> scales, std::span<const Vec3> points,
                                    const NodesOfPoints& nodes, const ExecutionContext& context) {
  const Patches& patches = graph.patches;
  const std::size_t k = patches.size;
  std::vector<Vec3> of_nodes(patches.members.size());
  parallel_blocks(context, patches.count(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<double> scale_sums(k + 1);
    for (std::size_t m = begin; m < end; ++m) {
      Vec3* pulls = &of_nodes[m * k];
      std::fill_n(pulls, k, Vec3::Zero());
      for (std::uint32_t s = graph.patch_graph.begin[m]; s < graph.patch_graph.begin[m + 1]; ++s) {
        const std::uint32_t r = graph.patch_graph.reverse[s];
        const std::uint32_t n = graph.patch_graph.neighbours[s];
        const double* other_scales = &scales[n * k];
        if (graph.weights[s] > 0.0) {
          const Eigen::Matrix3d weighted_rotation =
              graph.weights[s] * (rotations.rotation(m, n) - Eigen::Matrix3d::Identity());
          for (std::size_t i = 0; i < k; ++i) {
            const std::uint8_t j = graph.edges.partners_of(s)[i];
            if (j != graph.edges.none) {
              pulls[i] += weighted_rotation * (other_scales[j] * (points[patches.patch(n)[j]] - patches.origins[n]));
            }
          }
        }
        if (graph.weights[r] > 0.0) {
          // The same edges from the other side: all that end at a node are rotated alike.
          const Eigen::Matrix3d weighted_rotation =
              graph.weights[r] * (rotations.rotation(n, m) - Eigen::Matrix3d::Identity());
          std::ranges::fill(scale_sums, 0.0);
          for (std::size_t j = 0; j < k; ++j) {
            scale_sums[graph.edges.partners_of(r)[j]] += other_scales[j];
          }
          for (std::size_t i = 0; i < k; ++i) {
            pulls[i] -= weighted_rotation * (scale_sums[i] * (points[patches.patch(m)[i]] - patches.origins[m]));
          }
        }
      }
      for (std::size_t i = 0; i < k; ++i) {
        pulls[i] *= scales[m * k + i];
      }
    }
  });
  std::vector<Vec3> result(points.size());
  parallel_for(context, points.size(), 1024, [&](std::size_t p) {
    Vec3 sum = Vec3::Zero();
    for (std::uint32_t e = nodes.begin[p]; e < nodes.begin[p + 1]; ++e) {
      sum += of_nodes[nodes.nodes[e]];
    }
    result[p] = sum;
  });
  return result;
}

}  // namespace burnish::glr
