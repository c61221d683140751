#include "truth.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "burnish/estimate.hpp"
#include "burnish/io.hpp"
#include "burnish/mesh_distance.hpp"
#include "burnish/nearest_word.hpp"

namespace burnish::cli {
namespace {

Measurement measure_against(const std::vector<Vec3>& result, const PointCloud& truth, const ExecutionContext& context) {
  return by_name(compare_to_cloud(result, truth.positions, context));
}

Measurement measure_against(const std::vector<Vec3>& result, const TriangleMesh& truth,
                            const ExecutionContext& context) {
  return by_name(compare_to_mesh(result, truth, context));
}

Measurement measure_against(const std::vector<Vec3>& result, const std::shared_ptr<const Shape>& truth,
                            const ExecutionContext& context) {
  // Two spacings: as far as a rounded edge reaches.
  const double edge_band = 2.0 * estimate_spacing(result, context);
  return by_name(compare_to_shape(result, *truth, edge_band, context));
}

std::function<double(const Vec3&)> distance_to_surface(const PointCloud& truth, const ExecutionContext& context) {
  const auto surface = std::make_shared<const CloudSurface>(truth.positions, context);
  return [surface](const Vec3& p) { return surface->distance(p); };
}

std::function<double(const Vec3&)> distance_to_surface(const TriangleMesh& truth, const ExecutionContext& /*context*/) {
  const auto surface = std::make_shared<const MeshDistance>(truth);
  return [surface](const Vec3& p) { return std::sqrt(surface->squared_distance(p)); };
}

std::function<double(const Vec3&)> distance_to_surface(const std::shared_ptr<const Shape>& truth,
                                                       const ExecutionContext& /*context*/) {
  return [truth](const Vec3& p) { return truth->distance(p); };
}

}  // namespace

std::function<double(const Vec3&)> distance_to(const Truth& truth, const ExecutionContext& context) {
  return std::visit([&](const auto& kind) { return distance_to_surface(kind, context); }, truth);
}

Truth read_truth(const std::string& name, const ExecutionContext& context) {
  if (std::ranges::find(shape_names(), name) != shape_names().end() && !std::filesystem::exists(name)) {
    return std::shared_ptr(make_shape(name));
  }
  const std::vector<std::string> shapes(shape_names().begin(), shape_names().end());
  if (!std::filesystem::exists(name) && std::filesystem::path(name).extension().empty() && nearest_word(name, shapes)) {
    static_cast<void>(make_shape(name));  // throws, naming the nearest
  }
  PointCloud cloud = read(name, context);
  TriangleMesh mesh = mesh_of(cloud);
  if (mesh.triangles.empty()) {
    return cloud;
  }
  return mesh;
}

std::string kind_of(const Truth& truth) {
  constexpr std::array kinds = {"cloud", "mesh", "shape"};
  return kinds.at(truth.index());
}

Measurement measure(const std::vector<Vec3>& result, const Truth& truth, const ExecutionContext& context) {
  return std::visit([&](const auto& kind) { return measure_against(result, kind, context); }, truth);
}

}  // namespace burnish::cli
