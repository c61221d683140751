#include "burnish/noise.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "burnish/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "evaluate/noise_steps.hpp"

namespace burnish {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;  // clang 14 does not find it by itself

/// The first step has the seed itself, so that noise of one step is what it has always been.
std::uint64_t seed_of_step(std::uint64_t seed, std::size_t step) {
  return step == 0 ? seed : RandomStream(seed, std::numeric_limits<std::uint64_t>::max() - step).bits();
}

struct SquaredSum {
  double squares = 0.0;
  std::size_t points = 0;

  SquaredSum& operator+=(const SquaredSum& other) {
    squares += other.squares;
    points += other.points;
    return *this;
  }
};

/// The root mean square displacement of the points that are no outliers, per coordinate. Throws Error if a point
/// that was finite is not any more.
double standard_deviation(std::span<const Vec3> before, std::span<const Vec3> after,
                          std::span<const std::uint8_t> is_outlier, const ExecutionContext& context) {
  const SquaredSum sum =
      parallel_sum(context, before.size(), 4096, SquaredSum{}, [&](std::size_t begin, std::size_t end) {
        SquaredSum part;
        for (std::size_t i = begin; i < end; ++i) {
          if (!is_finite(before[i])) {
            continue;
          }
          if (!is_finite(after[i])) {
            throw Error(fmt::format("the noise is too large: point {} would not be finite", i));
          }
          if (is_outlier[i] == 0) {
            part += {(after[i] - before[i]).squaredNorm(), 1};
          }
        }
        return part;
      });
  return sum.points > 0 ? std::sqrt(sum.squares / (3.0 * static_cast<double>(sum.points))) : 0.0;
}

}  // namespace

void expect_value(bool holds, const char* expectation, double value) {
  if (!holds) {
    throw Error(fmt::format("{}, not {}", expectation, value));
  }
}

void expect_length(const NoiseLength& length, const char* name, bool can_be_zero) {
  const bool holds = std::isfinite(length.value) && (can_be_zero ? length.value >= 0.0 : length.value > 0.0);
  expect_value(holds, fmt::format("{} must be a length {}", name, can_be_zero ? "from 0 on" : "above 0").c_str(),
               length.value);
}

NoisyCloud add_noise(PointCloud cloud, const NoiseModel& model, std::uint64_t seed, const ExecutionContext& context) {
  for (const NoiseStep& step : model) {
    std::visit([](const auto& one) { check(one); }, step);
  }
  const std::vector<Vec3> clean = cloud.positions;
  const NoiseInput input(cloud, clean, context);
  std::vector<std::uint8_t> is_outlier(clean.size(), 0);
  for (std::size_t i = 0; i < model.size(); ++i) {
    const std::uint64_t step_seed = seed_of_step(seed, i);
    std::vector<Vec3>& moved = cloud.positions;
    std::visit(
        Overloaded{[&](const RandomDisplacement& step) { displace(step, input, step_seed, moved, context); },
                   [&](const Quantisation& step) { quantise(step, input, moved, context); },
                   [&](const Outliers& step) { throw_outliers(step, input, step_seed, moved, is_outlier, context); },
                   [&](const Misregistration& step) { misregister(step, input, step_seed, moved, context); }},
        model[i]);
  }
  NoisyCloud noisy;
  noisy.standard_deviation = standard_deviation(clean, cloud.positions, is_outlier, context);
  for (std::size_t i = 0; i < is_outlier.size(); ++i) {
    if (is_outlier[i] != 0) {
      noisy.outliers.push_back(static_cast<std::uint32_t>(i));
    }
  }
  noisy.cloud = std::move(cloud);
  return noisy;
}

}  // namespace burnish
