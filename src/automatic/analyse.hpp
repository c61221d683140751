#pragma once

#include "automatic/plan.hpp"
#include "automatic/prepared_cloud.hpp"
#include "automatic/sample.hpp"
#include "burnish/denoise.hpp"
#include "geometry/noise_field.hpp"

namespace burnish::automatic {

/// Throws Error if a setting makes no sense.
void check(const DenoiseSettings& settings);

/// Result of the analysis of a cloud: its noise, and the plan.
struct ChosenPlan {
  double spacing = 0.0;
  Estimate noise;           ///< of the whole cloud
  Estimate measured_noise;  ///< the same, or the estimate if the noise was given
  Decision decision = Decision::denoise;
  NoiseField field;       ///< of the noise to remove
  double strength = 1.0;  ///< noise to remove / estimated noise
  StrayRule strays;
  Plan plan;
  double expected_error = 0.0;  ///< root mean square across the surface after the plan
  bool is_error_rough = false;  ///< see DenoiseFindings
};

/// Estimates noise, spacing and strays, and chooses the plan with the least expected error.
[[nodiscard]] ChosenPlan analyse(const Samples& samples, const Sights& sights, const DenoiseSettings& settings,
                                 const ExecutionContext& context);

/// What is reported of it.
[[nodiscard]] DenoiseFindings findings_of(const ChosenPlan& chosen);

}  // namespace burnish::automatic
