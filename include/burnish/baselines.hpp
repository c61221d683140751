#pragma once

#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// The methods that the GLR paper compares itself with, and those every toolbox has: to compare, and where one of them
// suits better. docs/baselines.md describes what each does, which reading of its source was chosen, and how it scores.
//
// All take points and give back the same points, moved, in the same order. Points that are not finite stay as they are,
// exact duplicates move together, a cloud of fewer than four distinct points comes back as it is. Lengths are relative
// to the spacing of the points; defaults are the GLR paper's settings for its model Anchor where it names them. All
// throw Error if a setting makes no sense.
//
// Methods that work with normals take those of the cloud, `normals`, one per point, of any length. Where there are
// none, or one of them is zero or not finite, they estimate all.

namespace burnish {

struct BaselineResult {
  /// Point i is input point i, moved.
  std::vector<Vec3> positions;
  /// The spacing that lengths were relative to; 0 if there were too few points to denoise.
  double spacing = 0.0;
};

// Projections onto a surface fitted to the points around. The radius of the fit is filter_scale times the local
// spacing, as MeshLab measures it: half the distance to the 16th nearest point.

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
  /// Projections of a point at most; it stops earlier when it moves no more.
  unsigned iterations = 15;
  /// Points a normal is estimated from.
  unsigned normal_neighbours = 20;
  std::span<const Vec3> normals = {};
};
[[nodiscard]] BaselineResult denoise_apss(std::span<const Vec3> positions, const ApssSettings& settings = {},
                                          const ExecutionContext& context = {});

/// Robust implicit moving least squares (Öztireli, Guennebaud and Gross 2009): an implicit surface from points and
/// normals that gives little weight to those which do not fit, so that edges stay.
struct RimlsSettings {
  double filter_scale = 7.0;
  /// σ_n: how different normals may be. Smaller is sharper.
  double sharpness = 0.75;
  /// σ_r: how far a point may be off the surface, as a part of the radius of the fit.
  double residual = 0.5;
  /// How often the weights are recomputed at one place.
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

// Locally optimal projections: points are drawn to the local median of the input and pushed away from each other.

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

/// Weighted locally optimal projection (Huang et al. 2009): indifferent to density, more even.
struct WlopSettings {
  double filter_scale = 4.0;
  double repulsion = 0.45;
  unsigned iterations = 10;
};
[[nodiscard]] BaselineResult denoise_wlop(std::span<const Vec3> positions, const WlopSettings& settings = {},
                                          const ExecutionContext& context = {});

/// Anisotropic weighted locally optimal projection (Huang et al. 2013): draws only to points near the tangent plane.
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

// What the GLR paper calls non-local, sparse and low-rank methods.

/// Non-local denoising (Deschaud and Goulette 2010): offsets from a local quadric, averaged over places whose
/// quadrics are alike.
struct NldSettings {
  /// Points a quadric is fitted to.
  unsigned neighbours = 16;
  /// Nearest points among which places alike are looked for.
  unsigned window = 100;
  /// How different the curvatures of places alike may be, in units of how much curvatures vary over the cloud.
  double similarity = 1.0;
};
[[nodiscard]] BaselineResult denoise_nld(std::span<const Vec3> positions, const NldSettings& settings = {},
                                         const ExecutionContext& context = {});

/// Moving robust principal component analysis (Mattei and Castrodad 2017): planes fitted with the sum of absolute
/// deviations; every point is drawn to all the planes it takes part in.
struct MrpcaSettings {
  /// Weight of the point itself against all planes together.
  double data_fitting = 1.0;
  unsigned iterations = 6;
  /// Points a plane is fitted to.
  unsigned neighbours = 30;
};
[[nodiscard]] BaselineResult denoise_mrpca(std::span<const Vec3> positions, const MrpcaSettings& settings = {},
                                           const ExecutionContext& context = {});

/// Structured low-rank factorisation (Sarkar et al. 2018): patches as height maps of 16 × 16 cells, all together made
/// of a few atoms.
struct LowRankSettings {
  /// Atoms in the dictionary at most.
  unsigned atoms = 50;
  /// Radius of a patch in spacings.
  double patch_radius = 5.0;
};
[[nodiscard]] BaselineResult denoise_low_rank(std::span<const Vec3> positions, const LowRankSettings& settings = {},
                                              const ExecutionContext& context = {});

}  // namespace burnish
