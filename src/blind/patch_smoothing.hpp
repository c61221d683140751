#pragma once

#include <vector>

#include "burnish/execution.hpp"
#include "burnish/glr.hpp"
#include "glr/laplacian.hpp"
#include "glr/patch_distance.hpp"

namespace burnish::blind {

/// Graph Laplacian regularisation over patches of one size, iteration by iteration: the stages of denoise_glr in the
/// form that docs/method.md finds best when the noise is known and the scale is not.
class PatchSmoothing {
 public:
  /// Finds patches of `patch_size` points. The weight of fidelity against the pull of one patch grows by `fidelity`
  /// with every iteration.
  PatchSmoothing(const std::vector<Vec3>& points, unsigned patch_size, double fidelity,
                 const ExecutionContext& context);

  /// The same patches in a cloud that differs a little.
  PatchSmoothing(const PatchSmoothing& other, const std::vector<Vec3>& points);

  /// One iteration; the points are those given before, as the last iteration left them.
  void advance(std::vector<Vec3>& points);

 private:
  void connect(const std::vector<Vec3>& points);

  GlrSettings settings_;
  double fidelity_;
  const ExecutionContext& context_;
  glr::Patches patches_;
  glr::PatchGraph patch_graph_;
  glr::NodesOfPoints nodes_;
  glr::Correspondences correspondences_;
  glr::LaplacianAssembler assembler_;
  double coverage_;  ///< patches that a point is in, on average
  unsigned iteration_ = 0;
};

}  // namespace burnish::blind
