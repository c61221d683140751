#include "automatic/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "automatic/evening.hpp"
#include "automatic/left_out.hpp"
#include "automatic/steps.hpp"
#include "automatic/trial.hpp"
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
double most_error_to_even(double noise_in_spacings) { return std::min(0.55 * noise_in_spacings, 0.3); }

/// Weaker noise, in spacings, leaves the spacing as even as it was: there is nothing to even out.
constexpr double least_noise_to_even = 0.2;

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
constexpr double least_noise_to_turn = 0.6;
constexpr double most_noise_to_turn = 1.6;

/// Beyond this, in spacings, they see little but noise even then: what patches do is judged without.
constexpr double too_strong_for_windows = 2.0;

/// What an error along the surface weighs against one across it, where it shows.
constexpr double along_surface = 0.1;

/// How many standard deviations a gain must be above zero before anything is done at all.
constexpr double caution_to_begin = 3.0;

/// What taking away a degree of freedom costs, in variances of the noise, because that may be less than it seems: if
/// it is, by a part d, then 4d times its variance more than Stein's estimate says. A twentieth is usual.
double doubt_of(const Estimate& noise) {
  return std::clamp(0.05 + 4.0 * (noise.uncertainty / noise - 0.05), 0.05, 0.2);
}

/// By how many standard deviations an iteration must be better, or, if negative, may be worse: the less certain the
/// noise is, the more it has to show.
double caution_of(const Estimate& noise) {
  return std::clamp(-1.75 + 50.0 * (noise.uncertainty / noise - 0.05), -1.75, 1.28);
}

/// The error across the surface that is left of noise of variance 1, as a standard deviation. A linear smoother S
/// leaves tr(SSᵀ) of the variance, and tr(S) degrees of freedom; local fits that overlap have tr(SSᵀ) ≈ ⅔ tr(S)
/// (docs/method.md), and the cloud as it is has tr(SSᵀ) = tr(S).
double relative_error(const ExpectedError& error) {
  const double left = std::clamp(error.freedom_along_normal, 0.0, 1.0);
  return std::sqrt(left * (2.0 + left) / 3.0);
}

constexpr std::size_t fewest_points = 100;
constexpr unsigned most_iterations = 6;

/// A plan and what came of it in the trial.
struct Outcome {
  Plan plan;
  Twins twins;
  ExpectedError error;
  /// What is compared: the expected error, most of it across the surface, where it shows, and the less noise there may
  /// be in truth, something for what was taken away.
  double cost = 0.0;
  std::array<double, Judgement::part_count> part_costs{};

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

/// Iterations over patches, on both of the twins.
struct Attempt {
  Attempt(const Steps& steps, const Plan& with, const Twins& start)
      : plan(with), twins(start), plain(steps.smoothing(plan)), shaken(plain, twins.shaken) {}

  void advance() {
    plan.epsilon.push_back(plain.advance(twins.plain));
    shaken.advance(twins.shaken);
  }

  /// To twins as some plan for the same patches left them.
  void go_back(Plan to, Twins left) {
    plan = std::move(to);
    twins = std::move(left);
    plain.go_back(plan.epsilon.size(), plan.turns);
    shaken.go_back(plan.epsilon.size(), plan.turns);
  }

  Plan plan;
  Twins twins;
  PatchSmoothing plain;
  PatchSmoothing shaken;
};

/// Finds the plan with the least expected error.
class Search {
 public:
  Search(const Sample& sample, std::vector<double> noise_at_points, double noise, const Estimate& found, double spacing,
         const DenoiseSettings& settings, const ExecutionContext& context)
      : noise_at_points_(std::move(noise_at_points)),
        trial_(sample.points, noise_at_points_, sample.counts, context),
        steps_(trial_.start().plain, noise_at_points_, context),
        noise_(noise),
        doubt_(doubt_of(found)),
        spacing_(spacing),
        fidelity_(0.28 / std::pow(std::max(1.0, noise / spacing), 0.65)),
        caution_(caution_of(found)),
        settings_(settings),
        context_(context) {}

