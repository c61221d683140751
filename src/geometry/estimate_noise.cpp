#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "burnish/estimate.hpp"
#include "burnish/neighbours.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/noise_field.hpp"
#include "geometry/quadric.hpp"
#include "geometry/residual_curve.hpp"
#include "geometry/working_points.hpp"

namespace burnish {
namespace {

/// Sizes of neighbourhoods, each twice the previous one.
constexpr std::size_t smallest_size = 12;
constexpr std::size_t largest_size = 3072;

/// The residual of a quadric over a neighbourhood.
struct Residual {
  std::uint32_t centre = 0;
  double variance = 0.0;  ///< corrected for the coefficients
  double radius = 0.0;
  bool is_line = false;
};

/// A neighbourhood with its quadric, and buffers to compute them.
struct Neighbourhood {
  Neighbourhood(const NeighbourSearch& search, std::size_t size) : queries(search, size), points(size) {}

  NeighbourQueries queries;
  std::vector<Vec3> points;
  QuadricFit fit;
  double radius = 0.0;
};

/// Fraction of the neighbourhoods, the smoothest ones, from which the noise is estimated.
constexpr double smoothest_part = 0.1;

/// 8 in 10 neighbourhoods are expected to contain only noise. The smoothest tenth of all is then the smoothest eighth
/// of these, this number of standard deviations below the median.
constexpr double quantile_place = -1.15;

/// That quantile of a χ² distribution, divided by its degrees of freedom (Wilson and Hilferty 1931).
double chi_squared_quantile(double degrees_of_freedom) {
  const double a = 2.0 / (9.0 * degrees_of_freedom);
  return math::cube(1.0 - a + quantile_place * std::sqrt(a));
}

void find_neighbourhood(const std::vector<Vec3>& points, const Vec3& centre, Neighbourhood& found) {
  const auto gather = [&](const Vec3& around) {
    const NeighbourQueries::Found nearest = found.queries.nearest(around);
    std::ranges::transform(nearest.indices, found.points.begin(), [&](std::uint32_t i) { return points[i]; });
    found.radius = std::sqrt(nearest.farthest);
  };
  // Around the projection of the point onto its plane, not around the noisy point, so that the ball truncates both
  // sides equally.
  gather(centre);
  const PrincipalFrame frame = principal_frame(found.points);
  const Vec3 normal = frame.axes.col(2);
  gather(centre - normal * normal.dot(centre - frame.mean));
  found.fit = fit_quadric(found.points, {}, found.radius);
}

/// Standard deviations of the points along the axes of the fit, up to a factor.
Vec3 spread_of(const Neighbourhood& found) {
  Vec3 squares = Vec3::Zero();
  for (const Vec3& p : found.points) {
    squares += (found.fit.frame.axes.transpose() * (p - found.fit.frame.mean)).cwiseAbs2();
  }
  return squares.cwiseSqrt();
}

/// Residuals in neighbourhoods of one size, spread over the cloud, the smoothest first.
std::vector<Residual> residuals_at_size(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                        std::size_t size, std::size_t wanted, const ExecutionContext& context) {
  const std::vector<std::uint32_t> sample = intrinsic_sample(points, wanted, context);
  std::vector<Residual> residuals(sample.size());
  parallel_blocks(context, sample.size(), 16, [&](std::size_t begin, std::size_t end) {
    Neighbourhood found(search, size);
    for (std::size_t s = begin; s < end; ++s) {
      find_neighbourhood(points, points[sample[s]], found);
      residuals[s] = {sample[s], found.fit.residual_variance, found.radius, is_line(spread_of(found))};
    }
  });
  std::ranges::sort(residuals, [](const Residual& a, const Residual& b) {
    return a.variance != b.variance ? a.variance < b.variance : a.centre < b.centre;
  });
  return residuals;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The two sides of a thin wall, estimated from heights in a neighbourhood.
struct TwoSheets {
  double noise = 0.0;
  double half_gap = 0.0;  ///< half the distance between them, in standard deviations of the noise
};

/// Two normal distributions of the same width, by expectation maximisation.
TwoSheets split_heights(const std::vector<double>& heights) {
  const auto count = static_cast<double>(heights.size());
  const double squares = std::inner_product(heights.begin(), heights.end(), heights.begin(), 0.0);
  const double all = squares / count;  // the variance of both together
  double low = -0.8 * std::sqrt(all);
  double high = -low;
  double share = 0.5;  // of the lower sheet
  double variance = 0.4 * all;
  for (int round = 0; round < 40; ++round) {
    double weight = 0.0;
    double sums[2] = {0.0, 0.0};
    for (const double h : heights) {
      // The ratio of the two densities is the exponential of a linear function.
      const double odds = math::exp((high - low) * (h - 0.5 * (low + high)) / variance);
      const double lower = share / (share + (1.0 - share) * odds);
      weight += lower;
      sums[0] += lower * h;
      sums[1] += (1.0 - lower) * h;
    }
    if (weight < 2.0 || count - weight < 2.0) {
      return {std::sqrt(all), 0.0};
    }
    low = sums[0] / weight;
    high = sums[1] / (count - weight);
    variance = std::max((squares - weight * low * low - (count - weight) * high * high) / count, 1e-6 * all);
    share = weight / count;
  }
  // Six coefficients of the quadric, and two sheets instead of one.
  return {std::sqrt(variance * count / (count - 8.0)), 0.5 * (high - low) / std::sqrt(variance)};
}

/// The medians over the smoothest fifth.
TwoSheets find_sheets(const std::vector<Vec3>& points, const NeighbourSearch& search,
                      const std::vector<Residual>& residuals, std::size_t size, const ExecutionContext& context) {
  const std::size_t used = std::max<std::size_t>(residuals.size() / 5, 1);
  std::vector<double> noise(used);
  std::vector<double> half_gaps(used);
  parallel_blocks(context, used, 4, [&](std::size_t begin, std::size_t end) {
    Neighbourhood found(search, size);
    std::vector<double> heights(size);
    for (std::size_t r = begin; r < end; ++r) {
      find_neighbourhood(points, points[residuals[r].centre], found);
      std::ranges::transform(found.points, heights.begin(), [&](const Vec3& p) {
        const QuadricFit::Place place = found.fit.place(p);
        return place.height - found.fit.height_at(place);
      });
      const TwoSheets sheets = split_heights(heights);
      noise[r] = sheets.noise;
      half_gaps[r] = sheets.half_gap;
    }
  });
  return {median(noise), median(half_gaps)};
}

/// The noise estimated from neighbourhoods of one size.
struct NoiseAtSize {
  double noise = 0.0;
  double raw_variance = 0.0;  ///< of the quantile, before any correction
  double spread = 0.0;        ///< statistical part of the relative uncertainty
  double thinness = 0.0;      ///< radius of the neighbourhoods over noise
  double growth = 0.0;        ///< logarithm of the increase due to structure, up to the largest size
  bool is_line = false;       ///< most neighbourhoods are
  double gap = 0.0;           ///< between two sheets, if neighbourhoods contain two
  std::size_t size = 0;
};

/// Neighbourhoods whose radius is this many standard deviations contain nearly the full height of the noise.
constexpr double surely_thin = 3.2;

NoiseAtSize noise_at_size(const std::vector<Vec3>& points, const NeighbourSearch& search, std::size_t size,
                          const ExecutionContext& context) {
  const std::size_t wanted = std::clamp<std::size_t>(200000 / size, 250, 1000);
  const std::vector<Residual> residuals = residuals_at_size(points, search, size, wanted, context);
  const auto place = static_cast<std::size_t>(smoothest_part * static_cast<double>(residuals.size()));
  const auto degrees_of_freedom = static_cast<double>(size - 6);
  NoiseAtSize result;
  result.size = size;
  result.is_line = 2 * std::ranges::count(residuals, true, &Residual::is_line) > std::ssize(residuals);
  result.raw_variance = residuals[place].variance;
  const double variance = result.raw_variance / chi_squared_quantile(degrees_of_freedom);
  std::vector<double> radii(residuals.size());
  std::ranges::transform(residuals, radii.begin(), &Residual::radius);
  const double radius = median(std::move(radii));
  result.thinness = variance > 0.0 ? radius / std::sqrt(variance) : 1e300;
  result.noise = variance > 0.0 ? undo_cut(variance, radius) : 0.0;
  if (variance > 0.0 && size >= 48 && result.thinness >= surely_thin) {
    // A single sheet also splits into two by chance, with a gap that decreases with the number of points; truncation by
    // the ball widens it.
    const double by_chance = std::max(1.25 * math::pow(48.0 / static_cast<double>(size), 0.27), 0.75) +
                             0.3 * std::max(4.0 - result.thinness, 0.0);
    const TwoSheets sheets = find_sheets(points, search, residuals, size, context);
    if (sheets.half_gap > by_chance) {
      result.noise = sheets.noise;
      result.gap = 2.0 * sheets.half_gap * sheets.noise;
    }
  }
  // The error of a quantile near 0.1 is 1.7 standard deviations over the root of the number of independent values.
  const double independent = std::clamp(static_cast<double>(points.size()) / static_cast<double>(size), 1.0,
                                        static_cast<double>(residuals.size()));
  result.spread = 0.5 * 1.7 * std::sqrt(2.0 / degrees_of_freedom / independent);
  return result;
}

/// Whether neighbourhoods of this size are wide compared with the noise; otherwise the residual measures the
/// neighbourhood and not the noise. In a volume they are up to 2.8 (12 points) and about 2.55 (more points) times as
/// wide as the residual; the smallest ones have few degrees of freedom.
bool shows_noise(const NoiseAtSize& found) {
  const double least = found.size == 12 ? 5.5 : found.size == 24 ? 3.0 : found.size == 48 ? 2.9 : 2.8;
  return found.thinness >= least;
}

/// Tries sizes, from the smallest on, until three are wide enough or the neighbourhood is certainly wide compared with
/// the noise. Structure increases the residual of larger neighbourhoods, so the size with the smallest residual is
/// best. Half of the growth factor from there to the last size is attributed to that size as well.
std::optional<NoiseAtSize> find_noise(const std::vector<Vec3>& points, const NeighbourSearch& search, double& last_seen,
                                      const ExecutionContext& context) {
  std::optional<NoiseAtSize> best;
  double last = 0.0;
  int shown = 0;
  for (std::size_t size = smallest_size; size <= std::min(largest_size, points.size()); size *= 2) {
    const NoiseAtSize found = noise_at_size(points, search, size, context);
    last_seen = found.noise;
    if (found.is_line) {
      // The surface found by smaller neighbourhoods was the thickness of a line.
      best.reset();
      shown = 0;
      continue;
    }
    if (!shows_noise(found)) {
      continue;
    }
    last = found.noise;
    if (!best || found.noise < best->noise) {
      best = found;
    }
    if (++shown == 3 || found.thinness > 5.0) {
      break;
    }
  }
  if (best && last > 0.0) {
    best->growth = math::log(last / best->noise);
    best->noise *= math::exp(-0.5 * std::min(best->growth, 0.3));
  }
  return best;
}

}  // namespace

NoiseLevel estimate_noise_level(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                const ExecutionContext& context) {
  double last_seen = 0.0;
  const std::optional<NoiseAtSize> found = find_noise(points, search, last_seen, context);
  if (!found) {
    return {{0.0, last_seen}, 0.0};
  }
  constexpr double systematic = 0.05;
  return {{found->noise, found->noise * math::hypot(found->spread, found->growth, systematic)}, found->gap};
}

Estimate estimate_noise(std::span<const Vec3> input, const ExecutionContext& context) {
  const WorkingPoints working = working_points(input, context);
  return estimate_noise_level(working.points, NeighbourSearch(working.points, context), context).noise;
}

std::vector<double> estimate_local_noise(std::span<const Vec3> input, const ExecutionContext& context) {
  std::vector<double> result(input.size(), 0.0);
  const WorkingPoints working = working_points(input, context);
  const NeighbourSearch search(working.points, context);
  const std::vector<double> noise =
      estimate_noise_field(working.points, {}, search, context).at(working.points, context);
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (working.place[i] != WorkingPoints::absent) {
      result[i] = noise[working.place[i]];
    }
  }
  return result;
}

}  // namespace burnish
