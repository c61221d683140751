#include <benchmark/benchmark.h>

#include <filesystem>
#include <vector>

#include "burnish/io.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/sampling.hpp"
#include "burnish/shapes.hpp"

// What the method stands on: sampling, neighbours, files.

namespace {

using namespace burnish;

std::vector<Vec3> points_on_organic(std::size_t count) { return make_shape("organic")->sample_at_random(count); }

void farthest_points_half(benchmark::State& state) {
  const std::vector<Vec3> points = points_on_organic(static_cast<std::size_t>(state.range(0)));
  for ([[maybe_unused]] const auto& run : state) {
    benchmark::DoNotOptimize(farthest_point_sample(points, points.size() / 2));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(farthest_points_half)->RangeMultiplier(10)->Range(10000, 1000000)->Unit(benchmark::kMillisecond);

void nearest_30(benchmark::State& state) {
  const std::vector<Vec3> points = points_on_organic(static_cast<std::size_t>(state.range(0)));
  const NeighbourSearch search(points);
  std::vector<std::uint32_t> indices(30);
  std::vector<double> distances(30);
  for ([[maybe_unused]] const auto& run : state) {
    for (const Vec3& p : points) {
      benchmark::DoNotOptimize(search.nearest(p, indices, distances));
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(nearest_30)->Arg(50000)->Unit(benchmark::kMillisecond);

/// Positions as float and three colour bytes, as scanners write them.
void ply_file(benchmark::State& state, bool reading) {
  const auto count = static_cast<std::size_t>(state.range(0));
  PointCloud cloud;
  cloud.positions.assign(count, Vec3(1.5, 2.5, 3.5));
  cloud.position_type = ScalarType::float32;
  for (const char* name : {"red", "green", "blue"}) {
    cloud.attributes.push_back({name, std::vector<std::uint8_t>(count, 7), {}});
  }
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "burnish-bench.ply";
  write(file, cloud);
  for ([[maybe_unused]] const auto& run : state) {
    if (reading) {
      benchmark::DoNotOptimize(read(file).size());
    } else {
      write(file, cloud);
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(file)));
  std::filesystem::remove(file);
}
void ply_read(benchmark::State& state) { ply_file(state, true); }
void ply_write(benchmark::State& state) { ply_file(state, false); }
BENCHMARK(ply_read)->Arg(10000000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(ply_write)->Arg(10000000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
