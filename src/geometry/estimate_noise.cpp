#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "burnish/estimate.hpp"
#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/quadric.hpp"
#include "geometry/working_points.hpp"

namespace burnish {
namespace {

/// Sizes of neighbourhoods that are tried.
constexpr std::size_t smallest_size = 12;
constexpr std::size_t largest_size = 3072;

/// What a quadric leaves over in a neighbourhood.
struct Residual {
  std::uint32_t centre = 0;
  double variance = 0.0;  ///< corrected for the coefficients
  double second = 0.0;    ///< Σ r²
  double fourth = 0.0;    ///< Σ r⁴
  double radius = 0.0;
};

/// Part of the neighbourhoods from which the noise is read: the smoothest ones.
constexpr double smoothest_part = 0.1;

/// 8 in 10 neighbourhoods are expected to have no structure but noise. The smoothest tenth of all is then the smoothest
/// eighth of these: so many standard deviations below the middle.
constexpr double quantile_place = -1.15;

/// That quantile of a χ² distribution, divided by its degrees of freedom (Wilson and Hilferty 1931).
double chi_squared_quantile(double freedom) {
  const double a = 2.0 / (9.0 * freedom);
  return std::pow(1.0 - a + quantile_place * std::sqrt(a), 3);
}

/// Heights of variance 1 over a plane, cut off by a ball of this radius around a point of the plane: their variance.
/// At height z the ball leaves a disc of area π(R² − z²).
double variance_within(double radius) {
  constexpr int steps = 200;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double z = radius * (i + 0.5) / steps;
    const double density = std::exp(-0.5 * z * z) * (radius * radius - z * z);
    sum += density;
    squares += density * z * z;
  }
  return squares / sum;
}

/// The standard deviation that, cut off by the ball, gives this variance.
double undo_cut(double variance, double radius) {
  double low = std::sqrt(variance);
  double high = 10.0 * low;
  for (int i = 0; i < 50; ++i) {
    const double middle = std::sqrt(low * high);
    (middle * middle * variance_within(radius / middle) < variance ? low : high) = middle;
  }
  return low;
}

Residual residual_at(const std::vector<Vec3>& points, const NeighbourSearch& search, std::uint32_t centre,
                     std::vector<std::uint32_t>& indices, std::vector<double>& distances,
                     std::vector<Vec3>& neighbours) {
  const auto gather = [&](const Vec3& around) {
    search.nearest(around, indices, distances);
    std::ranges::transform(indices, neighbours.begin(), [&](std::uint32_t i) { return points[i]; });
  };
  // Around the foot of the point on its plane, not around the noisy point: the ball then cuts both sides alike.
  gather(points[centre]);
  const PrincipalFrame frame = principal_frame(neighbours);
  const Vec3 normal = frame.axes.col(2);
  gather(points[centre] - normal * normal.dot(points[centre] - frame.mean));

  Residual residual;
  residual.centre = centre;
  residual.radius = std::sqrt(distances.back());
  const QuadricFit fit = fit_quadric(neighbours, {}, residual.radius);
  residual.variance = fit.residual_variance;
  for (const Vec3& p : neighbours) {
    const QuadricFit::Place place = fit.place(p);
    const double square = std::pow(place.height - fit.height_at(place), 2);
    residual.second += square;
    residual.fourth += square * square;
  }
  return residual;
}

/// Residuals in neighbourhoods of one size, spread over the cloud, the smoothest first.
std::vector<Residual> residuals_at_size(const std::vector<Vec3>& points, const NeighbourSearch& search,
                                        std::size_t size, std::size_t wanted, const ExecutionContext& context) {
  const std::vector<std::uint32_t> sample = intrinsic_sample(points, wanted, context);
  std::vector<Residual> residuals(sample.size());
  parallel_blocks(context, sample.size(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> indices(size);
    std::vector<double> distances(size);
    std::vector<Vec3> neighbours(size);
    for (std::size_t s = begin; s < end; ++s) {
      residuals[s] = residual_at(points, search, sample[s], indices, distances, neighbours);
    }
  });
  std::ranges::sort(residuals, [](const Residual& a, const Residual& b) {
    return a.variance != b.variance ? a.variance < b.variance : a.centre < b.centre;
  });
  return residuals;
}

double median_radius(const std::vector<Residual>& residuals) {
  std::vector<double> radii(residuals.size());
  std::ranges::transform(residuals, radii.begin(), &Residual::radius);
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::ranges::nth_element(radii, middle);
  return *middle;
}

/// Excess kurtosis of the residuals in the smoothest fifth.
double excess_kurtosis(const std::vector<Residual>& residuals, std::size_t size) {
  double second = 0.0;
  double fourth = 0.0;
  const std::size_t used = std::max<std::size_t>(residuals.size() / 5, 1);
  for (std::size_t r = 0; r < used; ++r) {
    second += residuals[r].second;
    fourth += residuals[r].fourth;
  }
  const auto values = static_cast<double>(used * size);
  return second > 0.0 ? fourth * values / (second * second) - 3.0 : 0.0;
}

/// The noise seen in neighbourhoods of one size.
struct NoiseAtSize {
  double noise = 0.0;
  double raw_variance = 0.0;  ///< of the quantile, before any correction
  double spread = 0.0;        ///< statistical part of the relative uncertainty
  double thinness = 0.0;      ///< radius of the neighbourhoods over noise
  std::size_t size = 0;
};

NoiseAtSize noise_at_size(const std::vector<Residual>& residuals, std::size_t size, std::size_t points) {
  const auto place = static_cast<std::size_t>(smoothest_part * static_cast<double>(residuals.size()));
  const auto freedom = static_cast<double>(size - 6);
  NoiseAtSize result;
  result.size = size;
  result.raw_variance = residuals[place].variance;
  const double variance = result.raw_variance / chi_squared_quantile(freedom);
  const double radius = median_radius(residuals);
  result.thinness = variance > 0.0 ? radius / std::sqrt(variance) : 1e300;
  const double kurtosis = excess_kurtosis(residuals, size);
  // Two sheets ±a, each with noise σ: variance σ² + a², fourth cumulant −2a⁴. What the ball cuts off costs about 0.15.
  constexpr double of_one_sheet = -0.15;
  if (kurtosis < 2.0 * of_one_sheet && result.thinness >= 3.2 && size >= 48) {
    const double sheets = std::sqrt((of_one_sheet - kurtosis) / 2.0);
    result.noise = std::sqrt(variance * std::max(1.0 - sheets, 0.05));
  } else {
    result.noise = variance > 0.0 ? undo_cut(variance, radius) : 0.0;
  }
  // The error of a quantile near 0.1 is 1.7 standard deviations over the root of the number of independent values.
  const double independent =
      std::clamp(static_cast<double>(points) / static_cast<double>(size), 1.0, static_cast<double>(residuals.size()));
  result.spread = 0.5 * 1.7 * std::sqrt(2.0 / freedom / independent);
  return result;
}

/// Whether neighbourhoods of this size show the noise as thin: otherwise what is left over tells of the neighbourhood,
/// not of the noise. The smallest ones have little left over to judge by.
bool shows_noise(const NoiseAtSize& found) {
  return found.thinness >= (found.size == smallest_size ? 5.5 : found.size == 2 * smallest_size ? 3.0 : 2.75);
}

/// Tries sizes, from the smallest on, until three have shown the noise or the noise is thin beyond doubt. Structure
/// adds to what a larger neighbourhood leaves over, so the size with the least is best; and half of what it adds from
/// there to the last size, as a factor, is taken to be in it already.
std::optional<NoiseAtSize> find_noise(const std::vector<Vec3>& points, const NeighbourSearch& search, double& last_seen,
                                      const ExecutionContext& context) {
  std::optional<NoiseAtSize> best;
  double last = 0.0;
  int shown = 0;
  for (std::size_t size = smallest_size; size <= std::min(largest_size, points.size()); size *= 2) {
    const std::size_t wanted = std::clamp<std::size_t>(200000 / size, 250, 1000);
    const NoiseAtSize found =
        noise_at_size(residuals_at_size(points, search, size, wanted, context), size, points.size());
    last_seen = found.noise;
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
    best->noise *= std::sqrt(best->noise / last);
  }
  return best;
}

}  // namespace

