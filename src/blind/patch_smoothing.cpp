#include "blind/patch_smoothing.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "glr/solver.hpp"

namespace burnish::blind {
namespace {

/// A point is in so many patches: with fewer it pays to have more, with more only the cost grows.
constexpr double wanted_coverage = 6.0;

GlrSettings settings_for(unsigned patch_size) {
  GlrSettings settings;
  settings.patch_size = patch_size;
  settings.centre_rate = std::min(0.5, wanted_coverage / patch_size);
  settings.patch_neighbours = 8;
  settings.patch_origin = PatchOrigin::mean;
  settings.symmetric_distance = false;
  settings.interpolation = Interpolation::off;
  settings.normalisation = Normalisation::node_degree;
  settings.threshold_factor = 3.0;
  return settings;
}

}  // namespace

PatchSmoothing::PatchSmoothing(const std::vector<Vec3>& points, unsigned patch_size, double fidelity,
                               const ExecutionContext& context)
    : settings_(settings_for(patch_size)), fidelity_(fidelity), context_(context) {
  patches_ = glr::make_patches(points, settings_, glr::outermost_point(points), context_);
  connect(points);
}

PatchSmoothing::PatchSmoothing(const PatchSmoothing& other, const std::vector<Vec3>& points)
    : settings_(other.settings_), fidelity_(other.fidelity_), context_(other.context_) {
  patches_ = glr::make_patches_again(points, other.patches_, settings_, context_);
  connect(points);
}

void PatchSmoothing::connect(const std::vector<Vec3>& points) {
  patch_graph_ = glr::make_patch_graph(points, patches_, settings_, context_);
  nodes_ = glr::nodes_of_points(patches_, points.size());
  coverage_ = static_cast<double>(patches_.members.size()) / static_cast<double>(points.size());
}

void PatchSmoothing::advance(std::vector<Vec3>& points) {
  ++iteration_;
  glr::find_correspondences(points, patches_, patch_graph_, settings_.interpolation, 0.0, correspondences_, context_);
  const glr::PointGraph graph =
      glr::make_point_graph(patches_, patch_graph_, correspondences_, settings_, 1.0, iteration_, context_);
  const glr::PointLaplacian& laplacian = assembler_.assemble(graph, nodes_, settings_, context_);
  // Degrees are normalised to 1 in every patch, so the fidelity counts in patches a point is in.
  const double mu = fidelity_ * iteration_ * coverage_;
  std::vector<Vec3> right_side(points.size());
  parallel_for(context_, points.size(), 4096,
               [&](std::size_t p) { right_side[p] = mu * points[p] + laplacian.centring[p]; });
  points = glr::conjugate_gradients(laplacian, mu, right_side, points, 1e-5, 100, context_).x;
}

}  // namespace burnish::blind
