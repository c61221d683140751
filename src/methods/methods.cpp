#include "burnish/methods.hpp"

#include "burnish/baselines.hpp"
#include "burnish/denoise.hpp"
#include "burnish/nearest_word.hpp"
#include "core/check_coordinates.hpp"
#include "methods/diagnostics.hpp"
#include "methods/parameters.hpp"

namespace burnish {
namespace {

using namespace parameters;

/// Everything that the default knows about a point: each is an attribute of results, files and pages by this alone.
struct AutoAttribute {
  PointAttribute attribute;
  Values (*take)(DenoiseResult& found);
};

const std::vector<AutoAttribute>& auto_attributes() {
  static const std::vector<AutoAttribute> all{
      {{"noise", "standard deviation of the noise at the point"},
       [](DenoiseResult& found) -> Values { return std::move(found.noise_at_points); }},
      {{"confidence", "expected distance of the point from the surface; smaller is more certain"},
       [](DenoiseResult& found) -> Values { return std::move(found.error_at_points); }},
      {{"outlier", "1 if the point belongs to no surface, otherwise 0"},
       [](DenoiseResult& found) -> Values {
         std::vector<std::uint8_t> marks(found.positions.size(), 0);
         for (const std::uint32_t i : found.outliers) {
           marks[i] = 1;
         }
         return marks;
       }},
  };
  return all;
}

std::vector<Column> take_attributes(DenoiseResult& found) {
  std::vector<Column> attributes;
  for (const AutoAttribute& known : auto_attributes()) {
    attributes.push_back({known.attribute.name, known.take(found), {}});
  }
  return attributes;
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

MethodResult to_method_result(DenoiseResult found) {
  MethodResult result = describe(found);
  result.attributes = take_attributes(found);
  if (!found.outliers.empty()) {
    result.summary += fmt::format("; {} found", counted(found.outliers.size(), "outlier"));
  }
  result.diagnostics.push_back({"outliers", std::move(found.outliers)});
  result.positions = std::move(found.positions);
  return result;
}

/// The noise if it is known; 0 means that it is not.
Parameter<DenoiseSettings> known_noise() {
  Parameter<DenoiseSettings> noise =
      number("noise", &DenoiseSettings::noise, "SIGMA",
             "auto: standard deviation of the noise in the cloud's unit (default: estimated)", true);
  noise.expected = "a number above 0; omit the option to estimate the noise; --strength 0 removes nothing";
  noise.set = [parse = noise.set](DenoiseSettings& settings, std::string_view text) {
    return parse(settings, text) && settings.noise > 0.0;
  };
  return noise;
}

Parameter<DenoiseSettings> strength() {
  Parameter<DenoiseSettings> parameter =
      number("strength", &DenoiseSettings::strength, "X", "auto: remove less noise (below 1) or more (above 1)");
  parameter.expected = "a number from 0 to 10";
  parameter.set = [parse = parameter.set](DenoiseSettings& settings, std::string_view text) {
    return parse(settings, text) && settings.strength >= 0.0 && settings.strength <= 10.0;
  };
  return parameter;
}

std::vector<Parameter<DenoiseSettings>> auto_parameters() { return {known_noise(), strength()}; }

/// The parameters of a baseline: the fields its settings have.
template <class S>
std::vector<Parameter<S>> baseline_parameters() {
  std::vector<Parameter<S>> all;
  if constexpr (requires(S s) { s.filter_scale; }) {
    all.push_back(number("filter-scale", &S::filter_scale, "X",
                         "Radius of the weights, in spacings; 0 in awlop: by the size and number of points"));
  }
  if constexpr (requires(S s) { s.repulsion; }) {
    all.push_back(number("repulsion", &S::repulsion, "X", "Strength of the repulsion between points"));
  }
  if constexpr (requires(S s) { s.data_fitting; }) {
    all.push_back(number("data-fitting", &S::data_fitting, "X", "Weight of the point itself relative to all planes"));
  }
  if constexpr (requires(S s) { s.iterations; }) {
    all.push_back(number("iterations", &S::iterations, "N", "Maximum number of iterations"));
  }
  if constexpr (requires(S s) { s.degree; }) {
    all.push_back(number("degree", &S::degree, "1|2", "Fit planes (1) or quadrics (2)"));
  }
  if constexpr (requires(S s) { s.spherical; }) {
    all.push_back(number("spherical", &S::spherical, "X", "1 fits spheres, 0 planes, between blends"));
  }
  if constexpr (requires(S s) { s.sharpness; }) {
    all.push_back(number("sharpness", &S::sharpness, "X", "Tolerated difference of normals; smaller is sharper"));
  }
  if constexpr (requires(S s) { s.residual; }) {
    all.push_back(
        number("residual", &S::residual, "X", "Width of the weights by residual, as a fraction of the radius"));
  }
  if constexpr (requires(S s) { s.refits; }) {
    all.push_back(number("refits", &S::refits, "N", "Recomputations of the weights at one position"));
  }
  if constexpr (requires(S s) { s.sharpness_angle; }) {
    all.push_back(number("sharpness-angle", &S::sharpness_angle, "DEGREES",
                         "Normals that differ by more belong to different faces"));
  }
  if constexpr (requires(S s) { s.neighbours; }) {
    all.push_back(number("neighbours", &S::neighbours, "N", "Points in a neighbourhood"));
  }
  if constexpr (requires(S s) { s.normal_neighbours; }) {
    all.push_back(number("normal-neighbours", &S::normal_neighbours, "N", "Points from which a normal is estimated"));
  }
  if constexpr (requires(S s) { s.window; }) {
    all.push_back(number("window", &S::window, "N", "Nearest points among which similar places are searched"));
  }
  if constexpr (requires(S s) { s.similarity; }) {
    all.push_back(
        number("similarity", &S::similarity, "X", "Tolerated difference of the curvatures of similar places"));
  }
  if constexpr (requires(S s) { s.atoms; }) {
    all.push_back(number("atoms", &S::atoms, "N", "Maximum number of atoms in the dictionary"));
  }
  if constexpr (requires(S s) { s.patch_radius; }) {
    all.push_back(number("patch-radius", &S::patch_radius, "X", "Radius of a patch in spacings"));
  }
  return all;
}

template <class S>
Method baseline(std::string name, std::string description,
                BaselineResult (*function)(std::span<const Vec3>, const S&, const ExecutionContext&)) {
  const auto run = [function](std::span<const Vec3> positions, std::span<const Vec3> normals, S settings,
                              const ExecutionContext& context) {
    if constexpr (requires { settings.normals; }) {
      settings.normals = normals;
    }
    BaselineResult found = function(positions, settings, context);
    MethodResult result;
    result.positions = std::move(found.positions);
    result.diagnostics = list_of({{"spacing", found.spacing}});
    result.summary = found.spacing == 0.0 ? "too few points to find a surface; left unchanged"
                                          : fmt::format("spacing {:.4g}", found.spacing);
    return result;
  };
  return make_method<S>(std::move(name), std::move(description), baseline_parameters<S>(), run);
}

Method auto_method() {
  Method method = make_method<DenoiseSettings>(
      "auto", "estimates noise and scale", auto_parameters(),
      [](std::span<const Vec3> positions, std::span<const Vec3> /*normals*/, const DenoiseSettings& settings,
         const ExecutionContext& context) { return to_method_result(denoise(positions, settings, context)); });
  std::ranges::transform(auto_attributes(), std::back_inserter(method.attributes), &AutoAttribute::attribute);
  return method;
}

/// The contract of every method: as many points as before, finite where they were.
void check_result(const std::string& method, std::span<const Vec3> before, const std::vector<Vec3>& after) {
  if (after.size() != before.size()) {
    throw Error(
        fmt::format("{} returned {} points for {}: this is a bug in burnish", method, after.size(), before.size()));
  }
  std::size_t lost = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    lost += is_finite(before[i]) && !is_finite(after[i]) ? 1 : 0;
  }
  if (lost > 0) {
    throw Error(
        fmt::format("{} returned no finite position for {} of {} points: their coordinates are too large or too "
                    "uneven for it",
                    method, lost, before.size()));
  }
}

std::vector<double> distances(std::span<const Vec3> before, const std::vector<Vec3>& after) {
  std::vector<double> distances(before.size(), 0.0);
  for (std::size_t i = 0; i < before.size(); ++i) {
    distances[i] = is_finite(before[i]) ? (after[i] - before[i]).norm() : 0.0;
  }
  return distances;
}

/// What all methods have in common: input and result are checked, and how far points have moved is reported.
PreparedMethod checked(const std::string& name, const PreparedMethod& run) {
  return [name, run](std::span<const Vec3> positions, std::span<const Vec3> normals, const ExecutionContext& context) {
    check_coordinates(positions);
    MethodResult result = run(positions, normals, context);
    check_result(name, positions, result.positions);
    result.attributes.push_back({"moved", distances(positions, result.positions), {}});
    return result;
  };
}

Method checked(Method method) {
  method.attributes.push_back({"moved", "how far the point has moved"});
  method.prepare = [name = method.name, prepare = method.prepare](const MethodOptions& options) -> PreparedMethod {
    return checked(name, prepare(options));
  };
  return method;
}

std::vector<Method> make_methods() {
  std::vector<Method> all{
      auto_method(),
      glr_method(),
      baseline<MlsSettings>("mls", "moving least squares", denoise_mls),
      baseline<BilateralSettings>("bilateral", "bilateral filter", denoise_bilateral),
      baseline<ApssSettings>("apss", "algebraic point set surfaces", denoise_apss),
      baseline<RimlsSettings>("rimls", "robust implicit moving least squares", denoise_rimls),
      baseline<LopSettings>("lop", "locally optimal projection", denoise_lop),
      baseline<WlopSettings>("wlop", "weighted LOP", denoise_wlop),
      baseline<AwlopSettings>("awlop", "anisotropic weighted LOP", denoise_awlop),
      baseline<NldSettings>("nld", "non-local denoising", denoise_nld),
      baseline<MrpcaSettings>("mrpca", "moving robust principal components", denoise_mrpca),
      baseline<LowRankSettings>("low_rank", "low-rank patches", denoise_low_rank),
  };
  std::ranges::transform(all, all.begin(), [](const Method& method) { return checked(method); });
  return all;
}

}  // namespace

MethodResult describe(const DenoiseFindings& found) {
  MethodResult result;
  result.summary =
      fmt::format("spacing {:.4g}, noise {:.3g} ± {:.1g}; ", found.spacing, found.noise.value, found.noise.uncertainty);
  result.warnings = found.warnings;
  if (found.decision == Decision::nothing_to_take_out) {
    result.summary += fmt::format(
        "no noise to remove: it is {:.1g} % of the spacing (below 3 % in most places); left unchanged. "
        "Set `noise` if you know how strong it is",
        found.spacing > 0.0 ? 100.0 * found.noise / found.spacing : 0.0);
  } else if (found.decision != Decision::denoise) {
    result.summary += "left unchanged";
  } else {
    result.summary +=
        fmt::format("{}; expected error across the surface {:.3g} → {}{:.3g}",
                    found.iterations > 0
                        ? fmt::format("patches of {}, {}", found.patch_size, counted(found.iterations, "iteration"))
                        : "local fits only",
                    found.expected_error_before, found.is_error_rough ? "about " : "", found.expected_error_after);
  }
  result.diagnostics = list_of({{"spacing", found.spacing},
                                {"noise", found.noise.value},
                                {"noise_uncertainty", found.noise.uncertainty},
                                {"patch_size", std::uint64_t{found.patch_size}},
                                {"iterations", std::uint64_t{found.iterations}},
                                {"consensus_passes", std::uint64_t{found.consensus_passes}},
                                {"expected_error_before", found.expected_error_before},
                                {"expected_error_after", found.expected_error_after},
                                {"expected_error_is_rough", std::uint64_t{found.is_error_rough ? 1U : 0U}}});
  return result;
}

std::vector<Column> attributes_of(std::span<const Vec3> before, DenoiseResult found) {
  Column moved{"moved", distances(before, found.positions), {}};
  std::vector<Column> attributes = take_attributes(found);
  attributes.push_back(std::move(moved));
  return attributes;
}

DenoiseSettings denoise_settings(const MethodOptions& options) {
  DenoiseSettings settings;
  apply("auto", auto_parameters(), options, settings);
  return settings;
}

PreparedMethod prepare(const DenoiseSettings& settings) {
  return checked("auto", [settings](std::span<const Vec3> positions, std::span<const Vec3> /*normals*/,
                                    const ExecutionContext& context) {
    return to_method_result(denoise(positions, settings, context));
  });
}

PreparedMethod prepare(const Analysis& analysis) {
  return checked("auto", [analysis](std::span<const Vec3> positions, std::span<const Vec3> /*normals*/,
                                    const ExecutionContext& context) {
    return to_method_result(denoise(positions, analysis, context));
  });
}

const std::vector<Method>& methods() {
  static const std::vector<Method> all = make_methods();
  return all;
}

const MethodOption* Method::find_option(std::string_view option) const {
  const auto found = std::ranges::find(options, option, &MethodOption::name);
  return found == options.end() ? nullptr : &*found;
}

const Method& find_method(std::string_view name) {
  const auto is_same = [&](const Method& method) {
    return std::ranges::equal(method.name, name, [](char a, char b) {
      return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b == '-' ? '_' : b);
    });
  };
  const auto found = std::ranges::find_if(methods(), is_same);
  if (found == methods().end()) {
    std::vector<std::string> names;
    std::ranges::transform(methods(), std::back_inserter(names), &Method::name);
    throw WrongOption(fmt::format("there is no method \"{}\"{}{} {}", name, did_you_mean(name, names),
                                  nearest_word(name, names) ? " There are" : "; there are", fmt::join(names, ", ")));
  }
  return *found;
}

void parameters::fail_for_unknown_option(std::string_view method, std::string_view option) {
  std::vector<std::string> having;
  for (const Method& other : methods()) {
    if (other.find_option(option) != nullptr) {
      having.push_back(other.name);
    }
  }
  if (!having.empty()) {
    throw WrongOption(fmt::format("--{} is not an option of method {}; {} {} it", option, method,
                                  fmt::join(having, ", "), having.size() == 1 ? "has" : "have"));
  }
  std::vector<std::string> names;
  for (const MethodOption& known : find_method(method).options) {
    names.push_back("--" + known.name);
  }
  throw WrongOption(fmt::format("--{} is not an option of method {}{}", option, method,
                                did_you_mean(fmt::format("--{}", option), names)));
}

MethodResult run_method(std::string_view name, std::span<const Vec3> positions, const MethodOptions& options,
                        const ExecutionContext& context, std::span<const Vec3> normals) {
  return find_method(name).prepare(options)(positions, normals, context);
}

}  // namespace burnish