  const Outcome& run() {
    Plan plan;
    plan.noise = noise_;
    plan.fidelity = fidelity_;
    plan.restraint = settings_.restraint;
    best_ = judged(plan, trial_.start());
    plan.windows_apart = settings_.planes ? steps_.find_windows_apart() : 0.0;
    plan.is_strict = noise_ >= strong_noise * spacing_;
    choose_iterations(plan);
    if (settings_.quadrics && !best_.plan.does_nothing() && best_.plan.windows_apart > 0.0) {
      plan = best_.plan;
      plan.last_quadrics = true;
      const auto agree = [&](const std::vector<Vec3>& points) {
        return steps_.agree_on_quadrics(plan, points, steps_.quadric_windows(plan, points));
      };
      take(judged(plan, {agree(best_.twins.plain), agree(best_.twins.shaken)}), 0.0);
    }
    if (settings_.evening && !best_.plan.does_nothing() && noise_ > least_noise_to_even * spacing_) {
      take_evening();
    }
    return best_;
  }

  /// The expected error of a choice that takes the noise to be stronger or weaker than it is.
  [[nodiscard]] ExpectedError judge_again(const Choice& choice) const {
    std::vector<double> noise(noise_at_points_.size());
    std::ranges::transform(noise_at_points_, noise.begin(), [&](double sigma) { return choice.strength * sigma; });
    const auto run = [&](const std::vector<Vec3>& points) { return Steps(points, noise, context_).all(choice.plan); };
    return trial_.judge({run(trial_.start().plain), run(trial_.start().shaken)}).all;
  }

 private:
  Outcome judged(const Plan& plan, Twins twins) const {
    Outcome outcome{plan, std::move(twins), {}, 0.0, {}};
    const Judgement judgement = trial_.judge(outcome.twins);
    const auto cost = [&](const ExpectedError& error) {
      return (1.0 - along_surface) * error.squared_along_normal + along_surface * error.squared +
             doubt_ * (1.0 - error.freedom_along_normal) * noise_ * noise_;
    };
    outcome.error = judgement.all;
    outcome.cost = cost(judgement.all);
    std::ranges::transform(judgement.parts, outcome.part_costs.begin(), cost);
    return outcome;
  }

  Outcome judged(const Attempt& attempt) { return judged(attempt.plan, with_consensus(attempt.plan, attempt.twins)); }

  /// Takes an outcome for the best if it is better by so many standard deviations of the difference.
  bool take(Outcome&& outcome, double caution) {
    const Estimate gain = best_.gain_of(outcome);
    const bool better = gain > caution * gain.uncertainty;
    if (better) {
      best_ = std::move(outcome);
    }
    return better;
  }

  /// Evening is not asked to bring points closer to where they were, only not to take them far away. That shows after
  /// the last pass of the consensus as well as before it, where it is done.
  void take_evening() {
    Plan plan = best_.plan;
    plan.evening = true;
    const auto even = [&](const std::vector<Vec3>& points) { return even_out(points, noise_at_points_, context_); };
    Outcome evened = judged(plan, {even(best_.twins.plain), even(best_.twins.shaken)});
    const double added = evened.error.squared_along_surface() - best_.error.squared_along_surface();
    if (added < most_error_to_even(noise_ / spacing_) * noise_ * noise_) {
      best_ = std::move(evened);
    }
  }

