#pragma once

#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// The methods that the GLR paper compares with, and common ones of toolboxes, for comparison and for use where one of
// them suits better. docs/baselines.md describes each method, the interpretation of its source, and its accuracy.
//
// All return the same points, moved, in the same order. Points that are not finite are unchanged, exact duplicates move
// together, a cloud of fewer than four distinct points is returned unchanged. Lengths are relative to the spacing of
// the points; defaults are the GLR paper's settings for its model Anchor where it states them. All throw Error if a
// setting is out of range.
//
// Methods that need normals take those of the cloud, `normals`, one per point, of any length. If there are none, or one
// of them is zero or not finite, all are estimated.

namespace burnish {

struct BaselineResult {
  /// Point i is input point i, moved.
  std::vector<Vec3> positions;
  /// The spacing, the unit of lengths; 0 if there were too few points to denoise.
  double spacing = 0.0;
};

// Projections onto a surface fitted to neighbouring points. The radius of the fit is filter_scale times the local
// spacing, defined as in MeshLab as half the distance to the 16th nearest point.

/// Moving least squares: a plane or a quadric (degree 2) over the weighted principal plane.
struct MlsSettings {
  double filter_scale = 5.0;
  int degree = 2;
  unsigned iterations = 1;
};
[[nodiscard]] BaselineResult denoise_mls(std::span<const Vec3> positions, const MlsSettings& settings = {},
                                         const ExecutionContext& context = {});

/// Algebraic point set surfaces (Guennebaud and Gross 2007): a sphere fitted to points and normals.
struct ApssSettings {
  double filter_scale = 5.0;
  /// 1 fits spheres, 0 planes, between blends.
  double spherical = 1.0;
  /// Maximum number of projections of a point; they end earlier if it stops moving.
  unsigned iterations = 15;
  /// Points from which a normal is estimated.
  unsigned normal_neighbours = 20;
  std::span<const Vec3> normals = {};
};
[[nodiscard]] BaselineResult denoise_apss(std::span<const Vec3> positions, const ApssSettings& settings = {},
                                          const ExecutionContext& context = {});

/// Robust implicit moving least squares (Öztireli, Guennebaud and Gross 2009): an implicit surface from points and
/// normals with small weights for those that do not fit, which preserves edges.
struct RimlsSettings {
  double filter_scale = 7.0;
  /// σ_n: tolerated difference of normals. Smaller is sharper.
  double sharpness = 0.75;
  /// σ_r: tolerated distance of a point from the surface, as a fraction of the radius of the fit.
  double residual = 0.5;
  /// Number of recomputations of the weights at one position.
  unsigned refits = 3;
  unsigned iterations = 15;
  unsigned normal_neighbours = 10;
  std::span<const Vec3> normals = {};
};
[[nodiscard]] BaselineResult denoise_rimls(std::span<const Vec3> positions, const RimlsSettings& settings = {},
                                           const ExecutionContext& context = {});

/// Bilateral filter of normals and positions (after Huang et al. 2013).
struct BilateralSettings {
  unsigned neighbours = 24;
  unsigned normal_neighbours = 36;
  /// Degrees; normals that differ by more belong to different faces. Smaller is sharper.
  double sharpness_angle = 15.0;
  unsigned iterations = 3;
  std::span<const Vec3> normals = {};
};
[[nodiscard]] BaselineResult denoise_bilateral(std::span<const Vec3> positions, const BilateralSettings& settings = {},
                                               const ExecutionContext& context = {});

// Locally optimal projections: points are attracted by the local median of the input and repelled by each other.

/// Locally optimal projection (Lipman et al. 2007).
struct LopSettings {
  /// Support of the weights in spacings.
  double filter_scale = 5.0;
  /// From 0, none, to below 0.5.
  double repulsion = 0.45;
  unsigned iterations = 10;
};
[[nodiscard]] BaselineResult denoise_lop(std::span<const Vec3> positions, const LopSettings& settings = {},
                                         const ExecutionContext& context = {});

/// Weighted locally optimal projection (Huang et al. 2009): compensates for density, gives more even points.
struct WlopSettings {
  double filter_scale = 4.0;
  double repulsion = 0.45;
  unsigned iterations = 10;
};
[[nodiscard]] BaselineResult denoise_wlop(std::span<const Vec3> positions, const WlopSettings& settings = {},
                                          const ExecutionContext& context = {});

/// Anisotropic weighted locally optimal projection (Huang et al. 2013): attraction only by points near the tangent
/// plane.
struct AwlopSettings {
  /// As above. 0: the radius that the program of its authors begins with, the diagonal of the bounding box by the cube
  /// root of the number of points, but from 1 to 20 spacings.
  double filter_scale = 3.0;
  double repulsion = 0.3;
  unsigned iterations = 2;
  unsigned normal_neighbours = 30;
  /// Degrees; see BilateralSettings.
  double sharpness_angle = 25.0;
  std::span<const Vec3> normals = {};
};
[[nodiscard]] BaselineResult denoise_awlop(std::span<const Vec3> positions, const AwlopSettings& settings = {},
                                           const ExecutionContext& context = {});

// Non-local, sparse and low-rank methods, in the terms of the GLR paper.

/// Non-local denoising (Deschaud and Goulette 2010): offsets from a local quadric, averaged over places with similar
/// quadrics.
struct NldSettings {
  /// Points to which a quadric is fitted.
  unsigned neighbours = 16;
  /// Nearest points among which similar places are searched.
  unsigned window = 100;
  /// Tolerated difference of the curvatures of similar places, in units of the variation of curvature over the cloud.
  double similarity = 1.0;
};
[[nodiscard]] BaselineResult denoise_nld(std::span<const Vec3> positions, const NldSettings& settings = {},
                                         const ExecutionContext& context = {});

/// Moving robust principal component analysis (Mattei and Castrodad 2017): planes that minimise the sum of absolute
/// deviations; every point moves towards all planes to which it contributes.
struct MrpcaSettings {
  /// Weight of the point itself relative to all planes together.
  double data_fitting = 1.0;
  unsigned iterations = 6;
  /// Points to which a plane is fitted.
  unsigned neighbours = 30;
};
[[nodiscard]] BaselineResult denoise_mrpca(std::span<const Vec3> positions, const MrpcaSettings& settings = {},
                                           const ExecutionContext& context = {});

/// Structured low-rank factorisation (Sarkar et al. 2018): patches as height maps of 16 × 16 cells, approximated by a
/// few common atoms.
struct LowRankSettings {
  /// Maximum number of atoms in the dictionary.
  unsigned atoms = 50;
  /// Radius of a patch in spacings.
  double patch_radius = 5.0;
};
[[nodiscard]] BaselineResult denoise_low_rank(std::span<const Vec3> positions, const LowRankSettings& settings = {},
                                              const ExecutionContext& context = {});

}  // namespace burnish
