#include <cmath>
#include <optional>

#include "burnish/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "evaluate/noise_steps.hpp"
#include "evaluate/wave_field.hpp"

namespace burnish {
namespace {

/// Random with mean 0 and variance 1.
double draw(const RandomDisplacement& step, RandomStream& random) {
  switch (step.distribution) {
    case NoiseDistribution::laplace:
      return random.laplace();
    case NoiseDistribution::uniform:
      return 1.7320508075688772 * random.symmetric();
    case NoiseDistribution::student_t:
      return random.student_t(step.degrees_of_freedom);
    case NoiseDistribution::gaussian:
    case NoiseDistribution::periodic:  // comes from a wave
      break;
  }
  return random.normal();
}

/// The field that displacements come from where they are not independent.
std::optional<WaveField> field_of(const RandomDisplacement& step, const NoiseInput& input, std::uint64_t seed) {
  if (step.distribution == NoiseDistribution::periodic) {
    return WaveField::plane_wave(input.measure(step.wavelength), seed);
  }
  if (step.correlation.value > 0.0) {
    return WaveField::correlated(input.measure(step.correlation), seed);
  }
  return std::nullopt;
}

/// The standard deviation of every point, in multiples of sigma; empty if it is 1 everywhere.
std::vector<double> factors_of(const RandomDisplacement& step, const NoiseInput& input) {
  std::vector<double> factors;
  if (!step.attribute.empty()) {
    factors = input.attribute(step.attribute);
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (factors[i] < 0.0) {
        throw Error("the attribute \"" + step.attribute + "\" of point " + std::to_string(i) +
                    " is negative, and cannot be a standard deviation");
      }
    }
  }
  if (step.growth == NoiseGrowth::constant) {
    return factors;
  }
  factors.resize(input.positions().size(), 1.0);
  const Vec3 viewpoint = input.viewpoint(step.viewpoint);
  double range = input.measure(step.range);
  if (step.range.value == 0.0) {
    double sum = 0.0;
    double count = 0.0;
    for (const Vec3& p : input.positions()) {
      sum += is_finite(p) ? (p - viewpoint).norm() : 0.0;
      count += is_finite(p) ? 1.0 : 0.0;
    }
    range = sum > 0.0 ? sum / count : 1.0;
  }
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double ratio = (input.positions()[i] - viewpoint).norm() / range;
    factors[i] *= step.growth == NoiseGrowth::linear ? ratio : ratio * ratio;
  }
  return factors;
}

/// The one direction that a point is moved in, of length 1; 0 where there is none.
Vec3 direction_of(const RandomDisplacement& step, const NoiseInput& input, const Vec3& viewpoint, std::size_t i) {
  switch (step.along) {
    case NoiseDirection::normal:
      return input.normals()[i];
    case NoiseDirection::line_of_sight: {
      const Vec3 ray = input.positions()[i] - viewpoint;
      const double length = ray.norm();
      return length > 0.0 ? Vec3(ray / length) : Vec3::Zero();
    }
    case NoiseDirection::fixed:
    case NoiseDirection::isotropic:
      break;
  }
  return step.direction.normalized();
}

}  // namespace

void check(const RandomDisplacement& step) {
  expect_length(step.sigma, "sigma", true);
  expect_length(step.range, "range", true);
  expect_length(step.correlation, "correlation", true);
  expect_value(step.share >= 0.0 && step.share <= 1.0, "share must be between 0 and 1", step.share);
  if (step.distribution == NoiseDistribution::student_t) {
    expect_value(step.degrees_of_freedom > 2.0 && std::isfinite(step.degrees_of_freedom),
                 "degrees of freedom must be above 2, or there is no standard deviation", step.degrees_of_freedom);
  }
  if (step.distribution == NoiseDistribution::periodic) {
    expect_length(step.wavelength, "wavelength", false);
  }
  if (step.correlation.value > 0.0 && step.distribution != NoiseDistribution::gaussian) {
    throw Error("only gaussian noise can be correlated");
  }
  if (step.along == NoiseDirection::fixed && !(is_finite(step.direction) && step.direction.stableNorm() > 0.0)) {
    throw Error("the direction of the noise must be three finite numbers, not all 0");
  }
  if (step.viewpoint && !is_finite(*step.viewpoint)) {
    throw Error("the viewpoint must be three finite numbers");
  }
}

void displace(const RandomDisplacement& step, const NoiseInput& input, std::uint64_t seed, std::span<Vec3> positions,
              const ExecutionContext& context) {
  const double sigma = input.measure(step.sigma);
  const std::vector<double> factors = factors_of(step, input);
  const std::optional<WaveField> field = field_of(step, input, seed);
  const bool is_isotropic = step.along == NoiseDirection::isotropic;
  const Vec3 viewpoint =
      step.along == NoiseDirection::line_of_sight ? input.viewpoint(step.viewpoint) : Vec3(Vec3::Zero());
  if (step.along == NoiseDirection::normal) {
    static_cast<void>(input.normals());  // found here, before there are several threads
  }
  parallel_for(context, positions.size(), 1024, [&](std::size_t i) {
    if (!is_finite(positions[i])) {
      return;
    }
    RandomStream random(seed, i);
    if (!(random.uniform() < step.share)) {
      return;
    }
    const double deviation = factors.empty() ? sigma : sigma * factors[i];
    Vec3 amount = Vec3::Zero();
    if (field) {
      amount = field->at(input.positions()[i] - input.box().center());
    } else {
      for (int d = 0; d < (is_isotropic ? 3 : 1); ++d) {
        amount[d] = draw(step, random);
      }
    }
    positions[i] += is_isotropic ? Vec3(deviation * amount)
                                 : Vec3(deviation * amount.x() * direction_of(step, input, viewpoint, i));
  });
}

}  // namespace burnish
