#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::automatic {

/// A cloud and the same cloud with a small random perturbation, after the same steps. The remaining perturbation
/// measures how far the result follows the noise, and from it the error can be estimated without the truth (Stein 1981;
/// Ramani, Blu and Unser 2008 for the perturbation).
struct PerturbedPair {
  std::vector<Vec3> original;
  std::vector<Vec3> perturbed;
};

/// Stein's unbiased estimate of the mean squared error, and its components.
struct ExpectedError {
  double squared = 0.0;  ///< in all three directions together
  /// Remaining degrees of freedom per point: 3 for the unchanged cloud, 0 for a constant.
  double degrees_of_freedom = 3.0;
  /// The same along the normal only.
  double squared_along_normal = 0.0;
  double degrees_of_freedom_along_normal = 1.0;

  [[nodiscard]] double squared_along_surface() const { return squared - squared_along_normal; }
};

/// The same for all points that count and for parts of them, each spread over the whole cloud. The scatter
/// of the parts is the uncertainty of the estimate.
struct SureEstimate {
  static constexpr std::size_t part_count = 32;

  ExpectedError all;
  std::array<ExpectedError, part_count> parts;
};

/// Estimates the error of steps on a cloud with a known standard deviation of noise.
class SureEstimator {
 public:
  /// Points that do not count serve only as neighbours of the others.
  SureEstimator(std::vector<Vec3> cloud, std::vector<double> noise, std::vector<bool> counts,
                const ExecutionContext& context);

  /// Before any step.
  [[nodiscard]] const PerturbedPair& start() const { return start_; }

  /// Unit normals of every point, with arbitrary signs. Without them, all directions are treated alike.
  void set_normals(std::vector<Vec3> normals) { normals_ = std::move(normals); }
  [[nodiscard]] bool has_normals() const { return !normals_.empty(); }

  [[nodiscard]] SureEstimate judge(const PerturbedPair& pair) const;

 private:
  PerturbedPair start_;
  std::vector<Vec3> probe_;
  std::vector<std::uint8_t> part_;  ///< that a point belongs to
  std::vector<Vec3> normals_;
  std::vector<double> noise_;  ///< standard deviation at every point
  std::vector<bool> counts_;
  const ExecutionContext& context_;
};

}  // namespace burnish::automatic
