#pragma once

#include <cstddef>
#include <vector>

namespace burnish::automatic {

/// What is done to a cloud, in numbers that hold for all of it: to follow it, a point needs to know its surroundings
/// and nothing else.
struct Plan {
  double noise = 0.0;  ///< to take out
  unsigned patch_size = 0;
  double patches_apart = 0.0;  ///< distance of the centres
  bool turns = false;          ///< whether patches are turned before they are compared
  double fidelity = 0.0;
  std::vector<double> epsilon;  ///< of every iteration over patches: how much alike they must be
  double planes_apart = 0.0;    ///< distance of the centres for the consensus of planes; 0: not done
  double first_planes = 1.0;    ///< the part of the noise that planes take out first, if no patches did before
  double quadric_noise = 0.15;  ///< the part of the noise that quadrics take to be left
  double quadrics_apart = 0.0;  ///< distance of the centres for the consensus of quadrics; 0: not done
  bool evening = false;
  bool restraint = false;

  /// Passes of the consensus of planes: one more where there are no iterations over patches before them.
  [[nodiscard]] std::size_t plane_passes() const { return planes_apart > 0.0 ? (epsilon.empty() ? 3 : 2) : 0; }
  [[nodiscard]] std::size_t passes() const { return plane_passes() + (quadrics_apart > 0.0 ? 1 : 0); }
  [[nodiscard]] bool does_nothing() const { return epsilon.empty() && passes() == 0; }
};

}  // namespace burnish::automatic
