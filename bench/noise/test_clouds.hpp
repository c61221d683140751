#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "surface.hpp"

namespace burnish::bench {

/// A surface with the points that most clouds start from.
struct Scene {
  const Surface* surface = nullptr;
  std::size_t points = 0;
  std::uint64_t seed = 1;
  std::vector<Vec3> clean;  ///< evenly spread
  double spacing = 0.0;     ///< of them
};

[[nodiscard]] Scene make_scene(const Surface& surface, std::size_t points, std::uint64_t seed);

struct TestCloud {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> outliers;  ///< ascending; they do not count when distances are averaged
};

/// A kind of noise: a name and how to make such a cloud. The same for the same scene.
struct CloudKind {
  std::string name;
  std::function<TestCloud(const Scene&)> make;
};

/// Noise models on points of the surface.
[[nodiscard]] const std::vector<CloudKind>& noise_clouds();

/// Scans of the surface by virtual sensors, one view and several that do not fit together.
[[nodiscard]] const std::vector<CloudKind>& sensor_clouds();

}  // namespace burnish::bench
