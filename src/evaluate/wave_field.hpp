#pragma once

#include <cstdint>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// A random function of place with mean 0 and variance 1 in each of three components, which are independent: a sum of
/// plane waves that share their directions and wavelengths and differ in phase.
class WaveField {
 public:
  /// Values at places a distance d apart have the correlation exp(−d² / 2 length²): random Fourier features (Rahimi and
  /// Recht, "Random features for large-scale kernel machines", 2007).
  [[nodiscard]] static WaveField correlated(double length, std::uint64_t seed);

  /// One wave, in a random direction.
  [[nodiscard]] static WaveField plane_wave(double wavelength, std::uint64_t seed);

  [[nodiscard]] Vec3 at(const Vec3& place) const;

 private:
  struct Wave {
    Vec3 turns_per_length;
    Vec3 sines;  ///< of the phases of the three components
    Vec3 cosines;
  };

  WaveField() = default;
  void add_wave(const Vec3& turns_per_length, class RandomStream& random);

  std::vector<Wave> waves_;
  double amplitude_ = 0.0;
};

}  // namespace burnish
