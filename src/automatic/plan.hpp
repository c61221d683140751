#pragma once

#include <variant>
#include <vector>

namespace burnish::automatic {

// A plan is the sequence of steps for a cloud. Its parameters apply to the whole cloud; the noise, which varies from
// point to point, is a separate field.

/// Iterations of graph Laplacian regularisation over patches of one size.
struct SmoothPatches {
  unsigned patch_size = 0;
  double centre_distance = 0.0;  ///< of patches
  bool rotations = false;        ///< whether patches are rotated before they are compared
  double noise = 0.0;            ///< for which the fidelity is chosen; points with less noise get more fidelity
  double fidelity = 0.0;
  std::vector<double> epsilon;  ///< of every iteration: scale of the similarity of patches
};

/// Passes of the consensus of planes and quadrics, all over the same windows.
struct AgreeOnFits {
  double centre_distance = 0.0;    ///< of the smallest windows
  bool is_strict = false;          ///< whether the tolerance of quadrics is strict
  std::vector<double> noise_left;  ///< before every pass, as a fraction of the noise
};

/// Removes noise along the surface, at borders, rims and rods.
struct RemoveTangentialNoise {
  double noise_left = 1.0;  ///< along the surface, as a fraction of the noise
};

/// Equalises the spacing along the surface.
struct EqualiseSpacing {};

/// One pass of the consensus of quadrics alone.
struct AgreeOnQuadrics {
  double centre_distance = 0.0;  ///< of the smallest windows
  bool is_strict = false;
  double noise_left = 0.0;
};

/// Scales moves back that are too large to be noise.
struct Restrain {
  double centre_distance = 0.0;  ///< of the smallest windows
  double noise_taken = 1.0;      ///< removed by the steps before, as a multiple of the noise
};

using Step =
    std::variant<SmoothPatches, AgreeOnFits, RemoveTangentialNoise, EqualiseSpacing, AgreeOnQuadrics, Restrain>;
using Plan = std::vector<Step>;

/// The first step of a kind in a plan; null if there is none.
template <class Kind>
[[nodiscard]] const Kind* find_step(const Plan& plan) {
  for (const Step& step : plan) {
    if (const Kind* found = std::get_if<Kind>(&step)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace burnish::automatic
