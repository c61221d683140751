#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "burnish/estimate.hpp"
#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// Denoising with nothing to set: as many iterations of graph Laplacian regularisation over patches as Stein's unbiased
// estimate of the error that is left has use for, then a consensus of local planes and quadrics.
// docs/method.md tells how and why, and what each step is worth.

namespace burnish {

struct DenoiseSettings {
  /// Standard deviation of the noise, in the unit of the cloud; 0: found from the data.
  double noise = 0.0;
  /// Below 1 less is taken out than the estimate says, above 1 more; 0 leaves the cloud as it is.
  double strength = 1.0;

  // Steps that can be left out, to see what each is worth.
  bool patches = true;    ///< iterate over patches: graph Laplacian regularisation
  bool turns = true;      ///< turn patches before they are compared, where that promises less error
  bool planes = true;     ///< pull points towards the planes that fit around them, edges apart
  bool quadrics = true;   ///< pull points towards the quadrics that fit around them
  bool evening = true;    ///< even out the spacing along the surface
  bool restraint = true;  ///< take moves back that are too large to be noise
};

struct DenoiseResult {
  /// Point i is input point i, moved. Points that are not finite, and outliers, stay as they are.
  std::vector<Vec3> positions;
  /// Points that belong to no surface, ascending. They do not influence other points.
  std::vector<std::uint32_t> outliers;

  double spacing = 0.0;
  Estimate noise;  ///< found or given; where it differs from place to place, the root mean square over the cloud
  unsigned patch_size = 0;  ///< 0 if there were no iterations over patches
  unsigned iterations = 0;
  unsigned consensus_passes = 0;
  /// Root mean square distance of a point to its place without noise, all three directions together: of the input, if
  /// its noise is what it was found to be, and of the result before its spacing was evened out, by Stein's estimate.
  double expected_error_before = 0.0;
  double expected_error_after = 0.0;

  /// What speaks against using the result as it is, a sentence each: no surface was found.
  std::vector<std::string> warnings;
};

/// Denoises a cloud. It comes back as it is if its noise is below 3 % of the spacing in most places, if no surface is
/// found, or if nothing that was tried is expected to bring it closer to the truth. Throws Error if a setting makes no
/// sense.
[[nodiscard]] DenoiseResult denoise(std::span<const Vec3> positions, const DenoiseSettings& settings = {},
                                    const ExecutionContext& context = {});

}  // namespace burnish
