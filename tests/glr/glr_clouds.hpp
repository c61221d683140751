#pragma once

#include "burnish/estimate.hpp"
#include "burnish/glr.hpp"
#include "test_clouds.hpp"

namespace burnish {

/// A preset with a name that tests can print.
struct Preset {
  const char* name;
  GlrSettings settings;
};

/// The presets cut short: what holds after a few iterations holds after all.
inline std::vector<Preset> short_presets() {
  std::vector<Preset> presets{{"paper", glr_paper()}, {"authors", glr_authors()}};
  for (Preset& preset : presets) {
    preset.settings.iterations = 4;
  }
  return presets;
}

/// The same with the linear systems solved to rounding.
inline std::vector<Preset> exactly_solved_presets() {
  std::vector<Preset> presets = short_presets();
  for (Preset& preset : presets) {
    preset.settings.solver = Solver::conjugate_gradients;
    preset.settings.solver_tolerance = 1e-15;
    preset.settings.solver_steps = 200;
  }
  return presets;
}

/// A noisy shape, of a size that suits the absolute lengths of the authors' preset: its points are 0.4 apart.
inline std::vector<Vec3> noisy_shape_to_scale(std::string_view name, std::size_t count) {
  const std::vector<Vec3> points = noisy_shape(name, count, 0.01);
  const double scale = 0.4 / estimate_spacing(points);
  return transformed(points, [&](const Vec3& p) { return Vec3(scale * p); });
}

inline std::vector<Vec3> noisy_part(std::size_t count) { return noisy_shape_to_scale("part", count); }

/// `points` in another order, point order[i] at place i.
inline std::vector<Vec3> reordered(std::span<const Vec3> points, std::span<const std::uint32_t> order) {
  std::vector<Vec3> result;
  for (const std::uint32_t i : order) {
    result.push_back(points[i]);
  }
  return result;
}

}  // namespace burnish
