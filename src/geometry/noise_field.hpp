#pragma once

#include <vector>

#include "burnish/estimate.hpp"
#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The standard deviation of the noise across the surface as a function of position: its values at some places,
/// interpolated by the weighted geometric mean of the nearest ones. Small enough to be stored with a plan, whatever the
/// size of the cloud.
struct NoiseField {
  struct Place {
    Vec3 point;
    double noise = 0.0;
    double spacing = 0.0;  ///< of neighbouring points there
  };

  std::vector<Place> places;
  Estimate level;           ///< of the whole cloud: the root mean square over the places
  double correlated = 0.0;  ///< variance of the correlated part over that of the white part
  double growth = 0.0;      ///< power of the spacing with which noise grows
  bool is_uniform = true;   ///< whether noise is white and the same everywhere
  /// Whether errors much larger than the noise are frequent in neighbourhoods of a smooth surface.
  bool has_heavy_tails = false;

  /// A field that has the same value everywhere.
  [[nodiscard]] static NoiseField constant(const Estimate& noise) {
    return {{{Vec3::Zero(), noise, 0.0}}, noise, 0.0, 0.0, true, false};
  }

  /// The interpolated value at every point.
  [[nodiscard]] std::vector<double> at(const std::vector<Vec3>& points, const ExecutionContext& context) const;
};

/// The noise of a cloud as one number, from the smoothest tenth of the neighbourhoods.
struct NoiseLevel {
  Estimate noise;
  double sheet_gap = 0.0;  ///< distance of two sheets, where neighbourhoods contain two
};

/// The search must be over the points.
[[nodiscard]] NoiseLevel estimate_noise_level(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                              const ExecutionContext& context);

/// Estimates the noise as a function of position, from residual curves at many places. The search must be over the
/// points; places are among those that count, or among all if `counts` is empty.
///
/// 1. The residual variances of a place and its neighbours are separated into white noise, correlated noise and shape
///    (fit_variogram), with a standard error that grows with shape and scatter (Pool).
/// 2. If the median place agrees with the smoothest neighbourhoods (estimate_noise_level), noise is uniform, except for
///    places that differ significantly. If not, the places are used.
/// 3. Uncertain places get the noise of the certain places around them.
/// 4. Coordinates that are quantised have at least the noise of their steps.
[[nodiscard]] NoiseField estimate_noise_field(const std::vector<Vec3>& points, const std::vector<bool>& counts,
                                              const NeighbourSearch& search, const ExecutionContext& context);

}  // namespace burnish
