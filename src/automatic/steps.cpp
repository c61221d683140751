#include "automatic/steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "automatic/equalise_spacing.hpp"
#include "automatic/restraint.hpp"
#include "automatic/sides.hpp"
#include "automatic/tangential_noise.hpp"

namespace burnish::automatic {
namespace {

/// Points in a window of each kind, and windows a point is in on average, of the small kinds; half as many of the large
/// ones.
constexpr std::size_t plane_size = 20;
constexpr std::size_t large_plane_size = 80;
constexpr std::size_t quadric_size = 48;
constexpr std::size_t large_quadric_size = 192;
constexpr std::size_t widest_size = 384;
constexpr double coverage = 10.0;

/// The part of the noise that is taken to be left before each pass over planes and quadrics, the first only where no
/// patches came before; and before the quadrics at the end.
constexpr std::array noise_before_passes = {1.0, 0.5, 0.3};
constexpr double noise_before_last_quadrics = 0.15;

/// The part of the noise along the surface that iterations over patches leave: half of the variance. Windows leave all
/// of it.
constexpr double tangential_noise_after_patches = 0.7071;

/// Found by trying on shapes with and without edges and walls (docs/method.md). Strict ones never count in a first
/// pass, where residuals are those of the noise.
constexpr MisfitTolerance usual_tolerance{0.3, 1.3};
constexpr MisfitTolerance strict_tolerance{0.1, 0.7};

const MisfitTolerance& tolerance_of(const Plan& plan) { return plan.is_strict ? strict_tolerance : usual_tolerance; }

}  // namespace

Steps::Steps(const std::vector<Vec3>& points, const std::vector<double>& noise, std::vector<Vec3> sights,
             const ExecutionContext& context)
    : points_(points), noise_(noise), sights_(std::move(sights)), context_(context), centres_(points, context) {}

std::vector<double> Steps::noise_times(double part) const {
  std::vector<double> scaled(noise_.size());
  std::ranges::transform(noise_, scaled.begin(), [part](double noise) { return part * noise; });
  return scaled;
}

double Steps::find_patch_centre_distance(unsigned patch_size) const {
  return centres_.find_distance(patch_size, PatchSmoothing::coverage);
}

double Steps::find_window_centre_distance() const { return centres_.find_distance(plane_size, coverage); }

PatchSmoothing Steps::smoothing(const Plan& plan) const {
  return {points_, centres_.search(), noise_, centres_.choose(plan.patch_centre_distance, plan.patch_size),
          plan,    context_};
}

Windows Steps::windows(const Plan& plan, const std::vector<Vec3>& points, const NeighbourSearch& search, Kind kind) {
  constexpr std::array sizes = {plane_size, large_plane_size, quadric_size, large_quadric_size, widest_size};
  constexpr std::array coverages = {1.0, 0.5, 1.0, 0.5, 0.5};
  const auto k = static_cast<std::size_t>(kind);
  std::vector<std::uint32_t>& centres = window_centres_[k];
  if (centres.empty()) {
    const double more_points = static_cast<double>(sizes[k]) / static_cast<double>(plane_size);
    centres = centres_.choose(std::sqrt(more_points / coverages[k]) * plan.window_centre_distance, sizes[k]);
  }
  return make_windows(points, search, centres, sizes[k], context_);
}

FitWindows Steps::all_windows(const Plan& plan, const std::vector<Vec3>& points) {
  std::optional<NeighbourSearch> of_moved;
  const NeighbourSearch& search = points == points_ ? centres_.search() : of_moved.emplace(points, context_);
  const auto of = [&](Kind kind) { return windows(plan, points, search, kind); };
  return {of(Kind::planes), of(Kind::large_planes), of(Kind::quadrics), of(Kind::large_quadrics), of(Kind::widest)};
}

FitWindows Steps::quadric_windows(const Plan& plan, const std::vector<Vec3>& points) {
  const NeighbourSearch search(points, context_);
  FitWindows found;
  found.quadrics = windows(plan, points, search, Kind::quadrics);
  found.large_quadrics = windows(plan, points, search, Kind::large_quadrics);
  found.widest = windows(plan, points, search, Kind::widest);
  return found;
}

std::vector<Vec3> Steps::agree(const Plan& plan, std::vector<Vec3> points, const std::function<void()>& after_pass) {
  if (plan.consensus_passes() == 0) {
    return points;
  }
  const FitWindows around = all_windows(plan, points);
  // Where scanners are not known, walls show by themselves.
  const double noise_left = plan.epsilon.empty() ? 1.0 : noise_before_passes[1];
  const std::vector<Vec3> sides =
      sights_.empty() ? find_sides(points, around.large_quadrics, noise_times(noise_left), context_) : sights_;
  const std::size_t first = noise_before_passes.size() - plan.consensus_passes();
  for (const double part : std::span(noise_before_passes).subspan(first)) {
    Consensus agreed =
        consensus_of_planes_and_quadrics(points, around, noise_times(part), tolerance_of(plan), sides, context_);
    points = std::move(agreed.points);
    variance_ = std::move(agreed.variance);
    if (after_pass) {
      after_pass();
    }
  }
  const double tangential = plan.epsilon.empty() ? 1.0 : tangential_noise_after_patches;
  return remove_tangential_noise(points, noise_times(tangential), context_);
}

std::vector<Vec3> Steps::agree_on_quadrics(const Plan& plan, const std::vector<Vec3>& points,
                                           const FitWindows& around) const {
  return consensus_of_quadrics(points, around, noise_times(noise_before_last_quadrics), tolerance_of(plan), sights_,
                               context_)
      .points;
}

std::vector<Vec3> Steps::all(const Plan& plan, const std::function<void(double)>& progress) {
  // About what each takes, in passes of the consensus; finding windows, and all that comes after, take two.
  constexpr double iteration = 2.0;
  const double all = iteration * static_cast<double>(plan.epsilon.size()) + static_cast<double>(plan.passes()) + 2.0;
  double done = 0.0;
  const auto advance = [&](double passes) {
    done += passes;
    if (progress) {
      progress(done / all);
    }
  };
  advance(0.0);
  std::vector<Vec3> points = points_;
  if (!plan.epsilon.empty()) {
    PatchSmoothing patches = smoothing(plan);
    for (std::size_t i = 0; i < plan.epsilon.size(); ++i) {
      patches.advance(points);
      advance(iteration);
    }
  }
  points = agree(plan, std::move(points), [&] { advance(1.0); });
  if (plan.equalises_spacing) {
    points = equalise_spacing(points, noise_, context_);
  }
  if (plan.passes() > 0) {
    const FitWindows around = quadric_windows(plan, points);
    if (plan.last_quadrics) {
      points = agree_on_quadrics(plan, points, around);
    }
    if (plan.restraint) {
      points = restrain(points_, points, around.quadrics, noise_, context_);
    }
  }
  return points;
}

}  // namespace burnish::automatic
