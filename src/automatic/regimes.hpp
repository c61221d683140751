#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/math.hpp"

namespace burnish::automatic {

/// Fewer points are too few to distinguish noise from shape.
inline constexpr std::size_t fewest_points = 100;

// Parameters that depend on the noise as a multiple of the spacing, from weak to strong noise.

/// Noise below this counts as none.
inline constexpr double least_noise = 0.03;

/// Weaker noise does not change the spacing noticeably, so there is nothing to equalise.
inline constexpr double least_noise_to_equalise = 0.2;

/// From here on noise is strong: local windows contain little but noise until patches have been smoothed, and the
/// residuals of thin walls are those of one surface, so the tolerance of quadrics is strict. Below it, the consensus of
/// local fits only is more accurate (docs/tuning.md).
inline constexpr double strong_noise = 0.9;

/// Small plane fits are unreliable until this many iterations over patches have been done. SURE is not consulted
/// before, because it is biased where the noise is underestimated.
inline std::size_t least_iterations(double noise_in_spacings) { return noise_in_spacings > 1.65 ? 4 : 2; }

/// Beyond this, patches are not rotated before they are compared: their normals are mostly noise.
inline constexpr double most_noise_to_rotate = 1.6;

/// Larger noise needs larger patches.
inline unsigned patch_size_for(double noise_in_spacings) {
  return static_cast<unsigned>(std::lround(std::clamp(30.0 * noise_in_spacings, 10.0, 200.0)));
}

/// Strong noise needs larger steps.
inline double fidelity_for(double noise_in_spacings) { return 0.28 / std::max(1.0, noise_in_spacings); }

/// Largest increase of the error along the surface, in variances of the noise, for which the spacing is equalised. It
/// is smaller if noise made the spacing uneven, and larger if the points were uneven before. It matters less the
/// stronger the noise.
inline double most_error_to_equalise(double noise_in_spacings) { return std::min(0.55 * noise_in_spacings, 0.3); }

}  // namespace burnish::automatic
