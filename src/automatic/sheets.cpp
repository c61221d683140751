#include "automatic/sheets.hpp"

#include <algorithm>
#include <limits>

#include "core/math.hpp"
#include "geometry/lane_math.hpp"
#include "geometry/lane_memory.hpp"
#include "geometry/lane_quadric.hpp"
#include "glr/lanes.hpp"

// Windows lie side by side in the lanes of vectors, as in window_fits.cpp.

namespace burnish::automatic {
namespace {

using glr::Lanes;
using glr::lanes_in_use;

constexpr int rounds = 30;

/// Two normal distributions in every lane.
template <class Number>
struct LaneSheets {
  Number low;
  Number high;
  Number part_high;
  Number variance;

  [[gnu::always_inline]] Number is_high(const Number& height) const {
    const Number exponent = (high - low) * (height - 0.5 * (low + high)) / variance;
    const Number ratio = exp_of_negative<Number>(-size_of(exponent));
    const Number of_high = exponent < 0.0 ? part_high * ratio : part_high;
    const Number of_low = exponent < 0.0 ? 1.0 - part_high : (1.0 - part_high) * ratio;
    return of_high / (of_high + of_low);
  }

  [[gnu::always_inline]] Number density(const Number& height) const {
    const Number from_high = height - high;
    const Number from_low = height - low;
    return part_high * exp_of_negative<Number>(-0.5 * from_high * from_high / variance) +
           (1.0 - part_high) * exp_of_negative<Number>(-0.5 * from_low * from_low / variance);
  }
};

template <std::size_t LaneCount>
[[gnu::always_inline]] inline void split_body(const std::vector<Vec3>& points, std::span<const double> noise2,
                                              const glr::Patches& windows, std::size_t begin, std::size_t end,
                                              TwoSheets* sheets, double* heights) {
  using Number = typename glr::Vector<LaneCount>::Double;
  constexpr std::size_t lanes = lane_count<Number>;
  const std::size_t size = windows.size;
  const auto count = static_cast<double>(size);
  const Number zero{};
  LaneMemory memory(5, size, lanes);
  double* x = memory.array(0);
  double* y = memory.array(1);
  double* z = memory.array(2);
  double* weight = memory.array(3);
  double* height = memory.array(4);
  std::fill(weight, weight + size * lanes, 1.0);
  for (std::size_t first = begin; first < end; first += lanes) {
    const std::size_t here = std::min(lanes, end - first);
    LaneSheets<Number> two;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t window = first + std::min(lane, here - 1);
      const Vec3& centre = points[windows.centres[window]];
      double variance = 0.0;
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t p = windows.patch(window)[i];
        const std::size_t at = i * lanes + lane;
        x[at] = points[p].x() - centre.x();
        y[at] = points[p].y() - centre.y();
        z[at] = points[p].z() - centre.z();
        variance += noise2[p];
      }
      two.variance[lane] = variance / count;
    }
    const LanePoints inside{x, y, z, weight, size};
    Number square = zero;
    for (std::size_t i = 0; i < size; ++i) {
      const Triple<Number> p = inside.point<Number>(i);
      square = larger_of(square, dot(p, p));
    }
    LaneQuadric<Number> quadric;
    fit_lane_quadric<Number>(inside, root(square), quadric);
    Number sum = zero;
    for (std::size_t i = 0; i < size; ++i) {
      const Triple<Number> place = quadric.frame.place(inside.point<Number>(i));
      const Number above = place.z - quadric.height_at(quadric.unit * place.x, quadric.unit * place.y);
      store(above, height, i);
      sum += above;
    }
    const Number mean = sum / count;
    Number spread = zero;
    for (std::size_t i = 0; i < size; ++i) {
      const Number off = load<Number>(height, i) - mean;
      spread += off * off;
    }
    spread /= count;
    auto may_be_two = spread > two.variance;
    const Number half = root(larger_of<Number>(zero, spread - two.variance));
    two.low = mean - half;
    two.high = mean + half;
    two.part_high = zero + 0.5;
    for (int round = 0; round < rounds && is_any(may_be_two); ++round) {
      Number high = zero;
      Number high_sum = zero;
      for (std::size_t i = 0; i < size; ++i) {
        const Number here_is = load<Number>(height, i);
        const Number p = two.is_high(here_is);
        high += p;
        high_sum += p * here_is;
      }
      may_be_two &= (high >= 1.0) & (count - high >= 1.0);
      two.high = may_be_two ? high_sum / high : two.high;
      two.low = may_be_two ? (sum - high_sum) / (count - high) : two.low;
      two.part_high = may_be_two ? high / count : two.part_high;
    }
    const auto set = [&](std::size_t lane) {
      TwoSheets& to = sheets[first - begin + lane];
      to = {two.low[lane], two.high[lane], two.part_high[lane], two.variance[lane]};
      const Axes<Number>& axes = quadric.frame.axes;
      to.tangent = Vec3(axes.tangent.x[lane], axes.tangent.y[lane], axes.tangent.z[lane]);
      to.bitangent = Vec3(axes.bitangent.x[lane], axes.bitangent.y[lane], axes.bitangent.z[lane]);
      to.normal = Vec3(axes.normal.x[lane], axes.normal.y[lane], axes.normal.z[lane]);
      for (std::size_t i = 0; i < size; ++i) {
        heights[(first - begin + lane) * size + i] = height[i * lanes + lane];
      }
    };
    for (std::size_t lane = 0; lane < here; ++lane) {
      set(lane);
    }
    if (!is_any(may_be_two)) {
      continue;
    }
    for (std::size_t i = 0; i < size; ++i) {
      store(two.density(load<Number>(height, i)), height, i);
    }
    for (std::size_t lane = 0; lane < here; ++lane) {
      if (may_be_two[lane] != 0) {
        double of_two = -0.5 * count * math::log(two.variance[lane]);
        for (std::size_t i = 0; i < size; ++i) {
          of_two += math::log(height[i * lanes + lane] + std::numeric_limits<double>::min());
        }
        sheets[first - begin + lane].evidence = of_two + 0.5 * count * (1.0 + math::log(spread[lane]));
      }
    }
  }
}

BURNISH_FOR_ALL_LANES(split,
                      (const std::vector<Vec3>& points, std::span<const double> noise2, const glr::Patches& windows,
                       std::size_t begin, std::size_t end, TwoSheets* sheets, double* heights),
                      (points, noise2, windows, begin, end, sheets, heights))

}  // namespace

double TwoSheets::is_high(double height) const {
  const double exponent = (high - low) * (height - 0.5 * (low + high)) / variance;
  return part_high / (part_high + (1.0 - part_high) * math::exp(-exponent));
}

void split_windows(const std::vector<Vec3>& points, std::span<const double> noise2, const glr::Patches& windows,
                   std::size_t begin, std::size_t end, TwoSheets* sheets, double* heights) {
  split_any(points, noise2, windows, begin, end, sheets, heights);
}

}  // namespace burnish::automatic
