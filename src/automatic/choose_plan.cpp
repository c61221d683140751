#include "automatic/choose_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "automatic/equalise_spacing.hpp"
#include "automatic/left_out.hpp"
#include "automatic/steps.hpp"
#include "automatic/sure.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/sampling.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/normals.hpp"
#include "geometry/spatial_order.hpp"

namespace burnish::automatic {
namespace {

/// Noise below this part of the spacing is no noise.
constexpr double least_noise = 0.03;

/// Evening moves points along the surface. Where noise made the spacing uneven, that adds little to their error there,
/// in variances of the noise; where the points were uneven from the first, it adds more than this. It harms the less,
/// the stronger the noise is.
double most_error_to_equalise(double noise_in_spacings) { return std::min(0.55 * noise_in_spacings, 0.3); }

/// Weaker noise, in spacings, leaves the spacing as even as it was: there is nothing to even out.
constexpr double least_noise_to_equalise = 0.2;

/// Where noise is not strong, regions with a small border suffice if the cloud is larger than this.
constexpr std::size_t largest_sample_if_weak = 30000;
constexpr RegionLayout regions_if_weak{8, 1700, 0.6};

/// Beyond this, in spacings, planes through a few neighbours see little of the surface before so many iterations over
/// patches, more of them the stronger the noise is; what seems to speak against these is an error in what it was taken
/// for.
constexpr double most_noise_of_consensus_alone = 1.1;
std::size_t least_iterations(double noise_in_spacings) { return noise_in_spacings > 1.65 ? 4 : 2; }

/// Between these, in spacings, patches may be turned before they are compared: below they are too small to bend, above
/// nobody knows how they lie.
constexpr double least_noise_to_rotate = 0.6;
constexpr double most_noise_to_rotate = 1.6;

/// Beyond this, in spacings, they see little but noise even then: what patches do is judged without.
constexpr double too_strong_for_windows = 2.0;

/// What an error along the surface weighs against one across it, where it shows.
constexpr double along_surface = 0.1;

/// How many standard deviations a gain must be above zero before anything is done at all.
constexpr double gain_sigmas_to_begin = 3.0;

/// What taking away a degree of freedom costs, in variances of the noise, because that may be less than it seems: if
/// it is, by a part d, then 4d times its variance more than Stein's estimate says. A twentieth is usual.
double uncertainty_penalty_of(const Estimate& noise) {
  return std::clamp(0.05 + 4.0 * (noise.uncertainty / noise - 0.05), 0.05, 0.2);
}

/// By how many standard deviations an iteration must be better, or, if negative, may be worse: the less certain the
/// noise is, the more it has to show.
double required_gain_sigmas_of(const Estimate& noise) {
  return std::clamp(-1.75 + 50.0 * (noise.uncertainty / noise - 0.05), -1.75, 1.28);
}

/// The error across the surface that is left of noise of variance 1, as a standard deviation. A linear smoother S
/// leaves tr(SSᵀ) of the variance, and tr(S) degrees of freedom; local fits that overlap have tr(SSᵀ) ≈ ⅔ tr(S)
/// (docs/method.md), and the cloud as it is has tr(SSᵀ) = tr(S).
double relative_error(const ExpectedError& error) {
  const double left = std::clamp(error.degrees_of_freedom_along_normal, 0.0, 1.0);
  return std::sqrt(left * (2.0 + left) / 3.0);
}

/// The part of the time of choosing in which noise is surveyed.
constexpr double part_to_survey = 0.3;

constexpr std::size_t fewest_points = 100;
constexpr unsigned most_iterations = 6;

/// A plan and what came of it in the trial.
struct Outcome {
  Plan plan;
  PerturbedPair pair;
  ExpectedError error;
  /// What is compared: the expected error, most of it across the surface, where it shows, and the less noise there may
  /// be in truth, something for what was taken away.
  double cost = 0.0;
  std::array<double, SureEstimate::part_count> part_costs{};

  /// By how much another costs less, and how far off that may be.
  [[nodiscard]] Estimate gain_of(const Outcome& other) const {
    const auto parts = static_cast<double>(part_costs.size());
    Estimate gain{cost - other.cost, 0.0};
    double squares = 0.0;
    for (std::size_t part = 0; part < part_costs.size(); ++part) {
      squares += std::pow(part_costs[part] - other.part_costs[part] - gain, 2);
    }
    gain.uncertainty = std::sqrt(squares / (parts - 1.0) / parts);
    return gain;
  }
};

/// Iterations over patches, on both clouds of the pair.
struct Attempt {
  Attempt(const Steps& steps, const Plan& with, const PerturbedPair& start)
      : plan(with), pair(start), original(steps.smoothing(plan)), perturbed(original, pair.perturbed) {}

