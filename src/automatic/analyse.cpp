#include "automatic/analyse.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "automatic/left_out.hpp"
#include "automatic/plan_search.hpp"
#include "automatic/regimes.hpp"
#include "burnish/error.hpp"
#include "geometry/spacing.hpp"

namespace burnish::automatic {
namespace {

/// Least fraction of noisy places for which anything is done. Some places of a clean cloud, at thin walls and creases,
/// appear noisy too, but fewer.
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

/// Removes a multiple of the noise. The plan is chosen for a strength of 1, because Stein's estimate is biased if the
/// assumed noise is wrong; then every step assumes noise that many times as strong.
void scale_noise(ChosenPlan& chosen, double strength) {
  for (NoiseField::Place& place : chosen.field.places) {
    place.noise *= strength;
  }
  chosen.strength = strength;
  for (Step& step : chosen.plan) {
    if (SmoothPatches* patches = std::get_if<SmoothPatches>(&step)) {
      patches->noise *= strength;
      patches->fidelity /= strength * strength;
    }
  }
}

/// Noise that grows with the spacing is that of a sensor whose errors are correlated over more points than residual
/// curves cover, where they cannot be distinguished from shape. If noise is proportional to the spacing, fits assume it
/// to be stronger by this fraction (docs/automatic.md).
constexpr double more_strength_if_noise_grows = 3.0;

/// Multiplies the noise that fits across the surface assume. Steps along the surface are unchanged.
void strengthen_fits(Plan& plan, double factor) {
  for (Step& step : plan) {
    if (AgreeOnFits* fits = std::get_if<AgreeOnFits>(&step)) {
      for (double& noise_left : fits->noise_left) {
        noise_left *= factor;
      }
    } else if (AgreeOnQuadrics* quadrics = std::get_if<AgreeOnQuadrics>(&step)) {
      quadrics->noise_left *= factor;
    } else if (Restrain* restrain = std::get_if<Restrain>(&step)) {
      restrain->noise_taken *= factor;
    }
  }
}

/// If fewer points than this fraction are isolated, they are not excluded from the estimate of the noise.
constexpr double most_isolated = 0.005;

/// The noise of a sample, without the isolated points, which are no evidence about it.
NoiseField survey_noise(const Sample& sample, const NeighbourSearch& search, StrayRule& rule,
                        const ExecutionContext& context) {
  const StraySearch strays(sample.points, search, context);
  rule.typical_distance = strays.typical_distance();
  const std::vector<bool> isolated = strays.isolated(rule.typical_distance);
  // A few hardly change any quantile, and where noise is larger than the spacing they are part of it.
  const bool are_few = static_cast<double>(std::ranges::count(isolated, true)) <
                       most_isolated * static_cast<double>(sample.points.size());
  Sample rest;
  std::vector<std::uint32_t> left_out;
  for (std::uint32_t p = 0; p < sample.points.size(); ++p) {
    if (!are_few && isolated[p]) {
      left_out.push_back(p);
    } else {
      rest.points.push_back(sample.points[p]);
      if (!sample.counts.empty()) {
        rest.counts.push_back(sample.counts[p]);
      }
    }
  }
  NoiseField field = estimate_noise_field(rest.points, rest.counts, search.without(left_out, context), context);
  // Without heavy tails, isolated points are not noise.
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

ChosenPlan analyse(const Samples& samples, const Sights& sights, const DenoiseSettings& settings,
                   const ExecutionContext& context) {
  const Sample& sample = samples.to_choose;
  context.report("choosing", 0.0);
  const NeighbourSearch search(sample.points, context);
  ChosenPlan chosen;
  chosen.spacing = spacing_among(sample.points, search, context);
  chosen.field = samples.to_survey_noise.points.empty()
                     ? survey_noise(sample, search, chosen.strays, context)
                     : survey_noise(samples.to_survey_noise, NeighbourSearch(samples.to_survey_noise.points, context),
                                    chosen.strays, context);
  chosen.measured_noise = chosen.field.level;
  if (settings.noise > 0.0) {
    chosen.field = NoiseField::constant({settings.noise, 0.0});
  }
  chosen.noise = chosen.field.level;
  chosen.expected_error = chosen.noise;
  const double noise = rms_of(chosen.field);
  chosen.decision = settings.strength == 0.0                                      ? Decision::strength_is_zero
                    : sample.points.size() < fewest_points                        ? Decision::too_few_points
                    : chosen.noise.value == 0.0 && chosen.noise.uncertainty > 0.0 ? Decision::no_surface
                    : !has_noise_to_take_out(chosen.field) || noise <= least_noise * chosen.spacing
                        ? Decision::nothing_to_take_out
                        : Decision::denoise;
  if (chosen.decision != Decision::denoise) {
    return chosen;
  }
  const std::optional<Sample> smaller =
      noise < strong_noise * chosen.spacing ? smaller_sample(sample, search, context) : std::nullopt;
  const auto prepare = [&](const Sample& of, const NeighbourSearch& among) {
    return prepare_cloud(of.points, among, chosen.field.at(of.points, context), chosen.strays, sights, context);
  };
  PreparedCloud prepared =
      smaller ? prepare(*smaller, NeighbourSearch(smaller->points, context)) : prepare(sample, search);
  std::vector<bool> counts = without(smaller ? smaller->counts : sample.counts, prepared.outliers);
  PlanSearch plans(std::move(prepared), std::move(counts), noise, chosen.noise.uncertainty / chosen.noise,
                   chosen.spacing, settings, context);
  const Trial& best = plans.run();
  chosen.plan = best.plan;
  chosen.decision = best.plan.empty() ? Decision::no_gain : Decision::denoise;
  // Every pass over windows removes less of correlated noise than of white noise, so noise is assumed to be stronger.
  scale_noise(chosen, settings.strength * std::sqrt(1.0 + chosen.field.correlated));
  strengthen_fits(chosen.plan, 1.0 + more_strength_if_noise_grows * std::min(chosen.field.growth, 1.0));
  const bool is_as_judged = chosen.strength == 1.0 && chosen.field.growth == 0.0;
  chosen.expected_error =
      chosen.noise * relative_error(is_as_judged ? best.error : plans.judge(chosen.plan, chosen.strength));
  chosen.is_error_rough = !chosen.field.is_uniform || chosen.field.has_heavy_tails || chosen.strength != 1.0 ||
                          noise > strong_noise * chosen.spacing;
  return chosen;
}

}  // namespace burnish::automatic
