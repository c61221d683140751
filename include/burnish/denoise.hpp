#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "burnish/estimate.hpp"
#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// Denoising without parameters: a consensus of local planes and quadrics of several sizes; where noise is strong, it is
// preceded by iterations of graph Laplacian regularisation over patches, whose number is chosen by Stein's unbiased
// risk estimate. docs/automatic.md describes the method, docs/tuning.md what each step contributes.

namespace burnish {

struct DenoiseSettings {
  /// Standard deviation of the noise, in the unit of the cloud; 0: estimated from the data.
  double noise = 0.0;
  /// Factor by which the noise is multiplied: below 1 less noise is removed than estimated, above 1 more; 0 leaves the
  /// cloud unchanged.
  double strength = 1.0;
  /// The scanner position for each point (see scanner_positions_of), empty if unknown. If it is known, points measured
  /// from the two sides of a thin wall are not mixed.
  std::vector<Vec3> scanner_positions = {};

  // Steps that can be omitted, to measure what each contributes.
  bool patches = true;           ///< graph Laplacian regularisation over patches where noise is strong
  bool rotations = true;         ///< rotate patches before they are compared, where that lowers the expected error
  bool planes = true;            ///< move points to locally fitted planes and quadrics, keeping edges
  bool quadrics = true;          ///< fit quadrics once more at the end
  bool equalise_spacing = true;  ///< equalise the spacing along the surface
  bool restraint = true;         ///< scale moves back that are too large to be noise
};

/// Whether a cloud is denoised, and why not.
enum class Decision : std::uint8_t {
  denoise,
  strength_is_zero,
  too_few_points,
  no_surface,           ///< the points fill a volume, lie along lines, or have noise larger than the shape
  nothing_to_take_out,  ///< the noise is below 3 % of the spacing in most places
  no_gain,              ///< no candidate is expected to bring points closer to the truth
};

/// The estimates for a cloud, and the steps chosen for it.
struct DenoiseFindings {
  Decision decision = Decision::denoise;
  double spacing = 0.0;
  Estimate noise;  ///< found or given; where it differs from place to place, the root mean square over the cloud
  unsigned patch_size = 0;  ///< 0 if there are no iterations over patches
  unsigned iterations = 0;
  unsigned consensus_passes = 0;
  /// Expected root mean square distance of the points from the surface, of the input and of the result: the estimated
  /// noise, and the part of it that remains according to the degrees of freedom of the steps. Errors along the surface
  /// are not included.
  double expected_error_before = 0.0;
  double expected_error_after = 0.0;
  /// Whether expected_error_after may be wrong by more than a quarter: noise varies over the cloud, is correlated, has
  /// heavy tails or is strong (above 0.9 spacings), or `strength` is not 1.
  bool is_error_rough = false;

  /// Doubts about the result, a sentence each: no surface was found; the given noise is more than three times, or less
  /// than a third of, the estimate. Settings are named in backquotes: `noise`.
  std::vector<std::string> warnings;
};

struct DenoiseResult : DenoiseFindings {
  /// Point i is input point i, moved. Points that are not finite, and outliers, are unchanged.
  std::vector<Vec3> positions;
  /// Points that belong to no surface, ascending. They do not influence other points.
  std::vector<std::uint32_t> outliers;
  /// The standard deviation of the noise at every point; 0 for those that are not finite.
  std::vector<double> noise_at_points;
  /// The expected distance from the surface of every point of the result: larger at edges, borders and where noise is
  /// strong. The root mean square is expected_error_after. 0 for points that are not finite and for outliers, for which
  /// it is unknown.
  std::vector<double> error_at_points;
};

/// Denoises a cloud. The cloud is returned unchanged if its noise is below 3 % of the spacing in most places, if no
/// surface is found, or if no candidate is expected to bring it closer to the truth. Throws Error if a setting is out
/// of range, or a coordinate is beyond 1e150.
[[nodiscard]] DenoiseResult denoise(std::span<const Vec3> positions, const DenoiseSettings& settings = {},
                                    const ExecutionContext& context = {});

// The same in two halves, for a stream of frames of one sensor: the analysis, which tries several sequences of steps,
// is the slow half, and applies to all similar frames.
//
//     const Analysis analysis = analyse(first);
//     for (const std::vector<Vec3>& frame : frames) use(denoise(frame, analysis).positions);

/// The result of analyse(). Copies share their data; it can be used by several threads at a time.
class Analysis {
 public:
  [[nodiscard]] const DenoiseFindings& findings() const;

  /// The standard deviation of the noise at given points, of this cloud or others in the same coordinates. 0 for points
  /// that are not finite.
  [[nodiscard]] std::vector<double> noise_at(std::span<const Vec3> points, const ExecutionContext& context = {}) const;

 private:
  struct Internals;
  explicit Analysis(std::shared_ptr<const Internals> internals) : internals_(std::move(internals)) {}
  friend Analysis analyse(std::span<const Vec3>, const DenoiseSettings&, const ExecutionContext&);
  friend DenoiseResult denoise(std::span<const Vec3>, const Analysis&, const ExecutionContext&);
  friend DenoiseResult denoise(std::span<const Vec3>, const DenoiseSettings&, const ExecutionContext&);

  std::shared_ptr<const Internals> internals_;
};

/// Estimates noise and spacing and chooses the steps with the least expected error, without moving points.
[[nodiscard]] Analysis analyse(std::span<const Vec3> positions, const DenoiseSettings& settings = {},
                               const ExecutionContext& context = {});

/// Denoises a cloud by the steps that an analysis has chosen. With the analysis of the cloud itself, the result is that
/// of denoise(positions, settings). For another cloud, the findings are those of the analysis, and there is a warning
/// if the spacing of the two clouds differs by more than a factor of three.
[[nodiscard]] DenoiseResult denoise(std::span<const Vec3> positions, const Analysis& analysis,
                                    const ExecutionContext& context = {});

}  // namespace burnish
