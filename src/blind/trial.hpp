#pragma once

#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish::blind {

/// A cloud and the same cloud shaken a little, each as some steps have left it. How much of the shaking is left tells
/// how much the steps follow the noise, and so the error they leave, without the truth (Stein 1981; Ramani, Blu and
/// Unser 2008 for the shaking).
struct Twins {
  std::vector<Vec3> plain;
  std::vector<Vec3> shaken;
};

/// Stein's unbiased estimate of the mean squared error, over the three coordinates together, and what it is made of.
struct ExpectedError {
  double squared = 0.0;
  /// Degrees of freedom that are left of a point's three: 3 for the cloud as it is, 0 for a constant.
  double freedom = 3.0;
};

/// Judges what steps do to a cloud with a known standard deviation of noise.
class Trial {
 public:
  /// Points that do not count, if any are named, are there for the others only.
  Trial(std::vector<Vec3> cloud, double noise, std::vector<bool> counts, const ExecutionContext& context);

  /// Before any step.
  [[nodiscard]] const Twins& start() const { return start_; }

  [[nodiscard]] ExpectedError judge(const Twins& twins) const;

 private:
  Twins start_;
  std::vector<Vec3> probe_;
  double noise_;
  std::vector<bool> counts_;
  const ExecutionContext& context_;
};

}  // namespace burnish::blind
