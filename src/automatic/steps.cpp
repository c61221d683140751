#include "automatic/steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "automatic/consensus.hpp"
#include "automatic/evening.hpp"
#include "automatic/restraint.hpp"

namespace burnish::automatic {
namespace {

/// Points in a neighbourhood of the consensus, and neighbourhoods a point is in, on average.
constexpr std::size_t plane_neighbourhood = 20;
constexpr std::size_t large_plane_neighbourhood = 80;
constexpr std::size_t quadric_neighbourhood = 48;
constexpr double coverage = 10.0;

/// How many times as far apart the centres of large neighbourhoods of planes are: a point is in half as many of them.
const double large_planes_apart = std::sqrt(2.0 * large_plane_neighbourhood / plane_neighbourhood);

/// The noise that is taken to be left before each pass over planes and before quadrics, as a part of that of the input.
constexpr std::array noise_before_planes = {0.5, 0.3};

}  // namespace

Steps::Steps(const std::vector<Vec3>& points, const std::vector<double>& noise, const ExecutionContext& context)
    : points_(points), noise_(noise), context_(context), centres_(points, context) {}

std::vector<double> Steps::noise_times(double part) const {
  std::vector<double> scaled(noise_.size());
  std::ranges::transform(noise_, scaled.begin(), [part](double noise) { return part * noise; });
  return scaled;
}

double Steps::find_patches_apart(unsigned patch_size) const {
  return centres_.find_distance(patch_size, PatchSmoothing::coverage);
}

double Steps::find_planes_apart() const { return centres_.find_distance(plane_neighbourhood, coverage); }

double Steps::find_quadrics_apart() const { return centres_.find_distance(quadric_neighbourhood, coverage); }

PatchSmoothing Steps::smoothing(const Plan& plan) const {
  return {points_, noise_, centres_.choose(plan.patches_apart, plan.patch_size), plan, context_};
}

Windows Steps::plane_windows(const Plan& plan, const std::vector<Vec3>& points) {
  if (plane_centres_.empty()) {
    plane_centres_ = centres_.choose(plan.planes_apart, plane_neighbourhood);
  }
  return make_windows(points, plane_centres_, plane_neighbourhood, context_);
}

Windows Steps::large_plane_windows(const Plan& plan, const std::vector<Vec3>& points) {
  if (large_plane_centres_.empty()) {
    large_plane_centres_ = centres_.choose(large_planes_apart * plan.planes_apart, large_plane_neighbourhood);
  }
  return make_windows(points, large_plane_centres_, large_plane_neighbourhood, context_);
}

Windows Steps::quadric_windows(const Plan& plan, const std::vector<Vec3>& points) {
  if (quadric_centres_.empty()) {
    quadric_centres_ = centres_.choose(plan.quadrics_apart, quadric_neighbourhood);
  }
  return make_windows(points, quadric_centres_, quadric_neighbourhood, context_);
}

std::vector<Vec3> Steps::agree_on_planes(const Plan& plan, std::vector<Vec3> points) {
  if (plan.plane_passes() == 0) {
    return points;
  }
  const Windows small = plane_windows(plan, points);
  const Windows large = large_plane_windows(plan, points);
  const auto pass = [&](double part) {
    points = consensus_of_planes(points, small, large, noise_times(part), context_);
  };
  if (plan.plane_passes() > noise_before_planes.size()) {
    pass(plan.first_planes);
  }
  std::ranges::for_each(noise_before_planes, pass);
  return points;
}

std::vector<Vec3> Steps::agree_on_quadrics(const Plan& plan, const std::vector<Vec3>& points) {
  return consensus_of_quadrics(points, quadric_windows(plan, points), noise_times(plan.quadric_noise), context_);
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
  points = agree_on_planes(plan, std::move(points));
  if (plan.evening) {
    points = even_out(points, noise_, context_);
  }
  if (plan.passes() > 0) {
    const bool quadrics = plan.quadrics_apart > 0.0;
    const Windows around = quadrics ? quadric_windows(plan, points) : plane_windows(plan, points);
    if (quadrics) {
      points = consensus_of_quadrics(points, around, noise_times(plan.quadric_noise), context_);
    }
    if (plan.restraint) {
      points = restrain(points_, points, around, noise_, context_);
    }
  }
  return points;
}

}  // namespace burnish::automatic
