#include "measured_noise.hpp"

#include "burnish/error.hpp"

namespace burnish::cli {

std::optional<Analysis> measure_noise(std::span<const Vec3> positions, const ExecutionContext& context) {
  DenoiseSettings settings;
  settings.strength = 0.0;
  try {
    return analyse(positions, settings, context);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace burnish::cli
