#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

#include "glr/patches.hpp"
#include "glr/point_graph.hpp"

namespace burnish::glr {

/// How patches lie to each other. On a bent surface a patch is like its neighbours only after it is turned: x − c_m is
/// compared with T_mn (x' − c_n), where T_mn brings the plane of patch n to that of m. Beyond the paper.
class PatchRotations {
 public:
  PatchRotations(std::span<const Vec3> points, const Patches& patches, const ExecutionContext& context);

  /// T_mn, about the line in which the planes meet. Noise tilts planes as well, and that is not to be kept: a turn is
  /// shortened by what noise makes of it, as James and Stein shorten means.
  [[nodiscard]] Eigen::Matrix3d turn(std::size_t m, std::size_t n) const;

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
