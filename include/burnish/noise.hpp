#pragma once

#include <cstddef>
#include <cstdint>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// How noise is distributed, independently in x, y and z. All have the same standard deviation.
enum class NoiseKind : std::uint8_t { gaussian, laplacian, uniform };

/// What sigma is a multiple of.
enum class NoiseScale : std::uint8_t {
  absolute,       ///< 1: sigma is a length in the unit of the file
  diameter,       ///< the diameter of the cloud (sampled_diameter): what the GLR paper says
  sqrt_diameter,  ///< the square root of the diameter: what the files behind the GLR paper's tables hold
  sphere          ///< the largest distance to the centre of the bounding box: the protocol of the PU-Net test set
};

struct NoiseSettings {
  double sigma = 0.01;                      ///< standard deviation per coordinate, in multiples of `scale`
  NoiseScale scale = NoiseScale::diameter;  ///< what sigma is a multiple of
  NoiseKind kind = NoiseKind::gaussian;     ///< the distribution
  /// This part of the points, chosen at random, is thrown anywhere into the bounding box of the cloud instead.
  double outliers = 0.0;
  std::uint64_t seed = 1;  ///< another seed, another noise
};

struct NoisyCloud {
  PointCloud cloud;                 ///< the input with moved points, everything else as it was
  double standard_deviation = 0.0;  ///< per coordinate, in the unit of the file
  std::size_t outliers = 0;         ///< how many points were thrown
};

/// Adds noise to a clean cloud. The noise of a point depends on the settings and its index alone, and is the same to
/// the bit on every platform and with any number of threads. Points that are not finite keep their place.
/// Throws Error if sigma is negative or not finite, or outliers is not between 0 and 1.
[[nodiscard]] NoisyCloud add_noise(PointCloud cloud, const NoiseSettings& settings,
                                   const ExecutionContext& context = {});

}  // namespace burnish
