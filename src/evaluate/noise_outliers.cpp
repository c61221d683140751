#include <cmath>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "evaluate/noise_steps.hpp"

namespace burnish {

void check(const Outliers& step) {
  expect_value(step.share >= 0.0 && step.share <= 1.0, "share must be between 0 and 1", step.share);
  expect_length(step.halo, "distance", true);
  expect_value(step.margin >= 0.0 && std::isfinite(step.margin), "margin must be a number from 0 on", step.margin);
}

void throw_outliers(const Outliers& step, const NoiseInput& input, std::uint64_t seed, std::span<Vec3> positions,
                    std::span<std::uint8_t> is_outlier, const ExecutionContext& context) {
  const double halo = input.measure(step.halo);
  const Vec3 size = (1.0 + 2.0 * step.margin) * input.box().sizes();
  const Vec3 corner = input.box().min() - step.margin * input.box().sizes();
  parallel_for(context, positions.size(), 4096, [&](std::size_t i) {
    RandomStream random(seed, i);
    if (!is_finite(positions[i]) || !(random.uniform() < step.share)) {
      return;
    }
    is_outlier[i] = 1;
    if (step.halo.value > 0.0) {
      const Vec3 direction = random.direction3();
      positions[i] += halo * random.uniform() * direction;
    } else {
      for (int d = 0; d < 3; ++d) {
        positions[i][d] = corner[d] + random.uniform() * size[d];
      }
    }
  });
}

}  // namespace burnish
