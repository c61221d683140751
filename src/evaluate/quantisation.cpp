#include <cmath>

#include "burnish/error.hpp"
#include "core/parallel.hpp"
#include "evaluate/noise_steps.hpp"

namespace burnish {

void check(const Quantisation& step) {
  expect_length(step.step, "step", false);
  if (step.viewpoint && !is_finite(*step.viewpoint)) {
    throw Error("the viewpoint must be three finite numbers");
  }
  if (step.axis && !(is_finite(*step.axis) && step.axis->stableNorm() > 0.0)) {
    throw Error("the axis of the depth must be three finite numbers, not all 0");
  }
}

void quantise(const Quantisation& step, const NoiseInput& input, std::span<Vec3> positions,
              const ExecutionContext& context) {
  const double size = input.measure(step.step);
  const auto rounded = [size](double value) { return std::round(value / size) * size; };
  if (!step.depth) {
    parallel_for(context, positions.size(), 4096, [&](std::size_t i) {
      if (is_finite(positions[i])) {
        positions[i] = positions[i].unaryExpr(rounded);
      }
    });
    return;
  }
  const Vec3 viewpoint = input.viewpoint(step.viewpoint);
  const Vec3 axis = step.axis ? *step.axis : Vec3(input.centre() - viewpoint);
  if (!(axis.stableNorm() > 0.0)) {
    throw Error("the viewpoint is the centre of the points: axis=X,Y,Z must say in which direction depth is measured");
  }
  const Vec3 unit_axis = axis.stableNormalized();
  parallel_for(context, positions.size(), 4096, [&](std::size_t i) {
    const Vec3 ray = positions[i] - viewpoint;
    const double depth = unit_axis.dot(ray);
    if (is_finite(positions[i]) && depth != 0.0) {
      positions[i] = viewpoint + ray * (rounded(depth) / depth);
    }
  });
}

}  // namespace burnish
