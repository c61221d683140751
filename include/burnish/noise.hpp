#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// Models of sensor noise. A noise model is a list of steps that are applied one after the other:
//
//     // A depth camera: noise along the line of sight that grows with the square of the distance, then quantised
//     depth. add_noise(cloud, {RandomDisplacement{.sigma = 0.002,
//                                          .along = NoiseDirection::line_of_sight,
//                                          .viewpoint = Vec3(0, 0, 5),
//                                          .growth = NoiseGrowth::quadratic},
//                       Quantisation{.step = 0.005, .depth = true, .viewpoint = Vec3(0, 0, 5)}});
//
//     // The same from text.
//     add_noise(cloud, {parse_noise("gaussian:sigma=0.002:along=sight:viewpoint=0,0,5:growth=quadratic"),
//                       parse_noise("quantise-depth:step=0.005:viewpoint=0,0,5")});
//
// docs/noise.md describes the noise of each kind of sensor, and shows a picture of each model.

namespace burnish {

enum class NoiseUnit : std::uint8_t {
  absolute,       ///< the unit of the cloud's coordinates
  spacing,        ///< the typical distance of neighbouring points (estimate_spacing)
  diameter,       ///< the diameter of the cloud (sampled_diameter): the GLR paper's text
  sqrt_diameter,  ///< the square root of the diameter: the files behind the GLR paper's tables
  radius          ///< the largest distance from the centre of the bounding box: the protocol of the PU-Net test set
};

/// A length; a plain number is one in the unit of the cloud's coordinates. Other units are measured on the cloud that
/// is passed to add_noise, before any step.
struct NoiseLength {
  double value = 0.0;
  NoiseUnit unit = NoiseUnit::absolute;

  NoiseLength() = default;
  NoiseLength(double number, NoiseUnit its_unit = NoiseUnit::absolute)  // NOLINT(google-explicit-constructor)
      : value(number), unit(its_unit) {}
};

/// All have mean 0 and the same standard deviation.
enum class NoiseDistribution : std::uint8_t {
  gaussian,
  uniform,
  laplace,
  student_t,  ///< heavy tails: most points are close to the surface and a few far off
  periodic    ///< not random: a plane wave of random direction and phase
};

enum class NoiseDirection : std::uint8_t {
  isotropic,     ///< independently in x, y and z, with standard deviation sigma in each
  normal,        ///< along the normals the cloud has, or those estimated from it
  fixed,         ///< along one given direction
  line_of_sight  ///< along the ray from the viewpoint
};

/// How the standard deviation depends on the distance from the viewpoint.
enum class NoiseGrowth : std::uint8_t { constant, linear, quadratic };

/// Moves every point by a random amount.
struct RandomDisplacement {
  NoiseLength sigma = 0.0;  ///< standard deviation
  NoiseDistribution distribution = NoiseDistribution::gaussian;
  double degrees_of_freedom = 3.0;  ///< of student_t; above 2

  NoiseDirection along = NoiseDirection::isotropic;
  Vec3 direction = Vec3::UnitZ();  ///< of NoiseDirection::fixed; any length but 0
  /// Where the sensor was; by default the viewpoint of the cloud (viewpoint_of).
  std::optional<Vec3> viewpoint = std::nullopt;

  NoiseGrowth growth = NoiseGrowth::constant;
  /// The distance from the viewpoint at which the standard deviation is sigma; 0: the mean distance of the points.
  NoiseLength range = 0.0;
  /// An attribute of the cloud: the standard deviation of point i is its value times sigma.
  std::string attribute{};

  /// The fraction of the points that are moved, chosen at random. A second step with another sigma and a share gives a
  /// mixture of two noises.
  double share = 1.0;

