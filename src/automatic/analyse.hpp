#pragma once

#include "automatic/plan.hpp"
#include "automatic/prepared_cloud.hpp"
#include "automatic/sample.hpp"
#include "burnish/denoise.hpp"
#include "geometry/noise_field.hpp"

namespace burnish::automatic {

/// Throws Error if a setting makes no sense.
void check(const DenoiseSettings& settings);

/// What was found out about a cloud, and what to do with it.
struct ChosenPlan {
  double spacing = 0.0;
  Estimate noise;           ///< of the whole cloud
  Estimate measured_noise;  ///< the same, or what the points show where it was given
  Decision decision = Decision::denoise;
  NoiseField field;       ///< of the noise to take out
  double strength = 1.0;  ///< what the noise to take out is as a multiple of what was found
  StrayRule strays;
  Plan plan;
  double expected_error = 0.0;  ///< that the plan leaves across the surface: root mean square
  bool is_error_rough = false;  ///< see DenoiseFindings
};

/// Finds noise, spacing and strays, and the plan with the least expected error.
[[nodiscard]] ChosenPlan analyse(const Samples& samples, const Sights& sights, const DenoiseSettings& settings,
                                 const ExecutionContext& context);

/// What is reported of it.
[[nodiscard]] DenoiseFindings findings_of(const ChosenPlan& chosen);

}  // namespace burnish::automatic