  void advance() {
    plan.epsilon.push_back(original.advance(pair.original));
    perturbed.advance(pair.perturbed);
  }

  /// To the pair as some plan for the same patches left it.
  void go_back(Plan to, PerturbedPair left) {
    plan = std::move(to);
    pair = std::move(left);
    original.go_back(plan.epsilon.size(), plan.rotations);
    perturbed.go_back(plan.epsilon.size(), plan.rotations);
  }

  Plan plan;
  PerturbedPair pair;
  PatchSmoothing original;
  PatchSmoothing perturbed;
};

/// Finds the plan with the least expected error.
class Search {
 public:
  Search(const Sample& sample, std::vector<double> noise_at_points, std::vector<Vec3> sights, double noise,
         const Estimate& found, double spacing, const DenoiseSettings& settings, const ExecutionContext& context)
      : noise_at_points_(std::move(noise_at_points)),
        sure_(sample.points, noise_at_points_, sample.counts, context),
        steps_(sure_.start().original, noise_at_points_, std::move(sights), context),
        noise_(noise),
        uncertainty_penalty_(uncertainty_penalty_of(found)),
        spacing_(spacing),
        fidelity_(0.28 / std::pow(std::max(1.0, noise / spacing), 0.65)),
        required_gain_sigmas_(required_gain_sigmas_of(found)),
        settings_(settings),
        context_(context) {}

  const Outcome& run() {
    Plan plan;
    plan.noise = noise_;
    plan.fidelity = fidelity_;
    plan.restraint = settings_.restraint;
    best_ = judged(plan, sure_.start());
    plan.window_centre_distance = settings_.planes ? steps_.find_window_centre_distance() : 0.0;
    plan.is_strict = noise_ >= strong_noise * spacing_;
    choose_iterations(plan);
    if (settings_.quadrics && !best_.plan.does_nothing() && best_.plan.window_centre_distance > 0.0) {
      plan = best_.plan;
      plan.last_quadrics = true;
      const auto agree = [&](const std::vector<Vec3>& points) {
        return steps_.agree_on_quadrics(plan, points, steps_.quadric_windows(plan, points));
      };
      take(judged(plan, {agree(best_.pair.original), agree(best_.pair.perturbed)}), 0.0);
    }
    if (settings_.equalise_spacing && !best_.plan.does_nothing() && noise_ > least_noise_to_equalise * spacing_) {
      take_equal_spacing();
    }
    return best_;
  }

  /// The expected error of a choice that takes the noise to be stronger or weaker than it is.
  [[nodiscard]] ExpectedError judge_again(const ChosenPlan& chosen) const {
    std::vector<double> noise(noise_at_points_.size());
    std::ranges::transform(noise_at_points_, noise.begin(), [&](double sigma) { return chosen.strength * sigma; });
    const auto run = [&](const std::vector<Vec3>& points) {
      return Steps(points, noise, steps_.sights(), context_).all(chosen.plan);
    };
    return sure_.judge({run(sure_.start().original), run(sure_.start().perturbed)}).all;
  }

 private:
  Outcome judged(const Plan& plan, PerturbedPair pair) const {
    Outcome outcome{plan, std::move(pair), {}, 0.0, {}};
    const SureEstimate estimate = sure_.judge(outcome.pair);
    const auto cost = [&](const ExpectedError& error) {
      return (1.0 - along_surface) * error.squared_along_normal + along_surface * error.squared +
             uncertainty_penalty_ * (1.0 - error.degrees_of_freedom_along_normal) * noise_ * noise_;
    };
    outcome.error = estimate.all;
    outcome.cost = cost(estimate.all);
    std::ranges::transform(estimate.parts, outcome.part_costs.begin(), cost);
    return outcome;
  }

  Outcome judged(const Attempt& attempt) { return judged(attempt.plan, with_consensus(attempt.plan, attempt.pair)); }

  /// Takes an outcome for the best if it is better by so many standard deviations of the difference.
  bool take(Outcome&& outcome, double sigmas) {
    const Estimate gain = best_.gain_of(outcome);
    const bool better = gain > sigmas * gain.uncertainty;
    if (better) {
      best_ = std::move(outcome);
    }
    return better;
  }

