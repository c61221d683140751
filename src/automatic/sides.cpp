#include "automatic/sides.hpp"

#include <algorithm>
#include <limits>

#include "automatic/sheets.hpp"
#include "core/parallel.hpp"

namespace burnish::automatic {
namespace {

/// Least difference of the log-likelihoods of two sheets and of one. By chance it is reached in at most one window of a
/// thousand.
constexpr double least_evidence = 6.0;

/// Least fraction of the points whose nearest neighbour, projected along the normal, is on the other sheet: about a
/// half for sheets above each other, small for sheets side by side.
constexpr double least_mixing = 0.25;

}  // namespace

std::vector<Vec3> find_sides(const std::vector<Vec3>& points, const Windows& windows, std::span<const double> noise,
                             const ExecutionContext& context) {
  const glr::Patches& patches = windows.patches;
  std::vector<Vec3> votes(patches.members.size(), Vec3::Zero());
  std::vector<std::uint8_t> has_sheets(patches.count(), 0);
  std::vector<double> noise2(noise.size());
  std::ranges::transform(noise, noise2.begin(), [](double sigma) { return sigma * sigma; });
  constexpr std::size_t block = 64;
  parallel_blocks(context, patches.size > 48 ? patches.count() : 0, block, [&](std::size_t begin, std::size_t end) {
    std::vector<TwoSheets> split(end - begin);
    std::vector<double> heights((end - begin) * patches.size);
    split_windows(points, noise2, patches, begin, end, split.data(), heights.data());
    std::vector<Eigen::Vector2d> flat(patches.size);
    std::vector<double> is_high(patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      const TwoSheets& sheets = split[m - begin];
      if (sheets.evidence < least_evidence) {
        continue;
      }
      const std::span<const std::uint32_t> members = patches.patch(m);
      for (std::size_t i = 0; i < members.size(); ++i) {
        const Vec3& point = points[members[i]];
        flat[i] = {sheets.tangent.dot(point), sheets.bitangent.dot(point)};
        is_high[i] = sheets.is_high(heights[(m - begin) * patches.size + i]);
      }
      std::size_t mixed = 0;
      for (std::size_t i = 0; i < members.size(); ++i) {
        std::size_t nearest = i;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < members.size(); ++j) {
          const double distance = (flat[i] - flat[j]).squaredNorm();
          if (j != i && distance < least) {
            least = distance;
            nearest = j;
          }
        }
        mixed += (is_high[i] > 0.5) != (is_high[nearest] > 0.5) ? 1 : 0;
      }
      if (static_cast<double>(mixed) < least_mixing * static_cast<double>(members.size())) {
        continue;
      }
      has_sheets[m] = 1;
      for (std::size_t i = 0; i < members.size(); ++i) {
        votes[m * patches.size + i] = (2.0 * is_high[i] - 1.0) * sheets.normal;
      }
    }
  });
  if (std::ranges::find(has_sheets, 1) == has_sheets.end()) {
    return {};
  }
  std::vector<Vec3> sides(points.size(), Vec3::Zero());
  parallel_for(context, points.size(), 1024, [&](std::size_t p) {
    Vec3 sum = Vec3::Zero();
    for (std::uint32_t e = windows.nodes.begin[p]; e < windows.nodes.begin[p + 1]; ++e) {
      sum += votes[windows.nodes.nodes[e]];
    }
    sides[p] = sum.stableNormalized();
  });
  return sides;
}

}  // namespace burnish::automatic
