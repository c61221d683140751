#include "burnish/glr.hpp"

#include "methods/diagnostics.hpp"
#include "methods/parameters.hpp"

namespace burnish::parameters {
namespace {

using S = GlrSettings;

std::vector<Parameter<S>> glr_parameters() {
  const Choices<bool> yes_no = {{"yes", true}, {"no", false}};
  return {
      number("noise-level", &S::noise_level, "LEVEL",
             "The paper's label for the noise: 0.02, 0.03, 0.04 or any other (default: estimated)", true),
      number("iterations", &S::iterations, "N", "Maximum number of iterations"),
      number("convergence", &S::convergence, "X",
             "Stop when points move less than this fraction of the spacing; 0: never"),
      number("patch-size", &S::patch_size, "k", "Points in a patch"),
      number("patch-neighbours", &S::patch_neighbours, "K", "Nearest patches a patch is compared with"),
      number("centre-rate", &S::centre_rate, "X", "Fraction of the points that are patch centres"),
      choice<S, FirstCentre>("first-centre", &S::first_centre,
                             {{"outermost", FirstCentre::outermost}, {"first-point", FirstCentre::first_point}},
                             "Where sampling of the centres begins"),
      choice<S, PatchOrigin>("patch-origin", &S::patch_origin,
                             {{"centre-point", PatchOrigin::centre_point}, {"mean", PatchOrigin::mean}},
                             "Origin of the coordinates of a patch"),
      choice<S, bool>("resample", &S::resample, yes_no, "Sample the patches again in every iteration"),
      choice<S, bool>("symmetric-distance", &S::symmetric_distance, yes_no,
                      "Patch distance is the mean of both directions"),
      choice<S, Interpolation>(
          "interpolation", &S::interpolation,
          {{"connect", Interpolation::connect}, {"distance", Interpolation::distance}, {"off", Interpolation::off}},
          "Treatment of points whose partner is far"),
      number("interpolation-distance", &S::interpolation_distance, "TAU",
             "Projected distance above which a partner is far"),
      number("epsilon", &S::epsilon, "E1,E2,…", "Width of the weights in iteration 1, 2, … (default: from the data)"),
      number("epsilon-factor", &S::epsilon_factor, "X", "epsilon = X · √std(d²)"),
      number("threshold-factor", &S::threshold_factor, "Cr", "Patches farther than Cr · epsilon are not connected"),
      number("threshold", &S::threshold, "R", "Cut-off distance as a length; 0: use the factor"),
      choice<S, Normalisation>(
          "normalisation", &S::normalisation,
          {{"patch-degree", Normalisation::patch_degree}, {"node-degree", Normalisation::node_degree}},
          "How weights are normalised"),
      number("gamma", &S::gamma, "X", "Exponent of the patch degrees"),
      choice<S, Laplacian>("laplacian", &S::laplacian,
                           {{"combinatorial", Laplacian::combinatorial}, {"normalised", Laplacian::normalised}},
                           "Kind of graph Laplacian"),
      number("mu-factor", &S::mu_factor, "X", "Fidelity in iteration i is X · (exp(i/r) − 1)"),
      number("mu-growth", &S::mu_growth, "r", "r of the fidelity; 0: from the noise level"),
      choice<S, Fidelity>("fidelity", &S::fidelity,
                          {{"previous", Fidelity::previous_iterate}, {"input", Fidelity::input}},
                          "What the result stays close to"),
      choice<S, Solver>(
          "solver", &S::solver,
          {{"conjugate-gradients", Solver::conjugate_gradients}, {"least-squares", Solver::least_squares}},
          "How the linear system is solved"),
      number("solver-tolerance", &S::solver_tolerance, "X", "Relative residual to stop at"),
      number("solver-steps", &S::solver_steps, "N", "Maximum number of steps"),
      choice<S, LengthUnit>("length-unit", &S::length_unit,
                            {{"spacing", LengthUnit::spacing}, {"absolute", LengthUnit::absolute}},
                            "Unit of interpolation distance, epsilon, threshold"),
  };
}

std::vector<Diagnostic> to_diagnostics(const GlrIteration& i) {
  return list_of({{"epsilon", i.epsilon},
                  {"mu", i.mu},
                  {"mean_move", i.mean_move},
                  {"manifold_dimension", i.manifold_dimension},
                  {"mean_degree", i.mean_degree},
                  {"largest_degree", i.largest_degree},
                  {"condition_bound", i.condition_bound},
                  {"solver_steps", std::uint64_t{i.solver_steps}},
                  {"residual", i.residual},
                  {"seconds", list_of({{"patches", i.seconds_patches},
                                       {"distances", i.seconds_distances},
                                       {"assembly", i.seconds_assembly},
                                       {"solve", i.seconds_solve}})}});
}

MethodResult run_glr(std::span<const Vec3> positions, const GlrSettings& settings, const std::string& preset,
                     const ExecutionContext& context) {
  GlrResult glr = denoise_glr(positions, settings, context);
  std::vector<std::vector<Diagnostic>> iterations;
  std::ranges::transform(glr.iterations, std::back_inserter(iterations), to_diagnostics);
  MethodResult result;
  result.positions = std::move(glr.positions);
  result.diagnostics = list_of({{"preset", preset},
                                {"spacing", glr.spacing},
                                {"noise_level", glr.noise_level},
                                {"patches", std::uint64_t{glr.patches}},
                                {"converged", glr.converged},
                                {"iterations", std::move(iterations)}});
  const auto unsolved = std::ranges::count_if(
      glr.iterations, [&](const GlrIteration& i) { return !(i.residual <= settings.solver_tolerance); });
  // The authors' solver is meant to be stopped early.
  if (unsolved > 0 && settings.solver == Solver::conjugate_gradients) {
    result.warnings.push_back(
        fmt::format("the solver did not converge in {} of {} iterations: after {} steps its residual was up to {:.1g}, "
                    "not {:.1g}; `solver-steps` allows more",
                    unsolved, glr.iterations.size(), settings.solver_steps,
                    std::ranges::max(glr.iterations, {}, &GlrIteration::residual).residual, settings.solver_tolerance));
  }
  result.summary = glr.iterations.empty() ? "too few points to find a surface; left unchanged"
                                          : fmt::format("{} iterations; spacing {:.4g}, noise level {:.3g}",
                                                        glr.iterations.size(), glr.spacing, glr.noise_level);
  return result;
}

}  // namespace

Method glr_method() {
  Method method{"glr", "graph Laplacian regularisation as published", {}, {}, {}};
  const std::vector<Parameter<S>> parameters = glr_parameters();
  method.options.push_back({"preset", "paper|authors",
                            "Parameters of GLR: as printed in the paper (the default), or as in its authors' program",
                            "paper"});
  std::ranges::transform(parameters, std::back_inserter(method.options), &Parameter<S>::option);
  method.prepare = [parameters](MethodOptions options) -> PreparedMethod {
    std::string preset = "paper";
    if (const auto given = options.find("preset"); given != options.end()) {
      preset = given->second;
      options.erase(given);
    }
    if (preset != "paper" && preset != "authors") {
      throw WrongOption(fmt::format("--preset: \"{}\" is not one of paper|authors", preset));
    }
    // Single parameters override the preset.
    GlrSettings settings = preset == "authors" ? glr_authors() : glr_paper();
    apply("glr", parameters, options, settings);
    return
        [settings, preset](std::span<const Vec3> positions, std::span<const Vec3> /*normals*/,
                           const ExecutionContext& context) { return run_glr(positions, settings, preset, context); };
  };
  return method;
}

}  // namespace burnish::parameters