  /// Evening is not asked to bring points closer to where they were, only not to take them far away. That shows after
  /// the last pass of the consensus as well as before it, where it is done.
  void take_equal_spacing() {
    Plan plan = best_.plan;
    plan.equalises_spacing = true;
    const auto even = [&](const std::vector<Vec3>& points) {
      return equalise_spacing(points, noise_at_points_, context_);
    };
    Outcome equalised = judged(plan, {even(best_.pair.original), even(best_.pair.perturbed)});
    const double added = equalised.error.squared_along_surface() - best_.error.squared_along_surface();
    if (added < most_error_to_equalise(noise_ / spacing_) * noise_ * noise_) {
      best_ = std::move(equalised);
    }
  }

  /// Planes alone, and as many iterations over patches before them as do no harm beyond doubt.
  void choose_iterations(Plan plan) {
    if (!settings_.patches || !plan.is_strict) {
      PerturbedPair consensus_alone = with_consensus(plan, sure_.start());
      set_normals(consensus_alone.original);
      take(judged(plan, std::move(consensus_alone)), gain_sigmas_to_begin);
      return;
    }
    // The larger the noise against the spacing, the more points it takes to see through it.
    plan.patch_size = static_cast<unsigned>(std::lround(std::clamp(30.0 * noise_ / spacing_, 10.0, 200.0)));
    plan.patch_centre_distance = steps_.find_patch_centre_distance(plan.patch_size);
    const double window_centre_distance = plan.window_centre_distance;
    if (noise_ > too_strong_for_windows * spacing_) {
      plan.window_centre_distance = 0.0;
    }
    const Plan plan_without_patches = plan;
    const bool can_do_without = noise_ < most_noise_of_consensus_alone * spacing_;
    const PerturbedPair consensus_alone = can_do_without ? with_consensus(plan, sure_.start()) : PerturbedPair{};
    Attempt attempt(steps_, plan, sure_.start());
    attempt.advance();
    PerturbedPair agreed = with_consensus(attempt.plan, attempt.pair);
    set_normals(agreed.original);
    if (can_do_without) {
      take(judged(plan_without_patches, consensus_alone), gain_sigmas_to_begin);
    }
    Outcome outcome = judged(attempt.plan, std::move(agreed));
    if (settings_.rotations && noise_ > least_noise_to_rotate * spacing_ && noise_ < most_noise_to_rotate * spacing_) {
      const Plan straight_plan = attempt.plan;
      PerturbedPair straight = attempt.pair;
      plan.rotations = true;
      attempt.go_back(plan, sure_.start());
      attempt.advance();
      Outcome turned = judged(attempt);
      if (outcome.gain_of(turned) > 0.0) {
        outcome = std::move(turned);
      } else {
        attempt.go_back(straight_plan, std::move(straight));
      }
    }
    const std::size_t least = can_do_without ? 1 : least_iterations(noise_ / spacing_);
    while (attempt.plan.epsilon.size() < least) {
      attempt.advance();
    }
    if (least > 1) {
      outcome = judged(attempt);
    }
    // Patches move borders inwards, which windows do not: they must be better than windows alone.
    const auto required_sigmas = [&] {
      return best_.plan.does_nothing()    ? gain_sigmas_to_begin
             : best_.plan.epsilon.empty() ? std::max(0.0, required_gain_sigmas_)
                                          : required_gain_sigmas_;
    };
    while (take(std::move(outcome), required_sigmas()) && attempt.plan.epsilon.size() < most_iterations) {
      attempt.advance();
      outcome = judged(attempt);
    }
    if (plan.window_centre_distance != window_centre_distance && !best_.plan.epsilon.empty()) {
      plan = best_.plan;
      plan.window_centre_distance = window_centre_distance;
      take(judged(plan, with_consensus(plan, best_.pair)), 0.0);
    }
  }

  [[nodiscard]] PerturbedPair with_consensus(const Plan& plan, const PerturbedPair& pair) {
    // How much will be tried is not known before: what is left shrinks with every trial.
    context_.report("choosing", 1.0 - (1.0 - part_to_survey) * std::pow(0.8, trials_++));
    return {steps_.agree(plan, pair.original), steps_.agree(plan, pair.perturbed)};
  }

