#include "automatic/plan_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "automatic/regimes.hpp"
#include "core/math.hpp"
#include "geometry/normals.hpp"

namespace burnish::automatic {
namespace {

/// Penalty of a removed degree of freedom, in variances of the noise, because the noise may be weaker than estimated:
/// if it is, by a fraction d, the error is larger than Stein's estimate by 4d of its variance. Usually 0.05.
double uncertainty_penalty_of(double relative_uncertainty) {
  return std::clamp(0.05 + 4.0 * (relative_uncertainty - 0.05), 0.05, 0.2);
}

/// Gain, in its standard deviations, from which on anything is done at all.
constexpr double gain_sigmas_to_begin = 3.0;

/// Weight of an error along the surface; errors across the surface, which are visible, have the rest.
constexpr double along_surface = 0.1;

/// Fraction of the noise that is assumed to remain before each pass over planes and quadrics (the first pass is omitted
/// after patches), and before the quadrics at the end.
const std::vector<double> noise_before_passes = {1.0, 0.5, 0.3};
const std::vector<double> noise_before_passes_after_patches = {0.5, 0.3};
constexpr double noise_before_last_quadrics = 0.15;

/// Fraction of the noise along the surface that is removed: half of the variance. Iterations over patches have removed
/// the other half; after windows alone, which do not change it, more would move borders inwards (./run bench harm).
constexpr double tangential_noise_left = 0.7071;

/// A further iteration must lower the cost by this fraction of the expected error, times the relative uncertainty of
/// the noise.
constexpr double least_gain_of_iteration = 1.25;
constexpr unsigned most_iterations = 10;

/// Fraction of the time of the analysis that the survey of the noise takes.
constexpr double part_to_survey = 0.3;

}  // namespace

Estimate Trial::gain_of(const Trial& other) const {
  const auto parts = static_cast<double>(part_costs.size());
  Estimate gain{cost - other.cost, 0.0};
  double squares = 0.0;
  for (std::size_t part = 0; part < part_costs.size(); ++part) {
    squares += math::square(part_costs[part] - other.part_costs[part] - gain);
  }
  gain.uncertainty = std::sqrt(squares / (parts - 1.0) / parts);
  return gain;
}

/// Iterations over patches, one by one, on both clouds of the pair.
class PlanSearch::PatchTrial {
 public:
  PatchTrial(PlanSearch& search, const SmoothPatches& start)
      : step(start),
        pair(search.sure_.start()),
        original_(search.run_original_.smoothing(start)),
        perturbed_(original_, pair.perturbed) {}

  void advance() {
    step.epsilon.push_back(original_.advance(pair.original));
    perturbed_.advance(pair.perturbed);
  }

  /// To the pair as some iterations over the same patches left it.
  void go_back(SmoothPatches to, PerturbedPair left) {
    step = std::move(to);
    pair = std::move(left);
    original_.go_back(step.epsilon.size(), step.rotations);
    perturbed_.go_back(step.epsilon.size(), step.rotations);
  }

  [[nodiscard]] Plan plan() const { return {step}; }
  [[nodiscard]] std::size_t iterations() const { return step.epsilon.size(); }

  SmoothPatches step;
  PerturbedPair pair;

