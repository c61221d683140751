#include <fmt/format.h>

#include <chrono>

#include "burnish/denoise.hpp"
#include "command.hpp"

namespace burnish::cli {

void denoise_by_itself(const DenoiseSettings& settings, const std::string& input, const std::string& output,
                       const Common& common) {
  check_output(output, common);
  PointCloud cloud = read_input(input, common);
  const auto start = std::chrono::steady_clock::now();
  DenoiseResult result = denoise(cloud.positions, settings, common.context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cloud.positions = std::move(result.positions);
  write_output(output, cloud, common);

  if (common.json) {
    print_json({{"input", input},
                {"output", output},
                {"points", cloud.size()},
                {"method", "auto"},
                {"spacing", result.spacing},
                {"noise", result.noise.value},
                {"noise_uncertainty", result.noise.uncertainty},
                {"patch_size", result.patch_size},
                {"iterations", result.iterations},
                {"consensus_passes", result.consensus_passes},
                {"expected_error_before", result.expected_error_before},
                {"expected_error_after", result.expected_error_after},
                {"outliers", result.outliers},
                {"seconds", seconds}});
    return;
  }
  fmt::print(stderr, "{}: {} points in {:.1f} s; spacing {:.4g}, noise {:.3g} ± {:.1g}; ", output, cloud.size(),
             seconds, result.spacing, result.noise.value, result.noise.uncertainty);
  if (result.iterations + result.consensus_passes == 0) {
    fmt::print(stderr, "{}: left as it is\n",
               result.noise.value > 0.0 ? "nothing to take out" : "no noisy surface found");
  } else {
    fmt::print(stderr, "patches of {}, {} iterations; expected error {:.3g} → {:.3g}{}\n", result.patch_size,
               result.iterations, result.expected_error_before, result.expected_error_after,
               result.outliers.empty() ? "" : fmt::format("; {} outliers left alone", result.outliers.size()));
  }
}

}  // namespace burnish::cli
