#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "burnish/scan.hpp"

namespace burnish::bench {

/// A surface whose distance is known exactly. All functions run on the calling thread.
struct Surface {
  std::string name;
  std::function<double(const Vec3&)> distance;
  /// Points on it, by number and seed: evenly spread, and drawn independently.
  std::function<std::vector<Vec3>(std::size_t, std::uint64_t)> sample;
  std::function<std::vector<Vec3>(std::size_t, std::uint64_t)> sample_at_random;
  std::function<ScanResult(const ScanSettings&)> scan;
};

/// A shape of make_shape.
[[nodiscard]] Surface shape_surface(const std::string& name);

/// The mesh in a file.
[[nodiscard]] Surface mesh_surface(const std::filesystem::path& file);

/// For work on the calling thread alone: clouds are measured in parallel.
[[nodiscard]] const ExecutionContext& single_thread();

}  // namespace burnish::bench
