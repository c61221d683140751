#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>

#include "burnish/estimate.hpp"
#include "burnish/glr.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/working_points.hpp"
#include "glr/laplacian.hpp"
#include "glr/patch_distance.hpp"
#include "glr/patch_graph.hpp"
#include "glr/patches.hpp"
#include "glr/point_graph.hpp"
#include "glr/solver.hpp"

namespace burnish {
namespace {

using namespace glr;

/// Seconds since the last call.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void require(bool holds, const std::string& what) {
  if (!holds) {
    throw Error("GLR: " + what, ErrorKind::wrong_option);
  }
}

void check(const GlrSettings& settings) {
  require(settings.centre_rate > 0.0 && settings.centre_rate <= 1.0, "the centre rate must be above 0, at most 1");
  require(settings.patch_size >= 4 && settings.patch_size <= 254, "the patch size must be from 4 to 254");
  require(settings.patch_neighbours >= 1 && settings.patch_neighbours <= 1000,
          "the number of patch neighbours must be from 1 to 1000");
  require(std::ranges::all_of(settings.epsilon, [](double e) { return e > 0.0; }) && settings.epsilon_factor > 0.0,
          "epsilon must be positive");
  require(settings.threshold >= 0.0 && settings.threshold_factor > 0.0, "the threshold must be positive");
  require(settings.interpolation_distance >= 0.0, "the interpolation distance must not be negative");
  require(settings.noise_level >= 0.0 && settings.noise_level <= 1.0, "the noise level must be from 0 to 1");
  require(settings.mu_factor > 0.0 && settings.mu_growth >= 0.0, "mu must be positive");
  require(settings.gamma >= 0.0, "gamma must not be negative");
  require(settings.solver_tolerance >= 0.0 && settings.convergence >= 0.0, "tolerances must not be negative");
}

/// Noise in spacings of the paper's noise level 0.02 on its model Anchor.
constexpr double spacings_at_level_002 = 0.344;

/// The paper's label for estimated noise, by the ratio of noise to spacing.
double noise_level_of(double noise, double spacing) {
  return std::clamp(0.02 * noise / (spacings_at_level_002 * spacing), 0.005, 0.1);
}

std::uint32_t first_centre(const GlrSettings& settings, const WorkingPoints& working) {
  if (settings.first_centre == FirstCentre::first_point) {
    return *std::ranges::find_if(working.place, [](std::uint32_t p) { return p != WorkingPoints::absent; });
  }
  return farthest_from_mean(working.points);
}

double mean_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const ExecutionContext& context) {
  const double sum = parallel_sum(context, a.size(), 4096, 0.0, [&](std::size_t begin, std::size_t end) {
    double part = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      part += (a[i] - b[i]).norm();
    }
    return part;
  });
  return sum / static_cast<double>(a.size());
}

}  // namespace

GlrSettings glr_paper() { return {}; }

GlrSettings glr_authors() {
  GlrSettings settings;
  settings.first_centre = FirstCentre::first_point;
  settings.patch_origin = PatchOrigin::mean;
  settings.patch_neighbours = 15;
  settings.resample = false;
  settings.symmetric_distance = false;
  settings.interpolation = Interpolation::distance;
  settings.interpolation_distance = 1.0;
  settings.epsilon = {0.07, 0.04, 0.03};
  settings.threshold = std::sqrt(0.5);
  settings.normalisation = Normalisation::node_degree;
  settings.solver = Solver::least_squares;
  settings.solver_tolerance = 1e-6;
  settings.solver_steps = 20;
  settings.iterations = 20;
  settings.convergence = 0.0;
  settings.length_unit = LengthUnit::absolute;
  return settings;
}

double glr_mu_growth(double noise_level) {
  const double slope_below = math::log(7.0 / 4.0) / 0.01;
  const double slope_above = math::log(12.0 / 7.0) / 0.01;
  const double from_middle = noise_level - 0.03;
  return 7.0 * math::exp(from_middle * (from_middle < 0.0 ? slope_below : slope_above));
}

