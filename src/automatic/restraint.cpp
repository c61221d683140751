#include "automatic/restraint.hpp"

#include <algorithm>
#include <numeric>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/frames.hpp"

namespace burnish::automatic {
namespace {

/// Mean square moves up to this multiple of the variance are allowed, because noise varies from window to window.
constexpr double slack = 2.0;

struct Restraint {
  Vec3 normal;
  double across = 1.0;  ///< the factor of a move
  double along = 1.0;
};

/// If a move consists of noise and shape, the optimal factor is the variance of the noise over the mean square of the
/// move. A smaller factor was found to be better, because where shape is removed as noise, less noise is removed.
double part_to_keep(double variance, double mean_square) {
  return math::pow(std::min(1.0, slack * variance / mean_square), 4);
}

/// A robust mean of squares: at most the mean of the smallest 70 %, extrapolated to all as for normally distributed
/// numbers.
double mean_of_most(std::vector<double>& squares, double part) {
  const double mean = std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(squares.size());
  const auto most = static_cast<std::ptrdiff_t>(squares.size() * 7 / 10);
  std::ranges::nth_element(squares, squares.begin() + most);
  return std::min(mean,
                  std::accumulate(squares.begin(), squares.begin() + most, 0.0) / static_cast<double>(most) / part);
}

}  // namespace

std::vector<Vec3> restrain(const std::vector<Vec3>& before, const std::vector<Vec3>& after, const Windows& windows,
                           std::span<const double> noise, const ExecutionContext& context) {
  std::vector<Restraint> restraints(windows.patches.count());
  parallel_blocks(context, restraints.size(), 128, [&](std::size_t begin, std::size_t end) {
    std::vector<Vec3> members(windows.patches.size);
    std::vector<double> across(windows.patches.size);
    std::vector<double> along(windows.patches.size);
    for (std::size_t w = begin; w < end; ++w) {
      std::ranges::transform(windows.patches.patch(w), members.begin(), [&](std::uint32_t p) { return after[p]; });
      const Vec3 normal = principal_frame(members).axes.col(2);
      double noise2 = 0.0;
      std::size_t count = 0;
      for (const std::uint32_t p : windows.patches.patch(w)) {
        const Vec3 move = after[p] - before[p];
        across[count] = math::square(normal.dot(move));
        along[count] = move.squaredNorm() - across[count];
        ++count;
        noise2 += noise[p] * noise[p];
      }
      restraints[w] = {normal, part_to_keep(noise2 / static_cast<double>(count), mean_of_most(across, 0.31)),
                       part_to_keep(2.0 * noise2 / static_cast<double>(count), mean_of_most(along, 0.45))};
    }
  });
  std::vector<Vec3> result(after.size());
  parallel_for(context, after.size(), 256, [&](std::size_t p) {
    const Vec3 move = after[p] - before[p];
    Vec3 kept = Vec3::Zero();
    double count = 0.0;
    windows.around(p, [&](std::size_t w) {
      const Restraint& restraint = restraints[w];
      const Vec3 across = restraint.normal * restraint.normal.dot(move);
      kept += restraint.across * across + restraint.along * (move - across);
      count += 1.0;
    });
    result[p] = count > 0.0 ? Vec3(before[p] + kept / count) : after[p];
  });
  return result;
}

}  // namespace burnish::automatic
