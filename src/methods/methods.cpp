#include "burnish/methods.hpp"

#include "burnish/baselines.hpp"
#include "burnish/denoise.hpp"
#include "methods/diagnostics.hpp"
#include "methods/parameters.hpp"

namespace burnish {
namespace {

using namespace parameters;

MethodResult run_auto(std::span<const Vec3> positions, std::span<const Vec3> /*normals*/,
                      const DenoiseSettings& settings, const ExecutionContext& context) {
  return describe(denoise(positions, settings, context));
}

Method auto_method() {
  using S = DenoiseSettings;
  return make_method<S>("auto", "finds noise and scale by itself",
                        {number("noise", &S::noise, "SIGMA",
                                "auto: standard deviation of the noise in the cloud's unit (default: found)", true),
                         number("strength", &S::strength, "X", "auto: take out less (below 1) or more (above 1)")},
                        run_auto);
}

/// The parameters of a baseline: the fields its settings have.
template <class S>
std::vector<Parameter<S>> baseline_parameters() {
  std::vector<Parameter<S>> all;
  if constexpr (requires(S s) { s.filter_scale; }) {
    all.push_back(number("filter-scale", &S::filter_scale, "X", "How far to look, in spacings"));
  }
  if constexpr (requires(S s) { s.repulsion; }) {
    all.push_back(number("repulsion", &S::repulsion, "X", "How strongly points push each other away"));
  }
  if constexpr (requires(S s) { s.data_fitting; }) {
    all.push_back(number("data-fitting", &S::data_fitting, "X", "Weight of the points as they are"));
  }
  if constexpr (requires(S s) { s.iterations; }) {
    all.push_back(number("iterations", &S::iterations, "N", "At most so many iterations"));
  }
  if constexpr (requires(S s) { s.degree; }) {
    all.push_back(number("degree", &S::degree, "1|2", "Fit planes (1) or quadrics (2)"));
  }
  if constexpr (requires(S s) { s.spherical; }) {
    all.push_back(number("spherical", &S::spherical, "X", "1 fits spheres, 0 planes, between blends"));
  }
  if constexpr (requires(S s) { s.sharpness; }) {
    all.push_back(number("sharpness", &S::sharpness, "X", "How different normals may be; smaller is sharper"));
  }
  if constexpr (requires(S s) { s.residual; }) {
    all.push_back(number("residual", &S::residual, "X", "How far points may be off, as a part of the radius"));
  }
  if constexpr (requires(S s) { s.refits; }) {
    all.push_back(number("refits", &S::refits, "N", "Times the weights are found anew at one place"));
  }
  if constexpr (requires(S s) { s.sharpness_angle; }) {
    all.push_back(number("sharpness-angle", &S::sharpness_angle, "DEGREES",
                         "Normals that differ by more belong to different faces"));
  }
  if constexpr (requires(S s) { s.neighbours; }) {
    all.push_back(number("neighbours", &S::neighbours, "N", "Nearest points that are looked at"));
  }
  if constexpr (requires(S s) { s.normal_neighbours; }) {
    all.push_back(number("normal-neighbours", &S::normal_neighbours, "N", "Points a normal is estimated from"));
  }
  if constexpr (requires(S s) { s.window; }) {
    all.push_back(number("window", &S::window, "N", "Nearest points among which places alike are looked for"));
  }
  if constexpr (requires(S s) { s.similarity; }) {
    all.push_back(number("similarity", &S::similarity, "X", "How different the curvatures of places alike may be"));
  }
  if constexpr (requires(S s) { s.atoms; }) {
    all.push_back(number("atoms", &S::atoms, "N", "Atoms in the dictionary at most"));
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
    result.summary = found.spacing == 0.0 ? "too few to find a surface: left as they are"
                                          : fmt::format("spacing {:.4g}", found.spacing);
    return result;
  };
  return make_method<S>(std::move(name), std::move(description), baseline_parameters<S>(), run);
}

/// What every method owes: a point for each, finite where it was.
void check_result(const std::string& method, std::span<const Vec3> before, const std::vector<Vec3>& after) {
  if (after.size() != before.size()) {
    throw Error(
        fmt::format("{} made {} points of {}: this is a mistake in burnish", method, after.size(), before.size()));
  }
  std::size_t lost = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    lost += is_finite(before[i]) && !is_finite(after[i]) ? 1 : 0;
  }
  if (lost > 0) {
    throw Error(
        fmt::format("{} finds no finite place for {} of {} points: their coordinates are too large or too "
                    "uneven for it",
                    method, lost, before.size()));
  }
}

Method with_checked_result(Method method) {
  method.prepare = [name = method.name, prepare = method.prepare](const MethodOptions& options) -> PreparedMethod {
    return [name, run = prepare(options)](std::span<const Vec3> positions, std::span<const Vec3> normals,
                                          const ExecutionContext& context) {
      MethodResult result = run(positions, normals, context);
      check_result(name, positions, result.positions);
      return result;
    };
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
  std::ranges::transform(all, all.begin(), with_checked_result);
  return all;
}

}  // namespace

MethodResult describe(DenoiseResult found) {
  MethodResult result;
  result.positions = std::move(found.positions);
  result.summary =
      fmt::format("spacing {:.4g}, noise {:.3g} ± {:.1g}; ", found.spacing, found.noise.value, found.noise.uncertainty);
  result.warnings = std::move(found.warnings);
  if (found.iterations + found.consensus_passes == 0) {
    result.summary +=
        found.noise.value > 0.0 ? "nothing to take out: left as it is" : "no noisy surface found: left as it is";
  } else {
    result.summary += fmt::format(
        "{}; expected error {:.3g} → {:.3g}{}",
        found.iterations > 0 ? fmt::format("patches of {}, {} iterations", found.patch_size, found.iterations)
                             : "local fits alone",
        found.expected_error_before, found.expected_error_after,
        found.outliers.empty() ? "" : fmt::format("; {} outliers found", found.outliers.size()));
  }
  result.diagnostics = list_of({{"spacing", found.spacing},
                                {"noise", found.noise.value},
                                {"noise_uncertainty", found.noise.uncertainty},
                                {"patch_size", std::uint64_t{found.patch_size}},
                                {"iterations", std::uint64_t{found.iterations}},
                                {"consensus_passes", std::uint64_t{found.consensus_passes}},
                                {"expected_error_before", found.expected_error_before},
                                {"expected_error_after", found.expected_error_after},
                                {"outliers", std::move(found.outliers)}});
  return result;
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
  const auto found = std::ranges::find(methods(), name, &Method::name);
  if (found == methods().end()) {
    std::string names;
    for (const Method& method : methods()) {
      names += (names.empty() ? "" : ", ") + method.name;
    }
    throw WrongOption(fmt::format("there is no method \"{}\"; there are {}", name, names));
  }
  return *found;
}

MethodResult run_method(std::string_view name, std::span<const Vec3> positions, const MethodOptions& options,
                        const ExecutionContext& context, std::span<const Vec3> normals) {
  return find_method(name).prepare(options)(positions, normals, context);
}

}  // namespace burnish
