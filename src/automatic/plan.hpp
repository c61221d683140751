#pragma once

#include <cstddef>
#include <vector>

namespace burnish::automatic {

/// From this noise on, in spacings, noise is strong: local windows hold little but noise until patches have been
/// smoothed, and thin walls can no longer be told from one surface by their residuals, so that quadrics have to fit
/// better before they count. Below it, the consensus of local fits alone is more accurate than patches on every kind of
/// shape (docs/method.md).
inline constexpr double strong_noise = 0.6;

/// What is done to a cloud, in numbers that hold for all of it: to follow it, a point needs to know its surroundings
/// and nothing else.
struct Plan {
  double noise = 0.0;  ///< to take out
  unsigned patch_size = 0;
  double patch_centre_distance = 0.0;  ///< distance of the centres
  bool rotations = false;              ///< whether patches are rotated before they are compared
  double fidelity = 0.0;
  std::vector<double> epsilon;  ///< of every iteration over patches: how much alike they must be
  double window_centre_distance =
      0.0;                 ///< distance of the centres of the smallest windows of the consensus; 0: not done
  bool is_strict = false;  ///< whether quadrics must fit better, because noise is strong
  bool equalises_spacing = false;
  bool last_quadrics = false;  ///< a consensus of quadrics alone at the end
  bool restraint = false;

  /// Passes of the consensus of planes and quadrics: one more where no iterations over patches come before them.
  [[nodiscard]] std::size_t consensus_passes() const {
    return window_centre_distance > 0.0 ? (epsilon.empty() ? 3 : 2) : 0;
  }
  [[nodiscard]] std::size_t passes() const { return consensus_passes() + (last_quadrics ? 1 : 0); }
  [[nodiscard]] bool does_nothing() const { return epsilon.empty() && passes() == 0; }
};

}  // namespace burnish::automatic