  /// Planes alone, and as many iterations over patches before them as do no harm beyond doubt.
  void choose_iterations(Plan plan) {
    if (!settings_.patches || !plan.is_strict) {
      Twins consensus_alone = with_consensus(plan, trial_.start());
      set_normals(consensus_alone.plain);
      take(judged(plan, std::move(consensus_alone)), caution_to_begin);
      return;
    }
    // The larger the noise against the spacing, the more points it takes to see through it.
    plan.patch_size = static_cast<unsigned>(std::lround(std::clamp(30.0 * noise_ / spacing_, 10.0, 200.0)));
    plan.patches_apart = steps_.find_patches_apart(plan.patch_size);
    const double windows_apart = plan.windows_apart;
    if (noise_ > too_strong_for_windows * spacing_) {
      plan.windows_apart = 0.0;
    }
    const Plan plan_without_patches = plan;
    const bool can_do_without = noise_ < most_noise_of_consensus_alone * spacing_;
    const Twins consensus_alone = can_do_without ? with_consensus(plan, trial_.start()) : Twins{};
    Attempt attempt(steps_, plan, trial_.start());
    attempt.advance();
    Twins agreed = with_consensus(attempt.plan, attempt.twins);
    set_normals(agreed.plain);
    if (can_do_without) {
      take(judged(plan_without_patches, consensus_alone), caution_to_begin);
    }
    Outcome outcome = judged(attempt.plan, std::move(agreed));
    if (settings_.turns && noise_ > least_noise_to_turn * spacing_ && noise_ < most_noise_to_turn * spacing_) {
      const Plan straight_plan = attempt.plan;
      Twins straight = attempt.twins;
      plan.turns = true;
      attempt.go_back(plan, trial_.start());
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
    while (take(std::move(outcome), best_.plan.does_nothing() ? caution_to_begin : caution_) &&
           attempt.plan.epsilon.size() < most_iterations) {
      attempt.advance();
      outcome = judged(attempt);
    }
    if (plan.windows_apart != windows_apart && !best_.plan.epsilon.empty()) {
      plan = best_.plan;
      plan.windows_apart = windows_apart;
      take(judged(plan, with_consensus(plan, best_.twins)), 0.0);
    }
  }

  [[nodiscard]] Twins with_consensus(const Plan& plan, const Twins& twins) {
    context_.report("choosing", 0.0);
    return {steps_.agree(plan, twins.plain), steps_.agree(plan, twins.shaken)};
  }

  void set_normals(const std::vector<Vec3>& points) {
    constexpr std::size_t neighbours = 16;
    const Neighbourhoods around(points, NeighbourSearch(points, context_), neighbours, context_);
    trial_.set_normals(estimate_normals(points, around, neighbours, context_));
  }

  std::vector<double> noise_at_points_;
  Trial trial_;
  Steps steps_;
  Outcome best_;
  double noise_;
  double doubt_;
  double spacing_;
  double fidelity_;  ///< strong noise takes stronger steps
  double caution_;
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
void scale_noise(Choice& choice, double strength) {
  for (NoiseField::Place& place : choice.field.places) {
    place.noise *= strength;
  }
  choice.strength = strength;
  choice.plan.noise *= strength;
  choice.plan.fidelity /= strength * strength;
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

Choice choose(const Samples& samples, const DenoiseSettings& settings, const ExecutionContext& context) {
  const Sample& sample = samples.to_choose;
  const Sample& survey = samples.to_survey_noise.points.empty() ? sample : samples.to_survey_noise;
  context.report("choosing", 0.0);
  Choice choice;
  choice.spacing = estimate_spacing(sample.points, context);
  choice.field = survey_noise(survey, NeighbourSearch(survey.points, context), choice.strays, context);
  choice.measured_noise = choice.field.level;
  if (settings.noise > 0.0) {
    choice.field = NoiseField::constant({settings.noise, 0.0});
  }
  choice.noise = choice.field.level;
  choice.expected_error = choice.noise;
  const bool has_noise = has_noise_to_take_out(choice.field);
  const double noise = rms_of(choice.field);
  choice.decision = settings.strength == 0.0                                      ? Decision::strength_is_zero
                    : sample.points.size() < fewest_points                        ? Decision::too_few_points
                    : choice.noise.value == 0.0 && choice.noise.uncertainty > 0.0 ? Decision::no_surface
                    : !has_noise || noise <= least_noise * choice.spacing         ? Decision::nothing_to_take_out
                                                                                  : Decision::denoise;
  if (choice.decision != Decision::denoise) {
    return choice;
  }
  const bool is_too_large =
      sample.counts.empty() && sample.points.size() > largest_sample_if_weak && noise < strong_noise * choice.spacing;
  Sample rest = is_too_large ? take_regions(sample.points, NeighbourSearch(sample.points, context),
                                            intrinsic_order(sample.points, context), regions_if_weak)
                             : sample;
  const StrayResult near = pull_in_strays(choice, rest.points, context);
  rest = {without(near.points, near.outliers), without(rest.counts, near.outliers)};
  Search search(rest, choice.field.at(rest.points, context), noise, choice.noise, choice.spacing, settings, context);
  const Outcome& best = search.run();
  choice.plan = best.plan;
  choice.decision = best.plan.does_nothing() ? Decision::no_gain : Decision::denoise;
  // Every pass over windows takes less of correlated noise out than of white noise, and is as strong as that asks for.
  scale_noise(choice, settings.strength * std::sqrt(1.0 + choice.field.correlated));
  const bool is_as_judged = choice.strength == 1.0;
  choice.expected_error = choice.noise * relative_error(is_as_judged ? best.error : search.judge_again(choice));
  choice.is_error_rough = !choice.field.is_uniform || choice.field.has_heavy_tails || choice.strength != 1.0 ||
                          noise > strong_noise * choice.spacing;
  return choice;
}

StrayResult pull_in_strays(const Choice& choice, const std::vector<Vec3>& points, const ExecutionContext& context) {
  StrayResult result{points, {}};
  const NeighbourSearch search(points, context);
  const StraySearch strays(points, search, context);
  const auto among = choice.strays.farthest_pull > 0.0 ? StraySearch::Among::all : StraySearch::Among::isolated;
  for (const Stray& stray : strays.find(choice.strays.typical_distance, choice.field.at(points, context), among)) {
    if (stray.height > choice.strays.farthest_pull) {
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

std::vector<std::string> warnings_about(const Choice& choice) {
  std::vector<std::string> warnings;
  const double given = choice.noise;
  const double measured = choice.measured_noise;
  const bool is_measured = measured > 0.0 || choice.measured_noise.uncertainty == 0.0;
  if (is_measured && choice.decision != Decision::too_few_points &&
      std::max(given, measured) >
          std::max(least_noise * choice.spacing, largest_noise_ratio * std::min(given, measured))) {
    warnings.push_back(fmt::format(
        "the given noise is {:.3g}, but the points show {:.3g} ± {:.1g} at a spacing of {:.3g}: is it a standard "
        "deviation, in the unit of the cloud? Without `noise` it is found",
        given, measured, choice.measured_noise.uncertainty, choice.spacing));
  }
  if (choice.decision == Decision::too_few_points) {
    warnings.push_back(
        fmt::format("there are fewer than {} points at different places, too few to tell noise from "
                    "shape; they are left as they are. Other methods take fewer: `method`",
                    fewest_points));
  } else if (choice.decision == Decision::no_surface) {
    warnings.push_back(fmt::format(
        "no surface was found: at a spacing of {:.3g}, the points fill a volume, lie along lines, or have noise wider "
        "than the shape; they are left as they are. `noise` tells how strong it is where you know",
        choice.spacing));
  } else if (choice.decision == Decision::no_gain) {
    warnings.push_back(fmt::format(
        "what looks like noise, {:.3g} at a spacing of {:.3g}, may be shape: nothing that was tried is expected to "
        "bring "
        "points closer to the truth, and they are left as they are. `noise` tells how strong it is where you know",
        given, choice.spacing));
  }
  return warnings;
}

}  // namespace

DenoiseFindings findings_of(const Choice& choice) {
  DenoiseFindings found;
  found.spacing = choice.spacing;
  found.noise = choice.noise;
  found.patch_size = choice.plan.epsilon.empty() ? 0 : choice.plan.patch_size;
  found.iterations = static_cast<unsigned>(choice.plan.epsilon.size());
  found.consensus_passes = static_cast<unsigned>(choice.plan.passes());
  found.expected_error_before = choice.noise;
  found.expected_error_after = choice.expected_error;
  found.is_error_rough = choice.is_error_rough;
  found.decision = choice.decision;
  found.warnings = warnings_about(choice);
  return found;
}

}  // namespace burnish::automatic
