#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "burnish/point_cloud.hpp"
#include "core/math.hpp"

namespace burnish {

/// First stream number of random points that are not points of a cloud. With the numbers of the points of a cloud,
/// which start at 0, noise of the same seed would use the stream that placed a point, and displacements of neighbouring
/// points would be correlated.
inline constexpr std::uint64_t first_random_point = std::uint64_t{1} << 63U;

/// First stream number for random values of a whole cloud, such as the direction of a wave; not used by any point
/// either.
inline constexpr std::uint64_t first_random_quantity = std::uint64_t{1} << 62U;

/// A stream of random numbers for one item of a collection, determined by a seed and the number of the item: item i
/// gets the same numbers on any thread, in any order, on every platform.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t item) : key_(mix(mix(seed) ^ (item * golden + 1))) {}

  [[nodiscard]] std::uint64_t bits() { return mix(key_ + golden * ++counter_); }

  /// Uniform in [0, 1).
  [[nodiscard]] double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// Uniform in (-1, 1), never 0.
  [[nodiscard]] double symmetric() { return 2.0 * (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53 - 1.0; }

  /// A uniformly distributed direction in the plane, with the squared radius of the point of the unit disc from which
  /// it was computed, which is uniform in (0, 1) and independent of the direction.
  [[nodiscard]] std::pair<Eigen::Vector2d, double> direction2() {
    for (;;) {
      const double x = symmetric();
      const double y = symmetric();
      const double square = x * x + y * y;
      if (square < 1.0) {
        const double norm = std::sqrt(square);
        return {{x / norm, y / norm}, square};
      }
    }
  }

  /// A uniformly distributed direction in space.
  [[nodiscard]] Vec3 direction3() {
    // Archimedes: the height above the equator is uniform.
    const auto [circle, square] = direction2();
    const double z = 2.0 * square - 1.0;
    const double radius = std::sqrt(1.0 - z * z);
    return {radius * circle.x(), radius * circle.y(), z};
  }

  /// Normally distributed with mean 0 and variance 1 (Marsaglia's polar method).
  [[nodiscard]] double normal() {
    const auto [direction, square] = direction2();
    return direction.x() * std::sqrt(-2.0 * math::log(square));
  }

  /// Laplace distributed with mean 0 and variance 1.
  [[nodiscard]] double laplace() {
    const double u = symmetric();
    return std::copysign(0.70710678118654752 * math::log(std::abs(u)), u);
  }

  /// Chi-squared distributed with any number of degrees of freedom from 2 on: twice a gamma variate (Marsaglia and
  /// Tsang, "A simple method for generating gamma variables", 2000).
  [[nodiscard]] double chi_squared(double degrees_of_freedom) {
    const double d = 0.5 * degrees_of_freedom - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
      const double x = normal();
      const double v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
      const double u = 1.0 - uniform();  // not 0
      if (v > 0.0 && math::log(u) < 0.5 * x * x + d * (1.0 - v + math::log(v))) {
        return 2.0 * d * v;
      }
    }
  }

  /// Distributed as Student's t, scaled to variance 1. There must be more than 2 degrees of freedom.
  [[nodiscard]] double student_t(double degrees_of_freedom) {
    const double numerator = normal();
    return numerator * std::sqrt((degrees_of_freedom - 2.0) / chi_squared(degrees_of_freedom));
  }

 private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;

  /// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): every input bit reaches every output bit.
  static std::uint64_t mix(std::uint64_t v) {
    v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9;
    v = (v ^ v >> 27) * 0x94D049BB133111EB;
    return v ^ v >> 31;
  }

  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace burnish
