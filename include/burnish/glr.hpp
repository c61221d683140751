#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// Point-cloud denoising by graph Laplacian regularisation over surface patches, after
//   J. Zeng, G. Cheung, M. Ng, J. Pang, C. Yang: "3D Point Cloud Denoising Using Graph Laplacian Regularization of a
//   Low Dimensional Manifold Model", IEEE Transactions on Image Processing 29, 2020.
// docs/glr.md has the mathematics as implemented here, and the differences from the paper.

namespace burnish {

/// Origin of patch coordinates (c_m): it is subtracted from the points of a patch before patches are compared.
enum class PatchOrigin : std::uint8_t {
  centre_point,  ///< the patch's centre point
  mean,          ///< the mean of its points
};

/// Where farthest-point sampling of the patch centres begins.
enum class FirstCentre : std::uint8_t {
  outermost,    ///< at the point farthest from the centroid, independently of the order of the points
  first_point,  ///< at the first point of the file
};

/// Treatment of points whose nearest partner is farther than interpolation_distance.
enum class Interpolation : std::uint8_t {
  connect,   ///< its partner is the plane through the three nearest points, and it is connected to these three
  distance,  ///< that plane enters the patch distance, but it is connected to the nearest point
  off,
};

/// How the weights of the patch graph are normalised, to be independent of the density of its connections.
enum class Normalisation : std::uint8_t {
  patch_degree,  ///< by the degrees of the two patches (equation 7)
  node_degree,   ///< by the degrees of the two connected points in the graph of corresponding points
};

enum class Laplacian : std::uint8_t {
  combinatorial,  ///< L = D − A: constants are in its null space
  normalised,     ///< I − D^−1/2 A D^−1/2: contracts even flat surfaces
};

/// What the result must stay close to.
enum class Fidelity : std::uint8_t { previous_iterate, input };

enum class Solver : std::uint8_t {
  conjugate_gradients,  ///< preconditioned, from the previous iterate
  least_squares,        ///< the LSQR iteration from zero, which the authors stop before it has converged
};

/// Unit of the lengths among the settings.
enum class LengthUnit : std::uint8_t { spacing, absolute };

/// The parameters of the method. The defaults are those of the paper, with its lengths made relative to the spacing of
/// the points. See glr_authors() for what the authors' program does.
struct GlrSettings {
  /// Fraction of the points that become patch centres (s).
  double centre_rate = 0.5;
  FirstCentre first_centre = FirstCentre::outermost;
  /// Points in a patch (k), at most 254.
  unsigned patch_size = 30;
  PatchOrigin patch_origin = PatchOrigin::centre_point;
  /// Nearest patches that a patch is compared with (K).
  unsigned patch_neighbours = 16;
  /// Whether centres, patches and their neighbours are recomputed in every iteration, or found once, on the input.
  bool resample = true;

  /// Whether the distance of two patches is the mean of both directions (equation 28), or each direction is used for
  /// its own connections.
  bool symmetric_distance = true;
  Interpolation interpolation = Interpolation::connect;
  /// τ, in units of `length_unit`.
  double interpolation_distance = 1.85;

  /// ε of iteration 1, 2, …, in units of `length_unit`; the last one is used for all further iterations. Empty:
  /// computed from the data as epsilon_factor · √std(d²).
  std::vector<double> epsilon;
  double epsilon_factor = 0.5;
  /// C_r: patches farther apart than r = ε·C_r are not connected. The paper states no value; docs/glr.md explains 1.5.
  double threshold_factor = 1.5;
  /// r itself, in units of `length_unit`; 0 means ε·C_r.
  double threshold = 0.0;
  Normalisation normalisation = Normalisation::patch_degree;
  /// γ in the exponent −γ of patch degrees. (For node degrees it is ½.)
  double gamma = 0.5;
  Laplacian laplacian = Laplacian::combinatorial;

  /// The paper's label for the strength of the noise: 0.02, 0.03, 0.04, or any value between and beyond. 0: estimated
  /// from the data. It determines mu_growth.
  double noise_level = 0.0;
  /// The weight of the fidelity term in iteration i is mu_factor · (exp(i / mu_growth) − 1).
  double mu_factor = 25.0;
  /// 4, 7 and 12 for noise levels 0.02, 0.03, 0.04; 0 means: from noise_level.
  double mu_growth = 0.0;
  Fidelity fidelity = Fidelity::previous_iterate;

  Solver solver = Solver::conjugate_gradients;
  /// The solver stops when the residual relative to the right-hand side is below this, or after solver_steps.
  double solver_tolerance = 1e-9;
  unsigned solver_steps = 200;

  unsigned iterations = 15;
  /// Stops iterating when points move by less than this fraction of the spacing on average; 0 means never.
  double convergence = 1e-3;

  LengthUnit length_unit = LengthUnit::spacing;
};

/// The paper as printed: the defaults.
[[nodiscard]] GlrSettings glr_paper();

/// The authors' program, which produced the paper's tables. Its lengths are absolute and suit clouds whose points are
/// about 0.4 apart.
[[nodiscard]] GlrSettings glr_authors();

/// The paper's r in μ = 25(exp(i/r) − 1) for a noise level: 4, 7, 12 at 0.02, 0.03, 0.04; its logarithm is interpolated
/// linearly between these and extrapolated beyond.
[[nodiscard]] double glr_mu_growth(double noise_level);

/// Diagnostics of one iteration.
struct GlrIteration {
  double epsilon = 0.0;
  double mu = 0.0;
  /// How far points moved, on average.
  double mean_move = 0.0;
  /// Σ w·d² over the connected patches before the move: the quantity that the regulariser minimises, an estimate of the
  /// dimension of the patch manifold (equation 15).
  double manifold_dimension = 0.0;
  /// Diagonal of the Laplacian SᵀL_pS over the points.
  double mean_degree = 0.0;
  double largest_degree = 0.0;
  /// Upper bound on the condition number of the system: (2·largest_degree + μ) / μ for the combinatorial Laplacian.
  double condition_bound = 0.0;
  unsigned solver_steps = 0;
  /// Largest relative residual of the three coordinates after the solve.
  double residual = 0.0;

  double seconds_patches = 0.0;    ///< sampling of centres, neighbours, patch graph
  double seconds_distances = 0.0;  ///< frames, projections, correspondences, patch distances
  double seconds_assembly = 0.0;   ///< weights, degrees, the linear system
  double seconds_solve = 0.0;
};

struct GlrResult {
  /// Point i is input point i, moved. Points that are not finite are unchanged.
  std::vector<Vec3> positions;
  std::vector<GlrIteration> iterations;
  /// Whether the convergence test ended the iteration.
  bool converged = false;
  std::size_t patches = 0;
  double spacing = 0.0;
  /// The noise level used, given or estimated.
  double noise_level = 0.0;
};

/// Denoises a cloud (Algorithm 1). A cloud of fewer than four distinct points is returned unchanged. Throws Error if a
/// setting is out of range.
[[nodiscard]] GlrResult denoise_glr(std::span<const Vec3> positions, const GlrSettings& settings = {},
                                    const ExecutionContext& context = {});

}  // namespace burnish
