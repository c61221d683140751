#include "burnish/denoise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "blind/consensus.hpp"
#include "blind/evening.hpp"
#include "blind/outliers.hpp"
#include "blind/patch_smoothing.hpp"
#include "blind/trial.hpp"
#include "burnish/neighbours.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/normals.hpp"
#include "geometry/working_points.hpp"

namespace burnish {
namespace {

using namespace blind;

/// Noise below this part of the spacing is no noise.
constexpr double least_noise = 0.03;

/// From here on, in spacings, noise makes the spacing more uneven than it was.
constexpr double least_noise_to_even = 0.3;

/// Up to here, in spacings, patch sizes are tried.
constexpr double most_noise_to_choose = 0.6;

constexpr unsigned smallest_patch = 8;
constexpr unsigned largest_patch = 250;
constexpr double size_step = 1.5;
constexpr unsigned most_iterations = 6;

/// The two passes of the consensus: points in a neighbourhood, and the noise that is taken to be left, as a part of
/// that of the input.
struct Pass {
  std::size_t neighbourhood;
  double noise_left;
};
constexpr Pass passes[] = {{24, 0.3}, {48, 0.15}};

/// What is done to a cloud.
struct Plan {
  double fidelity = 0.0;
  unsigned patch_size = 0;
  unsigned iterations = 0;
  bool pass[2] = {false, false};
};

/// A plan and what came of it in the trial.
struct Outcome {
  Plan plan;
  Twins twins;
  ExpectedError error;
  /// What is compared: the expected error, most of it across the surface, where it shows, and the less noise there may
  /// be in truth, something for what was taken away.
  double cost = 0.0;
};

/// A part of the cloud to try things on, so that trying costs no more for a large cloud than for a small one.
struct Part {
  std::vector<Vec3> points;
  std::vector<bool> counts;  ///< not those at the border of a region, who miss neighbours; empty if all count
};

Part part_to_try(const std::vector<Vec3>& points, const ExecutionContext& context) {
  constexpr std::size_t regions = 4;
  constexpr std::size_t region_size = 8000;
  if (points.size() <= 2 * regions * region_size) {
    return {points, {}};
  }
  // Balls around points that are spread over the cloud. A point within the inner 60 % of any of them counts.
  const NeighbourSearch search(points);
  std::vector<std::uint8_t> role(points.size(), 0);
  std::vector<std::uint32_t> indices(region_size);
  std::vector<double> distances(region_size);
  const std::vector<std::uint32_t> order = intrinsic_order(points, context);
  for (std::size_t r = 0; r < regions; ++r) {
    search.nearest(points[order[(2 * r + 1) * order.size() / (2 * regions)]], indices, distances);
    for (std::size_t i = 0; i < region_size; ++i) {
      role[indices[i]] = std::max<std::uint8_t>(role[indices[i]], i < region_size * 6 / 10 ? 2 : 1);
    }
  }
  Part part;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (role[i] > 0) {
      part.points.push_back(points[i]);
      part.counts.push_back(role[i] == 2);
    }
  }
  return part;
}

/// Finds the plan with the least expected error.
class Search {
 public:
  /// The doubt is the relative uncertainty of the noise.
  Search(Part part, double noise, double doubt, double spacing, const DenoiseSettings& settings,
         const ExecutionContext& context)
      : trial_(std::move(part.points), noise, std::move(part.counts), context),
        noise_(noise),
        doubt_(doubt),
        spacing_(spacing),
        fidelity_(0.25 / std::sqrt(std::max(1.0, noise / spacing))),
        along_surface_(std::clamp(0.06 * std::pow(spacing / noise, 2), 0.1, 1.0)),
        settings_(settings),
        context_(context) {}

  Outcome run() {
    Outcome best = judged({}, trial_.start());
    // Where to begin: the larger the noise against the spacing, the more points it takes to see through it.
    const auto first = static_cast<unsigned>(std::lround(std::clamp(30.0 * noise_ / spacing_, 10.0, 200.0)));
    take(smooth(first), best);
    // Strong noise drowns what distinguishes one patch size from the next.
    const bool can_choose = settings_.choose_patches && noise_ < most_noise_to_choose * spacing_;
    if (can_choose && !climb(first, size_step, best)) {
      climb(first, 1.0 / size_step, best);
    }
    before_last_pass_ = best.twins.plain;
    for (std::size_t p = 0; p < 2 && settings_.consensus; ++p) {
      const Pass& pass = passes[p];
      Plan plan = best.plan;
      plan.pass[p] = true;
      const auto agree = [&](const std::vector<Vec3>& points) {
        return consensus(points, pass.neighbourhood, pass.noise_left * noise_, context_);
      };
      std::vector<Vec3> before = best.twins.plain;
      if (take(judged(plan, {agree(best.twins.plain), agree(best.twins.shaken)}), best)) {
        before_last_pass_ = std::move(before);
      }
    }
    return best;
  }

  /// The cloud as the best plan leaves it before the last pass.
  [[nodiscard]] std::vector<Vec3>& before_last_pass() { return before_last_pass_; }

 private:
  Outcome judged(const Plan& plan, Twins twins) const {
    Outcome outcome{plan, std::move(twins), {}, 0.0};
    outcome.error = trial_.judge(outcome.twins);
    const ExpectedError& error = outcome.error;
    outcome.cost = (1.0 - along_surface_) * error.squared_along_normal + along_surface_ * error.squared +
                   doubt_ * (1.0 - error.freedom_along_normal) * noise_ * noise_;
    return outcome;
  }

  static bool take(Outcome&& outcome, Outcome& best) {
    const bool better = outcome.cost < (1.0 - 1e-9) * best.cost;  // not by rounding
    if (better) {
      best = std::move(outcome);
    }
    return better;
  }

