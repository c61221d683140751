#pragma once

// The elementary functions on which results depend. Those of the C library differ in the last bits between libraries
// and, in one library, between processors with and without fused multiply-add. These use only additions,
// multiplications, divisions, square roots and integers, which IEEE 754 defines to the bit: the same argument gives the
// same bytes on every machine. Special values are those of the C standard; errors are bounded in units in the last
// place (ulp) and tested.

namespace burnish::math {

[[nodiscard]] constexpr double square(double x) { return x * x; }
[[nodiscard]] constexpr double cube(double x) { return x * x * x; }

[[nodiscard]] double exp(double x);            ///< within 0.52 ulp; where it is subnormal, 0.8
[[nodiscard]] double expm1(double x);          ///< e^x - 1, within 3 ulp
[[nodiscard]] double log(double x);            ///< within 0.52 ulp
[[nodiscard]] double log2(double x);           ///< within 0.52 ulp, exact for powers of two
[[nodiscard]] double log10(double x);          ///< within 0.52 ulp
[[nodiscard]] double pow(double x, double y);  ///< within 0.52 ulp

[[nodiscard]] double sin(double x);              ///< within 0.9 ulp, for arguments of any size
[[nodiscard]] double cos(double x);              ///< within 0.9 ulp, for arguments of any size
[[nodiscard]] double tan(double x);              ///< within 3 ulp
[[nodiscard]] double acos(double x);             ///< within 2 ulp
[[nodiscard]] double asin(double x);             ///< within 2 ulp
[[nodiscard]] double atan2(double y, double x);  ///< within 0.52 ulp

/// The square root of x² + y², which neither overflows nor underflows on the way; within 1.3 ulp.
[[nodiscard]] double hypot(double x, double y);
/// The same of three numbers, within 2 ulp.
[[nodiscard]] double hypot(double x, double y, double z);

struct SineCosine {
  double sine = 0.0;
  double cosine = 0.0;
};

/// sin 2πt and cos 2πt, where |t| is at most 2^50.
[[nodiscard]] SineCosine sine_cosine_of_turns(double t);

}  // namespace burnish::math
