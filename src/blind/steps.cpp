#include "blind/steps.hpp"

#include <utility>

#include "blind/consensus.hpp"
#include "blind/evening.hpp"
#include "blind/restraint.hpp"

namespace burnish::blind {
namespace {

/// A pass of the consensus: points in a neighbourhood, and the noise that is taken to be left, as a part of that of the
/// input.
struct Pass {
  std::size_t neighbourhood;
  double noise_left;
};
constexpr std::array<Pass, Plan::most_passes> all_passes = {{{24, 0.3}, {48, 0.15}}};

/// Neighbourhoods of a pass that a point is in, on average.
constexpr double pass_coverage = 10.0;

}  // namespace

Steps::Steps(const std::vector<Vec3>& points, const ExecutionContext& context)
    : points_(points), context_(context), centres_(points, context) {}

double Steps::find_patches_apart(unsigned patch_size) const {
  return centres_.find_distance(patch_size, PatchSmoothing::coverage);
}

double Steps::find_pass_apart(std::size_t pass) const {
  return centres_.find_distance(all_passes[pass].neighbourhood, pass_coverage);
}

PatchSmoothing Steps::smoothing(const Plan& plan) const {
  return {points_, centres_.choose(plan.patches_apart, plan.patch_size), plan.patch_size, plan.fidelity, plan.epsilon,
          context_};
}

Windows Steps::windows(const Plan& plan, std::size_t pass, const std::vector<Vec3>& points) {
  const std::size_t neighbourhood = all_passes[pass].neighbourhood;
  if (pass_centres_[pass].empty()) {
    pass_centres_[pass] = centres_.choose(plan.passes_apart[pass], neighbourhood);
  }
  return make_windows(points, pass_centres_[pass], neighbourhood, context_);
}

std::vector<Vec3> Steps::agree(const Plan& plan, std::size_t pass, const std::vector<Vec3>& points,
                               const Windows& windows) const {
  return consensus(points, windows, all_passes[pass].noise_left * plan.noise, context_);
}

std::vector<Vec3> Steps::agree(const Plan& plan, std::size_t pass, const std::vector<Vec3>& points) {
  return agree(plan, pass, points, windows(plan, pass, points));
}

std::vector<Vec3> Steps::all(const Plan& plan) {
  std::vector<Vec3> points = points_;
  if (!plan.epsilon.empty()) {
    PatchSmoothing patches = smoothing(plan);
    for (std::size_t i = 0; i < plan.epsilon.size(); ++i) {
      context_.report("denoising", 0.9 * static_cast<double>(i) / static_cast<double>(plan.epsilon.size()));
      patches.advance(points);
    }
  }
  if (plan.passes() == 2) {
    points = agree(plan, 0, points);
  }
  if (plan.evening) {
    points = even_out(points, plan.noise, context_);
  }
  if (plan.passes() > 0) {
    const std::size_t pass = plan.passes_apart[1] > 0.0 ? 1 : 0;
    const Windows around = windows(plan, pass, points);
    points = agree(plan, pass, points, around);
    if (plan.restraint) {
      points = restrain(points_, points, around, plan.noise, context_);
    }
  }
  return points;
}

}  // namespace burnish::blind
