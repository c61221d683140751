#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "automatic/analyse.hpp"
#include "automatic/regimes.hpp"

namespace burnish::automatic {
namespace {

/// There is a warning if the given noise and the estimate differ by more than this factor.
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
        "the given noise is {:.3g}, but the estimate is {:.3g} ± {:.1g} at a spacing of {:.3g}: is it a standard "
        "deviation, in the unit of the cloud? Without `noise` it is estimated",
        given, measured, chosen.measured_noise.uncertainty, chosen.spacing));
  }
  if (chosen.decision == Decision::too_few_points) {
    warnings.push_back(
        fmt::format("there are fewer than {} points at different places, too few to distinguish "
                    "noise from shape; they are left unchanged. Other methods accept fewer: `method`",
                    fewest_points));
  } else if (chosen.decision == Decision::no_surface) {
    warnings.push_back(fmt::format(
        "no surface was found: at a spacing of {:.3g}, the points fill a volume, lie along lines, or have noise larger "
        "than the shape; they are left unchanged. Set `noise` if you know how strong it is",
        chosen.spacing));
  } else if (chosen.decision == Decision::no_gain) {
    warnings.push_back(
        fmt::format("the estimated noise, {:.3g} at a spacing of {:.3g}, may be shape: no candidate is expected to "
                    "bring "
                    "points closer to the truth, and they are left unchanged. Set `noise` if you know how strong it is",
                    given, chosen.spacing));
  }
  return warnings;
}

}  // namespace

DenoiseFindings findings_of(const ChosenPlan& chosen) {
  DenoiseFindings found;
  found.spacing = chosen.spacing;
  found.noise = chosen.noise;
  if (const SmoothPatches* patches = find_step<SmoothPatches>(chosen.plan)) {
    found.patch_size = patches->patch_size;
    found.iterations = static_cast<unsigned>(patches->epsilon.size());
  }
  if (const AgreeOnFits* fits = find_step<AgreeOnFits>(chosen.plan)) {
    found.consensus_passes = static_cast<unsigned>(fits->noise_left.size());
  }
  if (find_step<AgreeOnQuadrics>(chosen.plan) != nullptr) {
    ++found.consensus_passes;
  }
  found.expected_error_before = chosen.noise;
  found.expected_error_after = chosen.expected_error;
  found.is_error_rough = chosen.is_error_rough;
  found.decision = chosen.decision;
  found.warnings = warnings_about(chosen);
  return found;
}

}  // namespace burnish::automatic
