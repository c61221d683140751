#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

#include "glr/patches.hpp"
#include "glr/point_graph.hpp"

namespace burnish::glr {

/// Rotations between patches. On a curved surface a patch is like its neighbours only after a rotation: x − c_m is
/// compared with T_mn (x' − c_n), where T_mn rotates the plane of patch n into that of m. Not in the paper.
class PatchRotations {
 public:
  PatchRotations(std::span<const Vec3> points, const Patches& patches, const ExecutionContext& context);

  /// T_mn, about the line in which the planes meet. Noise tilts planes as well, and that part is not to be kept: the
  /// angle is shrunk by the variance that noise gives it, as James and Stein shrink means.
  [[nodiscard]] Eigen::Matrix3d rotation(std::size_t m, std::size_t n) const;

 private:
  struct Plane {
    Vec3 normal;
    double uncertainty;  ///< variance of the angle, in both directions together
  };
  std::vector<Plane> planes_;
};

/// What rotations add to the right side of the system: every edge between nodes i of m and j of n, of weight w, pulls
/// x_i − x_j towards c_m − c_n + (T_mn − I)(x_j − c_n), of which the Laplacian has the first part only. `scales` are
/// those of the nodes.
[[nodiscard]] std::vector<Vec3> pull_of_rotations(const PatchRotations& rotations, const PointGraph& graph,
                                                  std::span<const double> scales, std::span<const Vec3> points,
                                                  const NodesOfPoints& nodes, const ExecutionContext& context);

}  // namespace burnish::glr