Estimate estimate_noise(std::span<const Vec3> input, const ExecutionContext& context) {
  const WorkingPoints working = working_points(input, context);
  const NeighbourSearch search(working.points);
  double last_seen = 0.0;
  const std::optional<NoiseAtSize> found = find_noise(working.points, search, last_seen, context);
  if (!found) {
    return {0.0, last_seen};
  }
  constexpr double systematic = 0.05;
  return {found->noise, found->noise * std::hypot(found->spread, systematic)};
}

std::vector<double> estimate_local_noise(std::span<const Vec3> input, const ExecutionContext& context) {
  std::vector<double> result(input.size(), 0.0);
  const WorkingPoints working = working_points(input, context);
  const NeighbourSearch search(working.points);
  double last_seen = 0.0;
  const std::optional<NoiseAtSize> found = find_noise(working.points, search, last_seen, context);
  if (!found || found->raw_variance <= 0.0) {
    return result;
  }
  // Neighbourhoods that overlap a little; around a point, the quartile of the sixteen nearest is not yet swayed by
  // edges.
  const std::size_t wanted = 4 * working.points.size() / found->size + 16;
  const std::vector<Residual> residuals = residuals_at_size(working.points, search, found->size, wanted, context);
  std::vector<Vec3> centres(residuals.size());
  std::ranges::transform(residuals, centres.begin(), [&](const Residual& r) { return working.points[r.centre]; });
  const NeighbourSearch centre_search(centres);
  const double factor = found->noise / std::sqrt(found->raw_variance);
  parallel_for(context, input.size(), 256, [&](std::size_t i) {
    if (working.place[i] == WorkingPoints::absent) {
      return;
    }
    std::uint32_t nearest[16];
    double distances[16];
    const std::size_t count = centre_search.nearest(working.points[working.place[i]], nearest, distances);
    // Residuals are in ascending order, so the smallest numbers are the smoothest neighbourhoods.
    std::sort(nearest, nearest + count);
    result[i] = factor * std::sqrt(residuals[nearest[count / 4]].variance);
  });
  return result;
}

}  // namespace burnish