 private:
  PatchSmoothing original_;
  PatchSmoothing perturbed_;
};

PlanSearch::PlanSearch(PreparedCloud sample, std::vector<bool> counts, double noise, double relative_uncertainty,
                       double spacing, const DenoiseSettings& settings, const ExecutionContext& context)
    : original_(std::move(sample)),
      sure_(original_.points, original_.noise, std::move(counts), context),
      perturbed_(moved(original_, sure_.start().perturbed, context)),
      centres_(original_.points, original_.search, context),
      run_original_(original_, centres_, context),
      run_perturbed_(perturbed_, centres_, context),
      noise_(noise),
      spacing_(spacing),
      uncertainty_penalty_(uncertainty_penalty_of(relative_uncertainty)),
      least_gain_(least_gain_of_iteration * relative_uncertainty),
      window_centre_distance_(settings.planes ? find_window_centre_distance(centres_) : 0.0),
      settings_(settings),
      context_(context) {}

const Trial& PlanSearch::run() {
  best_ = judged({}, sure_.start());
  choose_iterations();
  if (best_.plan.empty()) {
    return best_;
  }
  if (settings_.equalise_spacing && noise_ > least_noise_to_equalise * spacing_) {
    try_equal_spacing();
  }
  if (find_step<AgreeOnFits>(best_.plan) != nullptr) {
    // Points that slid off a bent surface are put back, if that promises less error.
    if (settings_.quadrics) {
      const bool is_strict = noise_ >= strong_noise * spacing_;
      take(extended(best_, {AgreeOnQuadrics{window_centre_distance_, is_strict, noise_before_last_quadrics}}), 0.0);
    }
    if (settings_.restraint) {
      best_ = extended(best_, {Restrain{window_centre_distance_}});
    }
  }
  return best_;
}

ExpectedError PlanSearch::judge(const Plan& plan, double strength) const {
  const auto run = [&](const PreparedCloud& cloud) {
    PreparedCloud scaled = moved(cloud, cloud.points, context_);
    for (double& noise : scaled.noise) {
      noise *= strength;
    }
    Centres centres(scaled.points, scaled.search, context_);
    StepRunner runner(scaled, centres, context_);
    std::vector<Vec3> points = scaled.points;
    for (const Step& step : plan) {
      runner.run(step, points);
    }
    return points;
  };
  return sure_.judge({run(original_), run(perturbed_)}).all;
}

Trial PlanSearch::judged(Plan plan, PerturbedPair pair) const {
  Trial trial{std::move(plan), std::move(pair), {}, 0.0, {}};
  const SureEstimate estimate = sure_.judge(trial.pair);
  const auto cost = [&](const ExpectedError& error) {
    return (1.0 - along_surface) * error.squared_along_normal + along_surface * error.squared +
           uncertainty_penalty_ * (1.0 - error.degrees_of_freedom_along_normal) * noise_ * noise_;
  };
  trial.error = estimate.all;
  trial.cost = cost(estimate.all);
  std::ranges::transform(estimate.parts, trial.part_costs.begin(), cost);
  return trial;
}

/// A trial with more steps after its own.
Trial PlanSearch::extended(const Trial& trial, const Plan& steps) {
  // The number of trials is not known in advance: the remaining fraction shrinks with every trial.
  context_.report("choosing", 1.0 - (1.0 - part_to_survey) * math::pow(0.8, trials_++));
  Plan plan = trial.plan;
  PerturbedPair pair = trial.pair;
  for (const Step& step : steps) {
    run_original_.run(step, pair.original);
    run_perturbed_.run(step, pair.perturbed);
    plan.push_back(step);
  }
  if (!sure_.has_normals()) {
    set_normals(pair.original);
  }
  return judged(std::move(plan), std::move(pair));
}

/// Planes and quadrics, which remove noise across the surface; then noise along it, where it is visible.
Plan PlanSearch::consensus(bool after_patches) const {
  if (!(window_centre_distance_ > 0.0)) {
    return {};
  }
  return {AgreeOnFits{window_centre_distance_, after_patches,
                      after_patches ? noise_before_passes_after_patches : noise_before_passes},
          RemoveTangentialNoise{tangential_noise_left}};
}

/// Keeps a trial as the best if its gain is above `sigmas` standard deviations of the gain.
bool PlanSearch::take(Trial&& trial, double sigmas) {
  const Estimate gain = best_.gain_of(trial);
  const bool is_better = gain > sigmas * gain.uncertainty;
  if (is_better) {
    best_ = std::move(trial);
  }
  return is_better;
}

/// Planes and quadrics alone, or, where noise is strong, after the best number of iterations over patches.
void PlanSearch::choose_iterations() {
  const double noise_in_spacings = noise_ / spacing_;
  if (!settings_.patches || noise_in_spacings < strong_noise) {
    Trial fits_alone = extended(best_, consensus(false));
    best_ = judged({}, sure_.start());  // by the normals that are known now
    take(std::move(fits_alone), gain_sigmas_to_begin);
    return;
  }
  SmoothPatches step;
  step.patch_size = patch_size_for(noise_in_spacings);
  step.centre_distance = find_patch_centre_distance(centres_, step.patch_size);
  step.noise = noise_;
  step.fidelity = fidelity_for(noise_in_spacings);
  PatchTrial patches(*this, step);
  const auto with_fits = [&] { return extended(judged(patches.plan(), patches.pair), consensus(true)); };
  const auto first_trial = [&] {
    while (patches.iterations() < least_iterations(noise_in_spacings)) {
      patches.advance();
    }
    return with_fits();
  };
  // On a curved surface patches are similar only after a rotation; on a flat one a rotation preserves their tilt,
  // which is noise.
  Trial trial = first_trial();
  if (settings_.rotations && noise_in_spacings < most_noise_to_rotate) {
    const SmoothPatches straight = patches.step;
    PerturbedPair left = patches.pair;
    step.rotations = true;
    patches.go_back(step, sure_.start());
    Trial rotated = first_trial();
    if (rotated.cost < trial.cost) {
      trial = std::move(rotated);
    } else {
      patches.go_back(straight, std::move(left));
    }
  }
  best_ = judged({}, sure_.start());
  if (!take(std::move(trial), gain_sigmas_to_begin)) {
    return;
  }
  while (patches.iterations() < most_iterations) {
    patches.advance();
    trial = with_fits();
    if (best_.cost - trial.cost < least_gain_ * best_.error.squared_along_normal) {
      return;
    }
    best_ = std::move(trial);
  }
}

/// Equal spacing need not bring points closer to their true positions, but must not move them far away.
void PlanSearch::try_equal_spacing() {
  Trial equalised = extended(best_, {EqualiseSpacing{}});
  const double added = equalised.error.squared_along_surface() - best_.error.squared_along_surface();
  if (added < most_error_to_equalise(noise_ / spacing_) * noise_ * noise_) {
    best_ = std::move(equalised);
  }
}

/// Directions across the surface are those of the first trial that has any steps.
void PlanSearch::set_normals(const std::vector<Vec3>& points) {
  constexpr std::size_t neighbours = 16;
  const Neighbourhoods around(points, original_.search.moved_to(points, context_), neighbours, context_);
  sure_.set_normals(estimate_normals(points, around, neighbours, context_));
}

double relative_error(const ExpectedError& error) {
  const double left = std::clamp(error.degrees_of_freedom_along_normal, 0.0, 1.0);
  return std::sqrt(left * (2.0 + left) / 3.0);
}

}  // namespace burnish::automatic
