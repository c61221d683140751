#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "burnish/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "evaluate/noise_steps.hpp"

namespace burnish {
namespace {

constexpr std::size_t most_scans = 1'000'000;

/// The number of the scan of every point, from 0 on.
std::vector<std::uint32_t> scans_of(const Misregistration& step, const NoiseInput& input, std::uint64_t seed) {
  std::vector<std::uint32_t> scans(input.positions().size());
  if (step.attribute.empty()) {
    for (std::size_t i = 0; i < scans.size(); ++i) {
      scans[i] = static_cast<std::uint32_t>(RandomStream(seed, i).uniform() * static_cast<double>(step.scans));
    }
    return scans;
  }
  const std::vector<double> values = input.attribute(step.attribute);
  std::vector<double> distinct = values;
  std::erase_if(distinct, [](double value) { return !std::isfinite(value); });
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (std::size_t i = 0; i < scans.size(); ++i) {
    scans[i] = static_cast<std::uint32_t>(std::ranges::lower_bound(distinct, values[i]) - distinct.begin());
  }
  return scans;
}

}  // namespace

void check(const Misregistration& step) {
  expect_value(step.scans >= 1 && step.scans <= most_scans, "scans must be a whole number from 1 to 1000000",
               static_cast<double>(step.scans));
  expect_length(step.shift, "shift", true);
  expect_value(std::isfinite(step.angle), "angle must be a number of degrees", step.angle);
}

void misregister(const Misregistration& step, const NoiseInput& input, std::uint64_t seed, std::span<Vec3> positions,
                 const ExecutionContext& context) {
  const double shift = input.measure(step.shift);
  const std::vector<std::uint32_t> scans = scans_of(step, input, seed);
  const math::SineCosine half_angle = math::sine_cosine_of_turns(step.angle / 720.0);
  parallel_for(context, positions.size(), 4096, [&](std::size_t i) {
    if (!is_finite(positions[i])) {
      return;
    }
    RandomStream random(seed, first_random_quantity + scans[i]);
    const Vec3 move = shift * random.direction3();
    const Vec3 imaginary = half_angle.sine * random.direction3();
    const Eigen::Quaterniond rotation(half_angle.cosine, imaginary.x(), imaginary.y(), imaginary.z());
    const Vec3 arm = positions[i] - input.centre();
    positions[i] += move + (rotation.toRotationMatrix() * arm - arm);
  });
}

}  // namespace burnish
