#include "automatic/step_runner.hpp"

#include <algorithm>
#include <cmath>

#include "automatic/equalise_spacing.hpp"
#include "automatic/restraint.hpp"
#include "automatic/sides.hpp"
#include "automatic/tangential_noise.hpp"

namespace burnish::automatic {
namespace {

/// Points in a window, and the mean number of windows of this kind per point, relative to the smallest planes.
struct WindowKind {
  std::size_t size;
  double coverage;
};
constexpr WindowKind small_planes{20, 1.0};
constexpr WindowKind large_planes{80, 0.5};
constexpr WindowKind small_quadrics{48, 1.0};
constexpr WindowKind large_quadrics{192, 0.5};
constexpr WindowKind widest{384, 0.5};

/// Mean number of the smallest windows per point.
constexpr double coverage = 10.0;

/// Found by experiment on shapes with and without edges and walls (docs/automatic.md). The strict ones are not used in
/// a first pass, where residuals are those of the noise.
constexpr MisfitTolerance usual_tolerance{0.3, 1.3};
constexpr MisfitTolerance strict_tolerance{0.1, 0.7};

const MisfitTolerance& tolerance_of(bool is_strict) { return is_strict ? strict_tolerance : usual_tolerance; }

/// Windows over the current positions, around centres chosen on the original ones.
class WindowMaker {
 public:
  WindowMaker(const std::vector<Vec3>& points, const NeighbourSearch& search, Centres& centres, double centre_distance,
              const ExecutionContext& context)
      : points_(points), search_(search), centres_(centres), centre_distance_(centre_distance), context_(context) {}

  Windows operator()(const WindowKind& kind) const {
    const double more_points = static_cast<double>(kind.size) / static_cast<double>(small_planes.size);
    const double distance = std::sqrt(more_points / kind.coverage) * centre_distance_;
    return make_windows(points_, search_, centres_.choose(distance, kind.size), kind.size, context_);
  }

 private:
  const std::vector<Vec3>& points_;
  const NeighbourSearch& search_;
  Centres& centres_;
  double centre_distance_;
  const ExecutionContext& context_;
};

void report(const std::function<void(double)>& progress, double part) {
  if (progress) {
    progress(part);
  }
}

}  // namespace

double find_window_centre_distance(const Centres& centres) {
  return centres.find_distance(small_planes.size, coverage);
}

double find_patch_centre_distance(const Centres& centres, unsigned patch_size) {
  return centres.find_distance(patch_size, PatchSmoothing::coverage);
}

void StepRunner::run(const Step& step, std::vector<Vec3>& points, const std::function<void(double)>& progress) {
  std::visit([&](const auto& kind) { carry_out(kind, points, progress); }, step);
}

PatchSmoothing StepRunner::smoothing(const SmoothPatches& step) {
  return {cloud_.points, cloud_.search, cloud_.noise, centres_.choose(step.centre_distance, step.patch_size),
          step,          context_};
}

void StepRunner::carry_out(const SmoothPatches& step, Points& points, const Progress& progress) {
  PatchSmoothing iterations = smoothing(step);
  for (std::size_t i = 0; i < step.epsilon.size(); ++i) {
    iterations.advance(points);
    report(progress, static_cast<double>(i + 1) / static_cast<double>(step.epsilon.size()));
  }
}

void StepRunner::carry_out(const AgreeOnFits& step, Points& points, const Progress& progress) {
  const NeighbourSearch search = search_among(points);
  const WindowMaker make(points, search, centres_, step.centre_distance, context_);
  const FitWindows windows{make(small_planes), make(large_planes), make(small_quadrics), make(large_quadrics),
                           make(widest)};
  // Without scanner positions, the sides of walls are found from residuals.
  const std::vector<Vec3> sides =
      cloud_.sights.empty() ? find_sides(points, windows.large_quadrics, noise_times(step.noise_left.front()), context_)
                            : cloud_.sights;
  for (std::size_t pass = 0; pass < step.noise_left.size(); ++pass) {
    Consensus agreed = consensus_of_planes_and_quadrics(points, windows, noise_times(step.noise_left[pass]),
                                                        tolerance_of(step.is_strict), sides, context_);
    points = std::move(agreed.points);
    variance_ = std::move(agreed.variance);
    report(progress, static_cast<double>(pass + 1) / static_cast<double>(step.noise_left.size()));
  }
}

void StepRunner::carry_out(const RemoveTangentialNoise& step, Points& points, const Progress& /*progress*/) {
  points = remove_tangential_noise(points, noise_times(step.noise_left), search_among(points), context_);
}

void StepRunner::carry_out(const EqualiseSpacing& /*step*/, Points& points, const Progress& /*progress*/) {
  points = equalise_spacing(points, cloud_.noise, search_among(points), context_);
}

void StepRunner::carry_out(const AgreeOnQuadrics& step, Points& points, const Progress& /*progress*/) {
  const NeighbourSearch search = search_among(points);
  const WindowMaker make(points, search, centres_, step.centre_distance, context_);
  FitWindows windows;
  windows.quadrics = make(small_quadrics);
  windows.large_quadrics = make(large_quadrics);
  windows.widest = make(widest);
  points = consensus_of_quadrics(points, windows, noise_times(step.noise_left), tolerance_of(step.is_strict),
                                 cloud_.sights, context_)
               .points;
}

void StepRunner::carry_out(const Restrain& step, Points& points, const Progress& /*progress*/) {
  const NeighbourSearch search = search_among(points);
  const WindowMaker make(points, search, centres_, step.centre_distance, context_);
  points = restrain(cloud_.points, points, make(small_quadrics), noise_times(step.noise_taken), context_);
}

NeighbourSearch StepRunner::search_among(const Points& points) const {
  return cloud_.search.moved_to(points, context_);
}

std::vector<double> StepRunner::noise_times(double part) const {
  std::vector<double> scaled(cloud_.noise.size());
  std::ranges::transform(cloud_.noise, scaled.begin(), [part](double noise) { return part * noise; });
  return scaled;
}

double relative_cost(const Step& step) {
  struct Cost {
    double operator()(const SmoothPatches& patches) const { return 2.0 * static_cast<double>(patches.epsilon.size()); }
    double operator()(const AgreeOnFits& fits) const { return 1.0 + static_cast<double>(fits.noise_left.size()); }
    double operator()(const RemoveTangentialNoise&) const { return 0.3; }
    double operator()(const EqualiseSpacing&) const { return 0.3; }
    double operator()(const AgreeOnQuadrics&) const { return 1.0; }
    double operator()(const Restrain&) const { return 0.5; }
  };
  return std::visit(Cost{}, step);
}

}  // namespace burnish::automatic
