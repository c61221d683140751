#include "automatic/patch_smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "glr/patch_rotations.hpp"
#include "glr/solver.hpp"

namespace burnish::automatic {
namespace {

GlrSettings settings_for(const SmoothPatches& step) {
  GlrSettings settings;
  settings.patch_size = step.patch_size;
  settings.patch_neighbours = 8;
  settings.patch_origin = PatchOrigin::mean;
  settings.symmetric_distance = false;
  settings.interpolation = Interpolation::off;
  settings.epsilon = step.epsilon;
  settings.normalisation = Normalisation::node_degree;
  settings.threshold_factor = 3.0;
  return settings;
}

}  // namespace

PatchSmoothing::PatchSmoothing(const std::vector<Vec3>& points, const NeighbourSearch& search,
                               std::span<const double> noise, std::span<const std::uint32_t> centres,
                               const SmoothPatches& step, const ExecutionContext& context)
    // Systems are solved to many digits, because small differences can change partners, which enlarges them, and the
    // result at a point must not depend on the piece of the cloud in which it is computed.
    : tolerance_(step.epsilon.empty() ? 1e-3 : 1e-10),
      settings_(settings_for(step)),
      rotations_(step.rotations),
      fidelity_(step.fidelity),
      context_(context) {
  patches_ = glr::make_patches_around(points, search, centres, settings_, context_);
  if (std::ranges::any_of(noise, [&](double sigma) { return std::abs(sigma / step.noise - 1.0) > 1e-9; })) {
    relative_variance_.resize(noise.size());
    std::ranges::transform(noise, relative_variance_.begin(),
                           [&](double sigma) { return math::square(std::max(sigma / step.noise, 0.05)); });
    patch_variance_.resize(patches_.count());
    for (std::size_t m = 0; m < patch_variance_.size(); ++m) {
      patch_variance_[m] = relative_variance_[patches_.centres[m]];
    }
  }
  connect(points);
}

PatchSmoothing::PatchSmoothing(const PatchSmoothing& other, const std::vector<Vec3>& points)
    : tolerance_(other.tolerance_),
      settings_(other.settings_),
      rotations_(other.rotations_),
      fidelity_(other.fidelity_),
      relative_variance_(other.relative_variance_),
      patch_variance_(other.patch_variance_),
      context_(other.context_) {
  patches_ = glr::make_patches_again(points, other.patches_, settings_, context_);
  connect(points);
}

void PatchSmoothing::connect(const std::vector<Vec3>& points) {
  patch_graph_ = glr::make_patch_graph(points, patches_, settings_, context_);
  nodes_ = glr::nodes_of_points(patches_, points.size());
}

void PatchSmoothing::go_back(std::size_t iterations, bool rotations) {
  iteration_ = static_cast<unsigned>(iterations);
  rotations_ = rotations;
  reuse_ = glr::Reuse::none;
}

double PatchSmoothing::advance(std::vector<Vec3>& points) {
  ++iteration_;
  const std::optional<glr::PatchRotations> rotations =
      rotations_ ? std::optional<glr::PatchRotations>(std::in_place, points, patches_, context_) : std::nullopt;
  glr::find_correspondences(points, patches_, patch_graph_, settings_.interpolation, 0.0, correspondences_, context_,
                            reuse_, rotations ? &*rotations : nullptr);
  edges_.update(patches_, patch_graph_, correspondences_, settings_.symmetric_distance, reuse_, context_);
  reuse_ = glr::Reuse::same_patches;
  const glr::PointGraph graph = glr::make_point_graph(patches_, patch_graph_, correspondences_, edges_, settings_, 1.0,
                                                      iteration_, context_, patch_variance_);
  const glr::PointLaplacian& laplacian = assembler_.assemble(graph, nodes_, settings_, context_);
  // Degrees are normalised to 1 in every patch, so the fidelity is multiplied by the number of patches per point.
  const double mu = fidelity_ * iteration_ * coverage;
  // (L + μI)(x + move) = μx + c: solved for the move, so that it is exact to the same digits however large the cloud.
  std::vector<Vec3> pull = glr::pull(laplacian, points, context_);
  if (rotations) {
    const std::vector<Vec3> more =
        glr::pull_of_rotations(*rotations, graph, assembler_.scales(), points, nodes_, context_);
    std::ranges::transform(pull, more, pull.begin(), std::plus<>{});
  }
  double least = 1.0;
  if (!relative_variance_.empty()) {
    // Less noise, more fidelity: μ is divided by the variance.
    least = 1.0 / std::ranges::max(relative_variance_);
    std::vector<double> added(relative_variance_.size());
    std::ranges::transform(relative_variance_, added.begin(),
                           [&](double variance) { return mu * (1.0 / variance - least); });
    assembler_.add_to_diagonal(added);
  }
  const std::vector<Vec3> move = glr::conjugate_gradients(laplacian, mu * least, pull, {}, tolerance_, 100, context_).x;
  parallel_for(context_, points.size(), 4096, [&](std::size_t p) { points[p] += move[p]; });
  return graph.epsilon;
}

}  // namespace burnish::automatic