GlrResult denoise_glr(std::span<const Vec3> positions, const GlrSettings& settings, const ExecutionContext& context) {
  check(settings);
  GlrResult result;
  const WorkingPoints working = working_points(positions, context);
  if (working.points.size() < 4) {
    result.positions.assign(positions.begin(), positions.end());
    return result;
  }
  result.spacing = estimate_spacing(working.points, context);
  result.noise_level = settings.noise_level > 0.0
                           ? settings.noise_level
                           : noise_level_of(estimate_noise(working.points, context), result.spacing);
  const double mu_growth = settings.mu_growth > 0.0 ? settings.mu_growth : glr_mu_growth(result.noise_level);
  const double length = settings.length_unit == LengthUnit::spacing ? result.spacing : 1.0;
  const std::uint32_t first = first_centre(settings, working);

  const std::vector<Vec3>& v = working.points;  // the noisy input V
  std::vector<Vec3> u = v;                      // the estimate U, line 1 of Algorithm 1
  Patches patches;
  PatchGraph patch_graph;
  Correspondences correspondences;
  PointEdges edges;
  NodesOfPoints nodes;
  LaplacianAssembler assembler;
  for (unsigned i = 1; i <= settings.iterations; ++i) {
    const auto progress = [&](double part) { context.report("denoising", (i - 1 + part) / settings.iterations); };
    progress(0.0);
    GlrIteration& report = result.iterations.emplace_back();
    Stopwatch watch;

    // Lines 3 to 5: patch centres, their k nearest points, the K nearest patches of each.
    if (i == 1 || settings.resample) {
      patches = make_patches(u, settings, first, context);
      patch_graph = make_patch_graph(u, patches, settings, context);
      nodes = nodes_of_points(patches, u.size());
    }
    report.seconds_patches = watch.lap();
    progress(0.2);

    // Lines 6 to 8: corresponding points of neighbouring patches.
    const Reuse before = i == 1 || settings.resample ? Reuse::none : Reuse::same_patches;
    find_correspondences(u, patches, patch_graph, settings.interpolation, length * settings.interpolation_distance,
                         correspondences, context, before);
    report.seconds_distances = watch.lap();
    progress(0.6);

    // Line 9: the graph Laplacian over the points.
    edges.update(patches, patch_graph, correspondences, settings.symmetric_distance, before, context);
    const PointGraph graph =
        make_point_graph(patches, patch_graph, correspondences, edges, settings, length, i, context);
    const PointLaplacian& laplacian = assembler.assemble(graph, nodes, settings, context);
    report.seconds_assembly = watch.lap();
    progress(0.8);

    // Line 10: (SᵀL_pS + μI) U = μ U_previous + SᵀL_pC, equation 35.
    const double mu = settings.mu_factor * math::expm1(i / mu_growth);
    const std::vector<Vec3>& target = settings.fidelity == Fidelity::input ? v : u;
    std::vector<Vec3> b(u.size());
    parallel_for(context, b.size(), 4096, [&](std::size_t p) { b[p] = mu * target[p] + laplacian.centring[p]; });
    Solution solution =
        settings.solver == Solver::conjugate_gradients
            ? conjugate_gradients(laplacian, mu, b, u, settings.solver_tolerance, settings.solver_steps, context)
            : least_squares(laplacian, mu, b, settings.solver_tolerance, settings.solver_steps, context);
    report.mean_move = mean_distance(solution.x, u, context);
    u = std::move(solution.x);
    report.seconds_solve = watch.lap();

    report.epsilon = graph.epsilon;
    report.mu = mu;
    report.manifold_dimension = graph.manifold_dimension;
    report.mean_degree = laplacian.mean_degree;
    report.largest_degree = laplacian.largest_degree;
    report.condition_bound = (laplacian.eigenvalue_bound + mu) / mu;
    report.solver_steps = solution.steps;
    report.residual = solution.residual;
    result.patches = patches.count();

    // Line 11: end if U converges.
    if (report.mean_move < settings.convergence * result.spacing) {
      result.converged = true;
      break;
    }
  }
  context.report("denoising", 1.0);
  result.positions = working.restore(positions, u);
  return result;
}

}  // namespace burnish