  void set_normals(const std::vector<Vec3>& points) {
    constexpr std::size_t neighbours = 16;
    const Neighbourhoods around(points, NeighbourSearch(points, context_), neighbours, context_);
    sure_.set_normals(estimate_normals(points, around, neighbours, context_));
  }

  int trials_ = 0;
  std::vector<double> noise_at_points_;
  SureEstimator sure_;
  Steps steps_;
  Outcome best_;
  double noise_;
  double uncertainty_penalty_;
  double spacing_;
  double fidelity_;  ///< strong noise takes stronger steps
  double required_gain_sigmas_;
  const DenoiseSettings& settings_;
  const ExecutionContext& context_;
};

/// Regions that are spread over a cloud, joined. The search is over the points, the order their intrinsic one.
Sample take_regions(const std::vector<Vec3>& points, const NeighbourSearch& search,
                    std::span<const std::uint32_t> order, const RegionLayout& layout) {
  std::vector<Vec3> candidates;
  for (std::size_t c = 0; c < candidate_count(layout); ++c) {
    candidates.push_back(points[order[candidate_rank(layout, c, points.size())]]);
  }
  std::vector<std::vector<Vec3>> regions;
  for (const Vec3& middle : choose_middles(candidates, layout.regions)) {
    std::vector<std::uint32_t> indices(layout.size);
    std::vector<double> distances(layout.size);
    search.nearest(middle, indices, distances);
    std::vector<Vec3>& region = regions.emplace_back(layout.size);
    std::ranges::transform(indices, region.begin(), [&](std::uint32_t i) { return points[i]; });
  }
  return join_regions(regions, layout.part_that_counts);
}

/// Places that must have noise before anything is done, as a part of all: thin walls and creases of a clean cloud look
/// noisy in places, but not in as many.
constexpr double least_noisy_part = 0.15;

bool has_noise_to_take_out(const NoiseField& field) {
  const auto noisy = std::ranges::count_if(
      field.places, [](const NoiseField::Place& place) { return place.noise > least_noise * place.spacing; });
  return static_cast<double>(noisy) >= least_noisy_part * static_cast<double>(field.places.size());
}

/// The root mean square of a noise field over its places.
double rms_of(const NoiseField& field) {
  double squares = 0.0;
  for (const NoiseField::Place& place : field.places) {
    squares += place.noise * place.noise;
  }
  return std::sqrt(squares / static_cast<double>(field.places.size()));
}

/// Takes out less or more than all of the noise: a plan is chosen for all of it, because Stein's estimate is biased
/// where the noise is not what it is taken for; then every step takes the noise to be that many times as strong.
void scale_noise(ChosenPlan& chosen, double strength) {
  for (NoiseField::Place& place : chosen.field.places) {
    place.noise *= strength;
  }
  chosen.strength = strength;
  chosen.plan.noise *= strength;
  chosen.plan.fidelity /= strength * strength;
}

/// This part of the points may stand apart and still be left among the others when noise is estimated.
constexpr double most_isolated = 0.005;

/// The noise of a sample, without the points that stand so far apart that they say nothing about it.
NoiseField survey_noise(const Sample& sample, const NeighbourSearch& search, StrayRule& rule,
                        const ExecutionContext& context) {
  const StraySearch strays(sample.points, search, context);
  rule.typical_distance = strays.typical_distance();
  const std::vector<bool> isolated = strays.isolated(rule.typical_distance);
  // A few hardly change any quantile; and where noise is wider than the spacing they are part of it.
  const bool are_few = static_cast<double>(std::ranges::count(isolated, true)) <
                       most_isolated * static_cast<double>(sample.points.size());
  Sample rest;
  for (std::size_t p = 0; p < sample.points.size(); ++p) {
    if (are_few || !isolated[p]) {
      rest.points.push_back(sample.points[p]);
      if (!sample.counts.empty()) {
        rest.counts.push_back(sample.counts[p]);
      }
    }
  }
  NoiseField field = estimate_noise_field(rest.points, rest.counts, NeighbourSearch(rest.points, context), context);
  // Where errors are not often large, points that stand apart are no noise.
  rule.farthest_pull = field.has_heavy_tails
                           ? farthest_pull(strays.find(rule.typical_distance, field.at(sample.points, context),
                                                       StraySearch::Among::isolated))
                           : 0.0;
  return field;
}

}  // namespace

void check(const DenoiseSettings& settings) {
  if (!(settings.noise >= 0.0) || !std::isfinite(settings.noise)) {
    throw Error("the noise must not be negative");
  }
  if (!(settings.strength >= 0.0 && settings.strength <= 10.0)) {
    throw Error("the strength must be from 0 to 10");
  }
}

std::vector<Vec3> choose_middles(const std::vector<Vec3>& candidates, std::size_t regions) {
  const auto nearest = [](const std::vector<Vec3>& places, const Vec3& to) {
    return std::ranges::min_element(places, {}, [&](const Vec3& place) { return (place - to).squaredNorm(); });
  };
  std::vector<Vec3> seeds;
  for (const std::uint32_t seed : farthest_point_sample(candidates, regions)) {
    seeds.push_back(candidates[seed]);
  }
  // Points that are far from all others lie at the ends of a shape: better are those amid the candidates near them.
  std::vector<Vec3> sums(seeds.size(), Vec3::Zero());
  std::vector<double> counts(seeds.size(), 0.0);
  for (const Vec3& candidate : candidates) {
    const auto seed = static_cast<std::size_t>(nearest(seeds, candidate) - seeds.begin());
    sums[seed] += candidate;
    counts[seed] += 1.0;
  }
  std::vector<Vec3> middles;
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    middles.push_back(*nearest(candidates, sums[s] / counts[s]));
  }
  return middles;
}

