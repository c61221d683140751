#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automatic/plan.hpp"
#include "burnish/execution.hpp"
#include "burnish/glr.hpp"
#include "glr/laplacian.hpp"
#include "glr/patch_distance.hpp"

namespace burnish::automatic {

/// Graph Laplacian regularisation over patches of one size, iteration by iteration: the stages of denoise_glr in the
/// form that docs/automatic.md finds best when the noise is known and the scale is not.
class PatchSmoothing {
 public:
  /// How many patches a point is in, on average: fewer lose accuracy, more only cost time.
  static constexpr double coverage = 6.0;

  /// Finds the patches of a step around centres. The weight of fidelity against the attraction of one patch grows by
  /// that of the step with every iteration. The ε of every iteration is found from the data if the step has none: it is
  /// a trial, solved to fewer digits.
  PatchSmoothing(const std::vector<Vec3>& points, const NeighbourSearch& search, std::span<const double> noise,
                 std::span<const std::uint32_t> centres, const SmoothPatches& step, const ExecutionContext& context);

  /// The same patches in a cloud that differs a little, for comparing.
  PatchSmoothing(const PatchSmoothing& other, const std::vector<Vec3>& points);

  /// Back to the state after this number of iterations, with patches rotated or not. The same patches serve for both.
  void go_back(std::size_t iterations, bool rotations);

  /// One iteration; the points are those given before, as the last iteration left them. Returns ε.
  double advance(std::vector<Vec3>& points);

 private:
  void connect(const std::vector<Vec3>& points);

  double tolerance_;  ///< of the solution, against the move
  GlrSettings settings_;
  bool rotations_;
  glr::Reuse reuse_ = glr::Reuse::none;  ///< what correspondences are of
  double fidelity_;
  std::vector<double> relative_variance_;  ///< of the noise of every point, by that of the step; empty if all are 1
  std::vector<double> patch_variance_;     ///< of patches, the same
  const ExecutionContext& context_;
  glr::Patches patches_;
  glr::PatchGraph patch_graph_;
  glr::Correspondences correspondences_;
  glr::PointEdges edges_;
  glr::NodesOfPoints nodes_;
  glr::LaplacianAssembler assembler_;
  unsigned iteration_ = 0;
};

}  // namespace burnish::automatic
