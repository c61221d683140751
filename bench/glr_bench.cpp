#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "burnish/glr.hpp"
#include "burnish/io.hpp"
#include "burnish/noise.hpp"
#include "burnish/shapes.hpp"

// The method and its stages. Seconds are CPU seconds of all threads together; the counters are wall-clock seconds of
// each stage, over all iterations.

namespace {

using namespace burnish;

/// A noisy machined part whose points are as far apart, and as noisy, as those of the model Anchor.
PointCloud noisy_part(std::size_t points) {
  PointCloud cloud;
  cloud.positions = make_shape("part")->sample(points);
  const double area = 2.1;  // of the part, roughly
  const double scale = 0.547 / std::sqrt(area / static_cast<double>(points));
  for (Vec3& p : cloud.positions) {
    p *= scale;
  }
  return add_noise(cloud, {RandomDisplacement{.sigma = 0.188}}).cloud;
}

void denoise(benchmark::State& state, const PointCloud& cloud, GlrSettings settings, int threads) {
  settings.noise_level = 0.02;
  ExecutionContext context;
  context.threads = threads;
  GlrResult result;
  for ([[maybe_unused]] const auto& run : state) {
    result = denoise_glr(cloud.positions, settings, context);
    benchmark::DoNotOptimize(result.positions.data());
  }
  double patches = 0.0;
  double distances = 0.0;
  double assembly = 0.0;
  double solve = 0.0;
  for (const GlrIteration& i : result.iterations) {
    patches += i.seconds_patches;
    distances += i.seconds_distances;
    assembly += i.seconds_assembly;
    solve += i.seconds_solve;
  }
  state.counters["patches_s"] = patches;
  state.counters["distances_s"] = distances;
  state.counters["assembly_s"] = assembly;
  state.counters["solve_s"] = solve;
  state.counters["iterations"] = static_cast<double>(result.iterations.size());
  state.counters["points"] = static_cast<double>(cloud.size());
}

void part_authors(benchmark::State& state) {
  denoise(state, noisy_part(static_cast<std::size_t>(state.range(0))), glr_authors(), static_cast<int>(state.range(1)));
}
BENCHMARK(part_authors)
    ->ArgNames({"points", "threads"})
    ->Args({10000, 1})
    ->Args({55799, 1})
    ->Args({55799, 2})
    ->Args({200000, 1})
    ->Unit(benchmark::kSecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void part_paper(benchmark::State& state) {
  denoise(state, noisy_part(static_cast<std::size_t>(state.range(0))), glr_paper(), 1);
}
BENCHMARK(part_paper)->ArgName("points")->Arg(55799)->Unit(benchmark::kSecond)->MeasureProcessCPUTime()->UseRealTime();

/// The file whose run the project's bound is about: at most 8 CPU seconds for 20 iterations.
void anchor_authors(benchmark::State& state) {
  const char* folder = std::getenv("BURNISH_DATA");
  const std::filesystem::path file =
      std::filesystem::path(folder != nullptr ? folder : BURNISH_DEFAULT_DATA) / "anchor" / "noisy-0.02.ply";
  if (!std::filesystem::exists(file)) {
    state.SkipWithError("needs the test data; set BURNISH_DATA");
    return;
  }
  denoise(state, read(file), glr_authors(), 1);
}
BENCHMARK(anchor_authors)->Unit(benchmark::kSecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
