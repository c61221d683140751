#include "surface.hpp"

#include <cmath>
#include <memory>

#include "burnish/io.hpp"
#include "burnish/mesh_distance.hpp"
#include "burnish/mesh_sampling.hpp"
#include "burnish/shapes.hpp"

namespace burnish::bench {

const ExecutionContext& single_thread() {
  static const ExecutionContext whole;
  static const ExecutionContext one(whole, 1);
  return one;
}

Surface shape_surface(const std::string& name) {
  const std::shared_ptr<const Shape> shape = make_shape(name);
  Surface surface;
  surface.name = name;
  surface.distance = [=](const Vec3& p) { return shape->distance(p); };
  surface.sample = [=](std::size_t points, std::uint64_t seed) { return shape->sample(points, seed, single_thread()); };
  surface.sample_at_random = [=](std::size_t points, std::uint64_t seed) {
    return shape->sample_at_random(points, seed, single_thread());
  };
  surface.scan = [=](const ScanSettings& settings) { return scan(*shape, settings, single_thread()); };
  return surface;
}

Surface mesh_surface(const std::filesystem::path& file) {
  const auto mesh = std::make_shared<const TriangleMesh>(mesh_of(read(file)));
  if (mesh->triangles.empty()) {
    throw Error(file.string() + ": has no faces; the exact surface is needed to measure the distance to it");
  }
  const auto distance = std::make_shared<const MeshDistance>(*mesh);
  Surface surface;
  surface.name = file.stem().string();
  surface.distance = [=](const Vec3& p) { return std::sqrt(distance->squared_distance(p)); };
  surface.sample = [=](std::size_t points, std::uint64_t seed) {
    return sample_poisson_disk(*mesh, points, seed, single_thread()).positions;
  };
  surface.sample_at_random = [=](std::size_t points, std::uint64_t seed) {
    return sample_uniformly(*mesh, points, seed, single_thread());
  };
  surface.scan = [=](const ScanSettings& settings) { return scan(*mesh, settings, single_thread()); };
  return surface;
}

}  // namespace burnish::bench
