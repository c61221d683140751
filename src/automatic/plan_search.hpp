#pragma once

#include <array>
#include <vector>

#include "automatic/plan.hpp"
#include "automatic/prepared_cloud.hpp"
#include "automatic/step_runner.hpp"
#include "automatic/sure.hpp"
#include "burnish/denoise.hpp"
#include "burnish/estimate.hpp"

namespace burnish::automatic {

/// A plan and its result in the trial.
struct Trial {
  Plan plan;
  PerturbedPair pair;
  ExpectedError error;
  /// The compared quantity: the expected error, mostly across the surface, where it is visible, plus a penalty for
  /// removed degrees of freedom, because the noise may be weaker than estimated.
  double cost = 0.0;
  std::array<double, SureEstimate::part_count> part_costs{};

  /// How much lower the cost of another is, with the standard error.
  [[nodiscard]] Estimate gain_of(const Trial& other) const;
};

/// Finds the plan with the least expected error by running plans on a sample, with the same steps in the same order and
/// by the same StepRunner as later on the whole cloud.
class PlanSearch {
 public:
  /// `noise` is the root mean square over the cloud, `relative_uncertainty` its standard error, relative to it.
  /// Only points that count are judged; all do if `counts` is empty.
  PlanSearch(PreparedCloud sample, std::vector<bool> counts, double noise, double relative_uncertainty, double spacing,
             const DenoiseSettings& settings, const ExecutionContext& context);

  /// The best trial. Its plan is empty if doing nothing is best.
  [[nodiscard]] const Trial& run();

  /// The expected error of a plan that takes the noise to be `strength` times as strong as it is.
  [[nodiscard]] ExpectedError judge(const Plan& plan, double strength) const;

 private:
  class PatchTrial;

  [[nodiscard]] Trial judged(Plan plan, PerturbedPair pair) const;
  [[nodiscard]] Trial extended(const Trial& trial, const Plan& steps);
  [[nodiscard]] Plan consensus(bool after_patches) const;
  bool take(Trial&& trial, double sigmas);
  void choose_iterations();
  void try_equal_spacing();
  void set_normals(const std::vector<Vec3>& points);

  PreparedCloud original_;
  SureEstimator sure_;
  PreparedCloud perturbed_;
  Centres centres_;
  StepRunner run_original_;
  StepRunner run_perturbed_;
  Trial best_;
  double noise_;
  double spacing_;
  double uncertainty_penalty_;
  double least_gain_;  ///< of a further iteration, as a part of the expected error
  double window_centre_distance_;
  const DenoiseSettings& settings_;
  const ExecutionContext& context_;
  int trials_ = 0;
};

/// The error across the surface that is left of noise of variance 1, as a standard deviation. A linear smoother S
/// leaves tr(SSᵀ) of the variance, and tr(S) degrees of freedom; local fits that overlap have tr(SSᵀ) ≈ ⅔ tr(S)
/// (docs/automatic.md), and the cloud as it is has tr(SSᵀ) = tr(S).
[[nodiscard]] double relative_error(const ExpectedError& error);

}  // namespace burnish::automatic
