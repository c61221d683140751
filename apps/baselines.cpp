#include "baselines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "burnish/io.hpp"

namespace burnish::cli {
namespace {

/// Sets a field if the option was given.
template <class Value, class Field>
void set(const std::optional<Value>& given, Field& field) {
  if (given) {
    field = static_cast<Field>(*given);
  }
}

/// A method with the options its settings have.
template <class Settings>
Baseline baseline(const std::string& name, const std::string& help,
                  BaselineResult (*denoise)(std::span<const Vec3>, const Settings&, const ExecutionContext&)) {
  Baseline result{name, help, {}, {}};
  if constexpr (requires(Settings s) { s.filter_scale; }) {
    result.options.emplace_back("--filter-scale");
  }
  if constexpr (requires(Settings s) { s.repulsion; }) {
    result.options.emplace_back("--repulsion");
  }
  if constexpr (requires(Settings s) { s.data_fitting; }) {
    result.options.emplace_back("--data-fitting");
  }
  if constexpr (requires(Settings s) { s.iterations; }) {
    result.options.emplace_back("--iterations");
  }
  result.run = [denoise](std::span<const Vec3> points, const BaselineOptions& options,
                         const ExecutionContext& context) {
    Settings settings;
    if constexpr (requires { settings.filter_scale; }) {
      set(options.filter_scale, settings.filter_scale);
    }
    if constexpr (requires { settings.repulsion; }) {
      set(options.repulsion, settings.repulsion);
    }
    if constexpr (requires { settings.data_fitting; }) {
      set(options.data_fitting, settings.data_fitting);
    }
    if constexpr (requires { settings.iterations; }) {
      set(options.iterations, settings.iterations);
    }
    return denoise(points, settings, context);
  };
  return result;
}

/// The options that were given, of the command and its option groups.
std::vector<const CLI::Option*> given_options(const CLI::App& command) {
  std::vector<const CLI::Option*> given = command.get_options([](const CLI::Option* o) { return o->count() > 0; });
  for (const CLI::App* group : command.get_subcommands([](const CLI::App*) { return true; })) {
    const std::vector<const CLI::Option*> more = given_options(*group);
    given.insert(given.end(), more.begin(), more.end());
  }
  return given;
}

}  // namespace

const std::vector<Baseline>& baselines() {
  static const std::vector<Baseline> all{
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
  return all;
}

const Baseline* find_baseline(const std::string& method) {
  const auto found = std::ranges::find(baselines(), method, &Baseline::name);
  return found == baselines().end() ? nullptr : &*found;
}

void add_baseline_options(CLI::App& command, BaselineOptions& options) {
  command.add_option("--filter-scale", options.filter_scale, "How far to look, in spacings: mls, apss, rimls, *lop")
      ->type_name("X");
  command.add_option("--repulsion", options.repulsion, "How strongly points push each other away: lop, wlop, awlop")
      ->type_name("X");
  command.add_option("--data-fitting", options.data_fitting, "Weight of the points as they are: mrpca")->type_name("X");
}

void refuse_baseline_options(const BaselineOptions& options, const std::string& method) {
  const auto refuse = [&](bool given, const std::string& name) {
    if (given) {
      throw CLI::ValidationError(name, "is not a parameter of " + method);
    }
  };
  refuse(options.filter_scale.has_value(), "--filter-scale");
  refuse(options.repulsion.has_value(), "--repulsion");
  refuse(options.data_fitting.has_value(), "--data-fitting");
}

void denoise_by_baseline(const CLI::App& command, const Baseline& method, BaselineOptions options,
                         const std::string& input, const std::string& output, const Common& common) {
  for (const CLI::Option* option : given_options(command)) {
    const std::string name = option->get_name();
    const bool for_all =
        option->get_positional() || name == "--method" || name == "--threads" || name == "--json" || name == "--format";
    if (!for_all && std::ranges::find(method.options, name) == method.options.end()) {
      throw CLI::ValidationError(name, "is not a parameter of " + method.name);
    }
    if (name == "--iterations") {
      options.iterations = option->as<unsigned>();
    }
  }
  check_output(output, common);
  PointCloud cloud = read_input(input, common);
  const auto start = std::chrono::steady_clock::now();
  BaselineResult result = method.run(cloud.positions, options, common.context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cloud.positions = std::move(result.positions);
  write_output(output, cloud, common);

  if (common.json) {
    print_json({{"input", input},
                {"output", output},
                {"points", cloud.size()},
                {"method", method.name},
                {"spacing", result.spacing},
                {"seconds", seconds}});
  } else if (result.spacing == 0.0) {
    fmt::print(stderr, "{}: {} points, too few to find a surface: left as they are\n", output, cloud.size());
  } else {
    fmt::print(stderr, "{}: {} points in {:.1f} s by {}; spacing {:.4g}\n", output, cloud.size(), seconds, method.name,
               result.spacing);
  }
}

}  // namespace burnish::cli