  /// Above 0 (gaussian only): displacements of points closer together than this are correlated. For two points at
  /// distance d the correlation is exp(−d² / 2 correlation²).
  NoiseLength correlation = 0.0;
  NoiseLength wavelength = 0.0;  ///< of periodic
};

/// Rounds coordinates, or depths, to multiples of a step.
struct Quantisation {
  NoiseLength step = 0.0;
  /// Moves points along the ray from the viewpoint until their depth is a multiple of the step, instead of rounding
  /// all three coordinates.
  bool depth = false;
  std::optional<Vec3> viewpoint = std::nullopt;  ///< by default the viewpoint of the cloud
  /// The direction in which depth is measured; by default from the viewpoint to the centre of the points.
  std::optional<Vec3> axis = std::nullopt;
};

/// Replaces a fraction of the points, chosen at random, by points that are not on the surface.
struct Outliers {
  double share = 0.05;
  /// Above 0: each is moved by at most this distance, uniformly distributed, in a random direction: a halo around the
  /// surface. 0: uniformly in the bounding box.
  NoiseLength halo = 0.0;
  /// The bounding box is enlarged on every side by this multiple of its size.
  double margin = 0.0;
};

/// Divides the cloud into scans and moves each rigidly: by `shift` in a random direction, and rotated by `angle` about
/// a random axis through the centre of the points.
struct Misregistration {
  std::size_t scans = 2;    ///< every point is assigned to one of them at random
  std::string attribute{};  ///< if not empty, the attribute with the number of the scan of each point
  NoiseLength shift = 0.0;
  double angle = 0.0;  ///< in degrees
};

using NoiseStep = std::variant<RandomDisplacement, Quantisation, Outliers, Misregistration>;
using NoiseModel = std::vector<NoiseStep>;

struct NoisyCloud {
  PointCloud cloud;  ///< the input with moved points, everything else as it was
  /// Of the actual noise: the root mean square of the displacement of all points except outliers, divided by √3, which
  /// makes it the standard deviation per coordinate; in the unit of the cloud.
  double standard_deviation = 0.0;
  std::vector<std::uint32_t> outliers;  ///< the points that were replaced, ascending
};

/// Adds noise to a clean cloud. The displacement of a point depends on the cloud, the model, the seed and its index,
/// not on the number of threads. Normals, spacing and distances from a viewpoint are those of the input, not of the
/// result of an earlier step. Points that are not finite keep their place. Throws Error if a value of the model is out
/// of range, an attribute or the viewpoint is missing, or a coordinate would overflow.
[[nodiscard]] NoisyCloud add_noise(PointCloud cloud, const NoiseModel& model, std::uint64_t seed = 1,
                                   const ExecutionContext& context = {});

/// A step from text: its kind, and options with values after colons, "student-t:degrees=4:sigma=0.5spacing". A length
/// is a number with an optional unit (absolute, spacing, diameter, sqrt-diameter, radius), a direction or place three
/// numbers "0,0,1". noise_kinds lists kinds and options. Throws Error, naming what is wrong, if the text is invalid.
///
/// `sigma` is the default for kinds that have a standard deviation, and `unit` is the unit of lengths without one.
[[nodiscard]] NoiseStep parse_noise(std::string_view text, std::optional<NoiseLength> sigma = {},
                                    NoiseUnit unit = NoiseUnit::absolute);

/// An option of a kind of noise in text. A name has the same meaning in every kind that has it.
struct NoiseOption {
  std::string name;
  std::string type;     ///< form of a value: "LENGTH", "X" a number, "X,Y,Z", "constant|linear" one of these words
  std::string meaning;  ///< one line
};

/// A kind of step that parse_noise knows.
struct NoiseKind {
  std::string name;
  std::string meaning;  ///< one line
  std::vector<NoiseOption> options;
};

[[nodiscard]] const std::vector<NoiseKind>& noise_kinds();

/// Throws Error, listing the units, if there is none of that name.
[[nodiscard]] NoiseUnit noise_unit(std::string_view name);

/// "absolute", "spacing", "diameter", "sqrt-diameter", "radius".
[[nodiscard]] const std::vector<std::string>& noise_unit_names();

}  // namespace burnish
