#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "baselines.hpp"
#include "burnish/glr.hpp"
#include "command.hpp"

namespace burnish::cli {
namespace {

struct Options {
  std::string input;
  std::string output;
  std::string method;  ///< empty: auto, unless a parameter of GLR is given
  std::string preset;  ///< empty: paper
  DenoiseSettings by_itself;
  /// Single parameters, put over the preset in the end, whatever order they were given in.
  std::vector<std::function<void(GlrSettings&)>> overrides;
  BaselineOptions baseline;
};

/// Adds an option that sets one field of the settings.
template <class Value>
void add_parameter(CLI::App& command, Options& options, const std::string& name, Value GlrSettings::*field,
                   const std::string& type, const std::string& help) {
  command
      .add_option_function<Value>(
          name,
          [&options, field](const Value& value) {
            options.overrides.push_back([=](GlrSettings& settings) { settings.*field = value; });
          },
          help)
      ->type_name(type);
}

template <class Value>
void add_parameter(CLI::App& command, Options& options, const std::string& name, Value GlrSettings::*field,
                   const Choices<Value>& choices, const std::string& help) {
  add_choice<Value>(
      command, name, choices,
      [&options, field](Value value) {
        options.overrides.push_back([=](GlrSettings& settings) { settings.*field = value; });
      },
      help);
}

void add_glr_parameters(CLI::App& command, Options& o) {
  using S = GlrSettings;
  const Choices<bool> yes_no = {{"yes", true}, {"no", false}};
  add_parameter(command, o, "--noise-level", &S::noise_level, "LEVEL",
                "The paper's label for the noise: 0.02, 0.03, 0.04 or any other (default: found from the data)");
  add_parameter(command, o, "--iterations", &S::iterations, "N", "At most so many iterations");
  add_parameter(command, o, "--convergence", &S::convergence, "X",
                "Stop when points move less than this part of the spacing; 0: never");
  add_parameter(command, o, "--patch-size", &S::patch_size, "k", "Points in a patch");
  add_parameter(command, o, "--patch-neighbours", &S::patch_neighbours, "K",
                "Nearest patches a patch is compared with");
  add_parameter(command, o, "--centre-rate", &S::centre_rate, "X", "Part of the points that are patch centres");
  add_parameter<FirstCentre>(command, o, "--first-centre", &S::first_centre,
                             {{"outermost", FirstCentre::outermost}, {"first-point", FirstCentre::first_point}},
                             "Where sampling of the centres begins");
  add_parameter<PatchOrigin>(command, o, "--patch-origin", &S::patch_origin,
                             {{"centre-point", PatchOrigin::centre_point}, {"mean", PatchOrigin::mean}},
                             "What patches are aligned by");
  add_parameter<bool>(command, o, "--resample", &S::resample, yes_no, "Find patches anew in every iteration");
  add_parameter<bool>(command, o, "--symmetric-distance", &S::symmetric_distance, yes_no,
                      "Patch distance is the mean of both directions");
  add_parameter<Interpolation>(
      command, o, "--interpolation", &S::interpolation,
      {{"connect", Interpolation::connect}, {"distance", Interpolation::distance}, {"off", Interpolation::off}},
      "What to do with points whose partner is far");
  add_parameter(command, o, "--interpolation-distance", &S::interpolation_distance, "TAU", "How far that is");
  add_parameter(command, o, "--epsilon", &S::epsilon, "E1,E2,…",
                "Width of the weights in iteration 1, 2, … (default: from the data)");
  command.get_option("--epsilon")->delimiter(',')->allow_extra_args(false)->type_name("E1,E2,…");
  add_parameter(command, o, "--epsilon-factor", &S::epsilon_factor, "X", "epsilon = X · √std(d²)");
  add_parameter(command, o, "--threshold-factor", &S::threshold_factor, "Cr",
                "Patches farther than Cr · epsilon are not connected");
  add_parameter(command, o, "--threshold", &S::threshold, "R", "The same as a length; 0: use the factor");
  add_parameter<Normalisation>(
      command, o, "--normalisation", &S::normalisation,
      {{"patch-degree", Normalisation::patch_degree}, {"node-degree", Normalisation::node_degree}},
      "How weights are normalised");
  add_parameter(command, o, "--gamma", &S::gamma, "X", "Exponent of that");
  add_parameter<Laplacian>(command, o, "--laplacian", &S::laplacian,
                           {{"combinatorial", Laplacian::combinatorial}, {"normalised", Laplacian::normalised}},
                           "Kind of graph Laplacian");
  add_parameter(command, o, "--mu-factor", &S::mu_factor, "X", "Fidelity in iteration i is X · (exp(i/r) − 1)");
  add_parameter(command, o, "--mu-growth", &S::mu_growth, "r", "r of that; 0: from the noise level");
  add_parameter<Fidelity>(command, o, "--fidelity", &S::fidelity,
                          {{"previous", Fidelity::previous_iterate}, {"input", Fidelity::input}},
                          "What the result stays close to");
  add_parameter<Solver>(
      command, o, "--solver", &S::solver,
      {{"conjugate-gradients", Solver::conjugate_gradients}, {"least-squares", Solver::least_squares}},
      "How the linear system is solved");
  add_parameter(command, o, "--solver-tolerance", &S::solver_tolerance, "X", "Relative residual to stop at");
  add_parameter(command, o, "--solver-steps", &S::solver_steps, "N", "At most so many steps");
  add_parameter<LengthUnit>(command, o, "--length-unit", &S::length_unit,
                            {{"spacing", LengthUnit::spacing}, {"absolute", LengthUnit::absolute}},
                            "Unit of interpolation distance, epsilon, threshold");
}

Json to_json(const GlrIteration& i) {
  return {{"epsilon", i.epsilon},
          {"mu", i.mu},
          {"mean_move", i.mean_move},
          {"manifold_dimension", i.manifold_dimension},
          {"mean_degree", i.mean_degree},
          {"largest_degree", i.largest_degree},
          {"condition_bound", i.condition_bound},
          {"solver_steps", i.solver_steps},
          {"residual", i.residual},
          {"seconds",
           {{"patches", i.seconds_patches},
            {"distances", i.seconds_distances},
            {"assembly", i.seconds_assembly},
            {"solve", i.seconds_solve}}}};
}

void denoise_by_glr(const Options& options, const Common& common) {
  GlrSettings settings = options.preset == "authors" ? glr_authors() : glr_paper();
  for (const auto& override_setting : options.overrides) {
    override_setting(settings);
  }
  check_output(options.output, common);
  PointCloud cloud = read_input(options.input, common);
  const auto start = std::chrono::steady_clock::now();
  GlrResult result = denoise_glr(cloud.positions, settings, common.context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cloud.positions = std::move(result.positions);
  write_output(options.output, cloud, common);

  if (common.json) {
    Json iterations = Json::array();
    for (const GlrIteration& i : result.iterations) {
      iterations.push_back(to_json(i));
    }
    print_json({{"input", options.input},
                {"output", options.output},
                {"points", cloud.size()},
                {"method", "glr"},
                {"preset", options.preset.empty() ? "paper" : options.preset},
                {"spacing", result.spacing},
                {"noise_level", result.noise_level},
                {"patches", result.patches},
                {"converged", result.converged},
                {"seconds", seconds},
                {"iterations", iterations}});
  } else if (result.iterations.empty()) {
    fmt::print(stderr, "{}: {} points, too few to find a surface: left as they are\n", options.output, cloud.size());
  } else {
    fmt::print(stderr, "{}: {} points in {:.1f} s, {} iterations; spacing {:.4g}, noise level {:.3g}\n", options.output,
               cloud.size(), seconds, result.iterations.size(), result.spacing, result.noise_level);
  }
}

}  // namespace

void add_denoise(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("denoise", "Take the noise out of a cloud");
  const auto options = std::make_shared<Options>();
  command->add_option("IN", options->input, "The noisy cloud")->required();
  command->add_option("OUT", options->output, "Where to write the result: same points, same order, all attributes")
      ->required();
  Choices<std::string> methods{{"auto", "auto"}, {"glr", "glr"}};
  std::string methods_help =
      "auto: finds noise and scale by itself (the default); glr: graph Laplacian regularisation as published";
  for (const Baseline& baseline : baselines()) {
    methods.emplace_back(baseline.name, baseline.name);
    methods_help += "; " + baseline.name + ": " + baseline.help;
  }
  add_choice<std::string>(
      *command, "--method", methods, [options](const std::string& name) { options->method = name; }, methods_help);
  add_choice<std::string>(
      *command, "--preset", {{"paper", "paper"}, {"authors", "authors"}},
      [options](const std::string& name) { options->preset = name; },
      "Parameters of GLR: as printed in the paper (the default), or as in its authors' program");
  command
      ->add_option("--noise", options->by_itself.noise,
                   "auto: standard deviation of the noise in the cloud's unit (default: found)")
      ->type_name("SIGMA");
  command->add_option("--strength", options->by_itself.strength, "auto: take out less (below 1) or more (above 1)")
      ->type_name("X");
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  CLI::App* parameters = command->add_option_group("Parameters of GLR", "Each overrides the preset's value.");
  add_glr_parameters(*parameters, *options);
  add_baseline_options(*command->add_option_group("Parameters of other methods", "See docs/baselines.md."),
                       options->baseline);
  command->footer(
      "Examples:\n"
      "  burnish denoise scan.ply smooth.ply\n"
      "  burnish denoise scan.ply smooth.ply --strength 0.7         take out less\n"
      "  burnish denoise noisy.ply out.ply --preset authors --noise-level 0.02 --json");
  command->callback([options, command, &common] {
    if (const Baseline* baseline = find_baseline(options->method)) {
      denoise_by_baseline(*command, *baseline, options->baseline, options->input, options->output, common);
      return;
    }
    const bool glr_asked = !options->preset.empty() || !options->overrides.empty();
    const std::string method = !options->method.empty() ? options->method : glr_asked ? "glr" : "auto";
    refuse_baseline_options(options->baseline, method);
    const bool auto_asked = command->count("--noise") + command->count("--strength") > 0;
    if (method == "auto" && !glr_asked) {
      denoise_by_itself(options->by_itself, options->input, options->output, common);
    } else if (method == "glr" && !auto_asked) {
      denoise_by_glr(*options, common);
    } else {
      throw CLI::ValidationError("--method", "auto has no parameters but --noise and --strength, and glr not these");
    }
  });
}

}  // namespace burnish::cli
