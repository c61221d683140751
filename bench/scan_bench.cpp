#include <Eigen/Geometry>
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "burnish/ray.hpp"
#include "burnish/scan.hpp"
#include "burnish/shapes.hpp"

// Rays of the virtual scanner, on one thread. Every ray meets something.

namespace {

using namespace burnish;

/// The organic body as a mesh of 12 side^2 triangles: the cells of a cube, seen from its centre.
TriangleMesh organic_mesh(std::uint32_t side) {
  const auto shape = make_shape("organic");
  TriangleMesh mesh;
  for (const int axis : {0, 1, 2}) {
    for (const double sign : {-1.0, 1.0}) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (std::uint32_t i = 0; i <= side; ++i) {
        for (std::uint32_t j = 0; j <= side; ++j) {
          Vec3 d;
          d[axis] = sign;
          d[(axis + 1) % 3] = 2.0 * i / side - 1.0;
          d[(axis + 2) % 3] = 2.0 * j / side - 1.0;
          d.normalize();
          mesh.vertices.push_back((2.0 - shape->first_hit({2.0 * d, -d}).distance) * d);
        }
      }
      for (std::uint32_t i = 0; i < side; ++i) {
        for (std::uint32_t j = 0; j < side; ++j) {
          const std::uint32_t corner = first + i * (side + 1) + j;
          mesh.triangles.push_back({corner, corner + side + 1, corner + side + 2});
          mesh.triangles.push_back({corner, corner + side + 2, corner + 1});
        }
      }
    }
  }
  return mesh;
}

/// The rays of an image of the shape that meet it, row by row.
std::vector<Ray> rays_of_image(const Shape& shape) {
  ScanSettings settings;
  settings.width = settings.height = 400;
  settings.noise = settings.quantisation = {};
  settings.beam = 0.0;
  settings.organised = false;
  const ScanResult seen = scan(shape, settings);
  std::vector<Ray> rays;
  for (const Vec3& p : seen.cloud.positions) {
    rays.push_back({seen.viewpoints.front(), (p - seen.viewpoints.front()).normalized()});
  }
  return rays;
}

template <class Target>
void measure(benchmark::State& state, const Target& target, const std::vector<Ray>& rays) {
  for ([[maybe_unused]] const auto& run : state) {
    for (const Ray& ray : rays) {
      benchmark::DoNotOptimize(target.first_hit(ray));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rays.size()));
}

void rays_mesh(benchmark::State& state) {
  const TriangleMesh mesh = organic_mesh(static_cast<std::uint32_t>(state.range(0)));
  state.SetLabel(std::to_string(mesh.triangles.size()) + " triangles");
  measure(state, MeshRays(mesh), rays_of_image(*make_shape("organic")));
}
BENCHMARK(rays_mesh)->Arg(29)->Arg(91)->Arg(289)->Unit(benchmark::kMillisecond);

void rays_shape(benchmark::State& state) {
  const std::string name(shape_names()[static_cast<std::size_t>(state.range(0))]);
  state.SetLabel(name);
  const auto shape = make_shape(name);
  measure(state, *shape, rays_of_image(*shape));
}
BENCHMARK(rays_shape)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

}  // namespace
