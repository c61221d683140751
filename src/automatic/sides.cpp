#include "automatic/sides.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/quadric.hpp"

namespace burnish::automatic {
namespace {

constexpr int rounds = 30;

/// Least difference of the log-likelihoods of two sheets and of one. By chance it is reached in at most one window of a
/// thousand.
constexpr double least_evidence = 6.0;

/// Least fraction of the points whose nearest neighbour, projected along the normal, is on the other sheet: about a
/// half for sheets above each other, small for sheets side by side.
constexpr double least_mixing = 0.25;

/// Two normal distributions of residuals with the same variance.
struct TwoSheets {
  double low = 0.0;
  double high = 0.0;
  double part_high = 0.5;
  double evidence = 0.0;

  /// The probability that a residual belongs to the upper sheet.
  [[nodiscard]] double is_high(double residual, double variance) const {
    const double middle = 0.5 * (low + high);
    const double exponent = (high - low) * (residual - middle) / variance;
    return part_high / (part_high + (1.0 - part_high) * math::exp(-exponent));
  }
};

TwoSheets split(std::span<const double> residuals, double variance) {
  const auto count = static_cast<double>(residuals.size());
  double mean = 0.0;
  for (const double r : residuals) {
    mean += r / count;
  }
  double spread = 0.0;
  for (const double r : residuals) {
    spread += (r - mean) * (r - mean) / count;
  }
  TwoSheets sheets;
  if (spread <= variance) {
    return sheets;
  }
  const double half = std::sqrt(spread - variance);
  sheets.low = mean - half;
  sheets.high = mean + half;
  for (int round = 0; round < rounds; ++round) {
    double high = 0.0;
    double high_sum = 0.0;
    double low_sum = 0.0;
    for (const double r : residuals) {
      const double p = sheets.is_high(r, variance);
      high += p;
      high_sum += p * r;
      low_sum += (1.0 - p) * r;
    }
    if (high < 1.0 || count - high < 1.0) {
      return sheets;
    }
    sheets.high = high_sum / high;
    sheets.low = low_sum / (count - high);
    sheets.part_high = high / count;
  }
  double of_two = 0.0;
  for (const double r : residuals) {
    of_two += math::log(sheets.part_high * math::exp(-0.5 * math::square(r - sheets.high) / variance) +
                        (1.0 - sheets.part_high) * math::exp(-0.5 * math::square(r - sheets.low) / variance) +
                        std::numeric_limits<double>::min()) -
              0.5 * math::log(variance);
  }
  sheets.evidence = of_two + 0.5 * count * (1.0 + math::log(spread));
  return sheets;
}

}  // namespace

std::vector<Vec3> find_sides(const std::vector<Vec3>& points, const Windows& windows, std::span<const double> noise,
                             const ExecutionContext& context) {
  const glr::Patches& patches = windows.patches;
  std::vector<Vec3> votes(patches.members.size(), Vec3::Zero());
  std::vector<std::uint8_t> has_sheets(patches.count(), 0);
  parallel_blocks(context, patches.size > 48 ? patches.count() : 0, 64, [&](std::size_t begin, std::size_t end) {
    std::vector<Vec3> inside(patches.size);
    std::vector<Vec3> flat(patches.size);
    std::vector<double> residuals(patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      const std::span<const std::uint32_t> members = patches.patch(m);
      double variance = 0.0;
      for (std::size_t i = 0; i < members.size(); ++i) {
        inside[i] = points[members[i]];
        variance += noise[members[i]] * noise[members[i]] / static_cast<double>(members.size());
      }
      const double radius = (inside.back() - inside.front()).norm();
      const QuadricFit fit = fit_quadric(inside, {}, radius);
      for (std::size_t i = 0; i < members.size(); ++i) {
        const QuadricFit::Place place = fit.place(inside[i]);
        residuals[i] = place.height - fit.height_at(place);
        flat[i] = {place.terms[1], place.terms[2], 0.0};
      }
      const TwoSheets sheets = split(residuals, variance);
      if (sheets.evidence < least_evidence) {
        continue;
      }
      std::vector<bool> is_high(members.size());
      for (std::size_t i = 0; i < members.size(); ++i) {
        is_high[i] = sheets.is_high(residuals[i], variance) > 0.5;
      }
      std::size_t mixed = 0;
      for (std::size_t i = 0; i < members.size(); ++i) {
        std::size_t nearest = i;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < members.size(); ++j) {
          const double square = (flat[i] - flat[j]).squaredNorm();
          if (j != i && square < least) {
            least = square;
            nearest = j;
          }
        }
        mixed += is_high[i] != is_high[nearest] ? 1 : 0;
      }
      if (static_cast<double>(mixed) < least_mixing * static_cast<double>(members.size())) {
        continue;
      }
      has_sheets[m] = 1;
      const Vec3 normal = fit.frame.axes.col(2);
      for (std::size_t i = 0; i < members.size(); ++i) {
        votes[m * patches.size + i] = (2.0 * sheets.is_high(residuals[i], variance) - 1.0) * normal;
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
