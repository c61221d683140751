#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace burnish::blind {

/// What is done to a cloud, in numbers that hold for all of it: to follow it, a point needs to know its surroundings
/// and nothing else.
struct Plan {
  static constexpr std::size_t most_passes = 2;

  double noise = 0.0;  ///< to take out
  unsigned patch_size = 0;
  double patches_apart = 0.0;  ///< distance of the centres
  double fidelity = 0.0;
  std::vector<double> epsilon;  ///< of every iteration over patches: how much alike they must be
  bool evening = false;
  bool restraint = false;
  std::array<double, most_passes> passes_apart = {};  ///< of the consensus: distance of the centres; 0: not done

  [[nodiscard]] std::size_t passes() const {
    return passes_apart.size() - static_cast<std::size_t>(std::ranges::count(passes_apart, 0.0));
  }
  [[nodiscard]] bool does_nothing() const { return epsilon.empty() && passes() == 0; }
};

}  // namespace burnish::blind
