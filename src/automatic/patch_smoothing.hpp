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

/// Graph Laplacian regularisation over patches of one size, iteration by iteration: the stages of denoise_glr with the
/// differences listed in docs/automatic.md.
class PatchSmoothing {
 public:
  /// Patches per point, on average: fewer are less accurate, more only cost time.
  static constexpr double coverage = 6.0;

  /// Creates the patches of a step around centres. The weight of the fidelity relative to the attraction of one patch
  /// grows by that of the step with every iteration. If the step has no ε, it is computed from the data in every
  /// iteration, and systems are solved to fewer digits, because the step is only a trial.
  PatchSmoothing(const std::vector<Vec3>& points, const NeighbourSearch& search, std::span<const double> noise,
                 std::span<const std::uint32_t> centres, const SmoothPatches& step, const ExecutionContext& context);

  /// The same patches in a slightly different cloud, for the perturbed copy.
  PatchSmoothing(const PatchSmoothing& other, const std::vector<Vec3>& points);

  /// Returns to the state after this number of iterations, with or without rotation of patches.
  void go_back(std::size_t iterations, bool rotations);

  /// One iteration on the result of the previous one. Returns ε.
  double advance(std::vector<Vec3>& points);

 private:
  void connect(const std::vector<Vec3>& points);

  double tolerance_;  ///< of the solution, relative to the move
  GlrSettings settings_;
  bool rotations_;
  glr::Reuse reuse_ = glr::Reuse::none;  ///< of correspondences
  double fidelity_;
  std::vector<double>
      relative_variance_;  ///< of the noise of every point, relative to that of the step; empty if all are 1
  std::vector<double> patch_variance_;  ///< of patches, the same
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