Sample join_regions(const std::vector<std::vector<Vec3>>& regions, double part_that_counts) {
  std::vector<Vec3> points;
  std::vector<bool> counts;
  for (const std::vector<Vec3>& region : regions) {
    for (std::size_t i = 0; i < region.size(); ++i) {
      points.push_back(region[i]);
      counts.push_back(static_cast<double>(i) < part_that_counts * static_cast<double>(region.size()));
    }
  }
  Sample sample;
  for (const std::uint32_t p : spatial_order(points)) {
    if (!sample.points.empty() && sample.points.back() == points[p]) {
      sample.counts.back() = sample.counts.back() || counts[p];
    } else {
      sample.points.push_back(points[p]);
      sample.counts.push_back(counts[p]);
    }
  }
  return sample;
}

Samples take_samples(const std::vector<Vec3>& points, const ExecutionContext& context) {
  if (points.size() <= largest_whole_sample) {
    return {{points, {}}, {}};
  }
  const NeighbourSearch search(points, context);
  const std::vector<std::uint32_t> order = intrinsic_order(points, context);
  return {take_regions(points, search, order, regions_to_choose),
          take_regions(points, search, order, regions_to_survey_noise)};
}

ChosenPlan choose(const Samples& samples, const Sights& sights, const DenoiseSettings& settings,
                  const ExecutionContext& context) {
  const Sample& sample = samples.to_choose;
  const Sample& survey = samples.to_survey_noise.points.empty() ? sample : samples.to_survey_noise;
  context.report("choosing", 0.0);
  ChosenPlan chosen;
  chosen.spacing = estimate_spacing(sample.points, context);
  chosen.field = survey_noise(survey, NeighbourSearch(survey.points, context), chosen.strays, context);
  chosen.measured_noise = chosen.field.level;
  if (settings.noise > 0.0) {
    chosen.field = NoiseField::constant({settings.noise, 0.0});
  }
  chosen.noise = chosen.field.level;
  chosen.expected_error = chosen.noise;
  const bool has_noise = has_noise_to_take_out(chosen.field);
  const double noise = rms_of(chosen.field);
  chosen.decision = settings.strength == 0.0                                      ? Decision::strength_is_zero
                    : sample.points.size() < fewest_points                        ? Decision::too_few_points
                    : chosen.noise.value == 0.0 && chosen.noise.uncertainty > 0.0 ? Decision::no_surface
                    : !has_noise || noise <= least_noise * chosen.spacing         ? Decision::nothing_to_take_out
                                                                                  : Decision::denoise;
  if (chosen.decision != Decision::denoise) {
    return chosen;
  }
  const bool is_too_large =
      sample.counts.empty() && sample.points.size() > largest_sample_if_weak && noise < strong_noise * chosen.spacing;
  Sample rest = is_too_large ? take_regions(sample.points, NeighbourSearch(sample.points, context),
                                            intrinsic_order(sample.points, context), regions_if_weak)
                             : sample;
  std::vector<Vec3> sights_of_rest = sights.of(rest.points, context);
  const StrayResult near = pull_in_strays(chosen, rest.points, context);
  rest = {without(near.points, near.outliers), without(rest.counts, near.outliers)};
  const std::vector<double> noise_at_points = without(near.noise, near.outliers);
  sights_of_rest = without(sights_of_rest, near.outliers);
  Search search(rest, noise_at_points, std::move(sights_of_rest), noise, chosen.noise, chosen.spacing, settings,
                context);
  const Outcome& best = search.run();
  chosen.plan = best.plan;
  chosen.decision = best.plan.does_nothing() ? Decision::no_gain : Decision::denoise;
  // Every pass over windows takes less of correlated noise out than of white noise, and is as strong as that asks for.
  scale_noise(chosen, settings.strength * std::sqrt(1.0 + chosen.field.correlated));
  const bool is_as_judged = chosen.strength == 1.0;
  chosen.expected_error = chosen.noise * relative_error(is_as_judged ? best.error : search.judge_again(chosen));
  chosen.is_error_rough = !chosen.field.is_uniform || chosen.field.has_heavy_tails || chosen.strength != 1.0 ||
                          noise > strong_noise * chosen.spacing;
  return chosen;
}