  /// Larger and larger patches, or smaller and smaller, as long as that helps. Says whether it did.
  bool climb(unsigned patch_size, double factor, Outcome& best) {
    bool helped = false;
    for (double size = patch_size * factor; size >= smallest_patch && size <= largest_patch; size *= factor) {
      if (!take(smooth(static_cast<unsigned>(std::lround(size))), best)) {
        break;
      }
      helped = true;
    }
    return helped;
  }

  /// Iterates as long as the expected error falls.
  [[nodiscard]] Outcome smooth(unsigned patch_size) {
    context_.report("choosing", 0.0);
    Twins twins = trial_.start();
    PatchSmoothing plain(twins.plain, patch_size, fidelity_, context_);
    PatchSmoothing shaken(plain, twins.shaken);
    Outcome best = judged({}, twins);
    for (unsigned i = 1; i <= most_iterations; ++i) {
      plain.advance(twins.plain);
      shaken.advance(twins.shaken);
      if (!trial_.has_normals()) {
        constexpr std::size_t neighbours = 16;
        const Neighbourhoods neighbourhoods(twins.plain, NeighbourSearch(twins.plain), neighbours, context_);
        trial_.set_normals(estimate_normals(twins.plain, neighbourhoods, neighbours, context_));
      }
      if (!take(judged({fidelity_, patch_size, i}, twins), best)) {
        break;
      }
    }
    return best;
  }

  Trial trial_;
  std::vector<Vec3> before_last_pass_;
  double noise_;
  double doubt_;
  double spacing_;
  double fidelity_;       ///< strong noise takes stronger steps
  double along_surface_;  ///< what an error along the surface weighs: it shows while it is small against the spacing
  const DenoiseSettings& settings_;
  const ExecutionContext& context_;
};

/// A plan up to its last pass, on the whole cloud.
std::vector<Vec3> follow(const Plan& plan, std::vector<Vec3> points, double noise, const ExecutionContext& context) {
  if (plan.iterations > 0) {
    PatchSmoothing smoothing(points, plan.patch_size, plan.fidelity, context);
    for (unsigned i = 0; i < plan.iterations; ++i) {
      context.report("denoising", 0.9 * i / plan.iterations);
      smoothing.advance(points);
    }
  }
  if (plan.pass[0] && plan.pass[1]) {
    points = consensus(points, passes[0].neighbourhood, passes[0].noise_left * noise, context);
  }
  return points;
}

void check(const DenoiseSettings& settings) {
  if (!(settings.noise >= 0.0) || !std::isfinite(settings.noise)) {
    throw Error("the noise must not be negative");
  }
  if (!(settings.strength >= 0.0 && settings.strength <= 10.0)) {
    throw Error("the strength must be from 0 to 10");
  }
}

}  // namespace

DenoiseResult denoise(std::span<const Vec3> positions, const DenoiseSettings& settings,
                      const ExecutionContext& context) {
  check(settings);
  DenoiseResult result;
  result.positions.assign(positions.begin(), positions.end());
  const WorkingPoints working = working_points(positions, context);
  result.spacing = estimate_spacing(working.points, context);
  result.noise = settings.noise > 0.0 ? Estimate{settings.noise, 0.0} : estimate_noise(working.points, context);
  const double noise = settings.strength * result.noise;
  result.expected_error_before = std::sqrt(3.0) * result.noise;
  result.expected_error_after = result.expected_error_before;

  const std::vector<std::uint32_t> outliers = find_outliers(working.points, result.noise, context);
  std::vector<bool> is_outlier(working.points.size(), false);
  for (const std::uint32_t p : outliers) {
    is_outlier[p] = true;
  }
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    if (working.place[i] != WorkingPoints::absent && is_outlier[working.place[i]]) {
      result.outliers.push_back(i);
    }
  }
  std::vector<std::uint32_t> kept;
  std::vector<Vec3> points;
  for (std::uint32_t p = 0; p < working.points.size(); ++p) {
    if (!is_outlier[p]) {
      kept.push_back(p);
      points.push_back(working.points[p]);
    }
  }
  constexpr std::size_t fewest_points = 100;
  if (noise <= least_noise * result.spacing || points.size() < fewest_points) {
    return result;
  }

  Part part = part_to_try(points, context);
  const bool tried_on_all = part.counts.empty();
  const double doubt = std::clamp(result.noise.uncertainty / result.noise, 0.05, 0.25);
  Search search(std::move(part), noise, doubt, result.spacing, settings, context);
  const Outcome best = search.run();
  result.patch_size = best.plan.patch_size;
  result.iterations = best.plan.iterations;
  result.consensus_passes = (best.plan.pass[0] ? 1 : 0) + (best.plan.pass[1] ? 1 : 0);
  result.expected_error_after = std::sqrt(std::max(best.error.squared, 0.0));
  if (best.plan.iterations == 0 && result.consensus_passes == 0) {
    return result;
  }

  // The last pass comes after the evening, to put points back on the surface that slid off it.
  std::vector<Vec3> moved =
      tried_on_all ? std::move(search.before_last_pass()) : follow(best.plan, points, noise, context);
  if (settings.evening && noise > least_noise_to_even * result.spacing) {
    moved = even_out(moved, noise, context);
  }
  if (result.consensus_passes > 0) {
    const Pass& last = passes[best.plan.pass[1] ? 1 : 0];
    moved = consensus(moved, last.neighbourhood, last.noise_left * noise, context);
  }
  std::vector<Vec3> all = working.points;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    all[kept[i]] = moved[i];
  }
  context.report("denoising", 1.0);
  result.positions = working.restore(positions, all);
  return result;
}

}  // namespace burnish