StrayResult pull_in_strays(const ChosenPlan& chosen, const std::vector<Vec3>& points, const ExecutionContext& context) {
  StrayResult result{points, {}, chosen.field.at(points, context)};
  const NeighbourSearch search(points, context);
  const StraySearch strays(points, search, context);
  const auto among = chosen.strays.farthest_pull > 0.0 ? StraySearch::Among::all : StraySearch::Among::isolated;
  for (const Stray& stray : strays.find(chosen.strays.typical_distance, result.noise, among)) {
    if (stray.height > chosen.strays.farthest_pull) {
      result.outliers.push_back(stray.point);
    } else {
      result.points[stray.point] = stray.foot;
    }
  }
  return result;
}

namespace {

/// A given noise that is as many times what the points show, or the other way round, is taken to be a mistake.
constexpr double largest_noise_ratio = 3.0;

std::vector<std::string> warnings_about(const ChosenPlan& chosen) {
  std::vector<std::string> warnings;
  const double given = chosen.noise;
  const double measured = chosen.measured_noise;
  const bool is_measured = measured > 0.0 || chosen.measured_noise.uncertainty == 0.0;
  if (is_measured && chosen.decision != Decision::too_few_points &&
      std::max(given, measured) >
          std::max(least_noise * chosen.spacing, largest_noise_ratio * std::min(given, measured))) {
    warnings.push_back(fmt::format(
        "the given noise is {:.3g}, but the points show {:.3g} ± {:.1g} at a spacing of {:.3g}: is it a standard "
        "deviation, in the unit of the cloud? Without `noise` it is found",
        given, measured, chosen.measured_noise.uncertainty, chosen.spacing));
  }
  if (chosen.decision == Decision::too_few_points) {
    warnings.push_back(
        fmt::format("there are fewer than {} points at different places, too few to tell noise from "
                    "shape; they are left as they are. Other methods take fewer: `method`",
                    fewest_points));
  } else if (chosen.decision == Decision::no_surface) {
    warnings.push_back(fmt::format(
        "no surface was found: at a spacing of {:.3g}, the points fill a volume, lie along lines, or have noise wider "
        "than the shape; they are left as they are. `noise` tells how strong it is where you know",
        chosen.spacing));
  } else if (chosen.decision == Decision::no_gain) {
    warnings.push_back(fmt::format(
        "what looks like noise, {:.3g} at a spacing of {:.3g}, may be shape: nothing that was tried is expected to "
        "bring "
        "points closer to the truth, and they are left as they are. `noise` tells how strong it is where you know",
        given, chosen.spacing));
  }
  return warnings;
}

}  // namespace

DenoiseFindings findings_of(const ChosenPlan& chosen) {
  DenoiseFindings found;
  found.spacing = chosen.spacing;
  found.noise = chosen.noise;
  found.patch_size = chosen.plan.epsilon.empty() ? 0 : chosen.plan.patch_size;
  found.iterations = static_cast<unsigned>(chosen.plan.epsilon.size());
  found.consensus_passes = static_cast<unsigned>(chosen.plan.passes());
  found.expected_error_before = chosen.noise;
  found.expected_error_after = chosen.expected_error;
  found.is_error_rough = chosen.is_error_rough;
  found.decision = chosen.decision;
  found.warnings = warnings_about(chosen);
  return found;
}

}  // namespace burnish::automatic
