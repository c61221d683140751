#include "geometry/noise_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/residual_pool.hpp"
#include "geometry/statistics.hpp"

namespace burnish {
namespace {

/// Number of places where curves are measured: a tenth of the points, between these limits.
constexpr std::size_t fewest_places = 100;
constexpr std::size_t most_places = 2000;

/// Least noise at a place, in spacings.
constexpr double least_noise = 1e-3;

/// Least number of places on a surface for a field.
constexpr std::size_t fewest_places_with_surface = 6;

/// A place and those nearest to it are pooled: enough for a median, few enough to follow noise that changes with the
/// direction of the surface.
constexpr std::size_t places_in_pool = 24;

/// The expected noise at a place is the mean over this many places around it, as far as they are certain, and the noise
/// of the whole cloud, which has this weight.
constexpr std::size_t places_around = 64;
constexpr double weight_of_cloud = 4.0;

/// Variance of the correlated part over that of the white part, at most: more than that is texture.
constexpr double most_correlated = 3.0;

constexpr double little_correlation = 0.1;

/// Where noise is uniform, the noise at a place is at most this multiple of the upper quartile, because trees and
/// rubble look like noise.
constexpr double most_above_others = 1.5;

/// Fraction of the places that must be certain: up to the first number only the noise of the smoothest neighbourhoods
/// is used, from the second on that of the places.
constexpr double fewest_trusted = 0.33;
constexpr double enough_trusted = 0.45;

/// Differences from the noise of the whole cloud are accepted from the first number of standard errors on, and in full
/// from the second.
constexpr double doubtful_difference = 2.0;
constexpr double certain_difference = 4.0;

/// Up to the first number, in spacings, places can be compared; from the second on, neighbourhoods wide enough for the
/// noise are so large that shape varies more than noise.
constexpr double strongest_to_compare = 1.0;
constexpr double too_strong = 1.5;

/// Noise is uniform if the estimates from the smoothest neighbourhoods and from the median place differ by less than
/// this factor. If they differ more, the median place is used. If noise is uniform, larger noise at single places needs
/// more evidence, less if most places are certain (from few to nearly all) and differ from each other (ratio of the
/// median to the lower quartile, from alike to different).
constexpr double smoothest_and_typical_agree = 1.25;
constexpr double few_certain = 0.65;
constexpr double nearly_all_certain = 0.85;
constexpr double alike = 1.08;
constexpr double different = 1.2;

/// Noise grows with no higher power of the spacing: that of stereo cameras and structured light with the square of the
/// distance, to which spacing is proportional. Apparent growth with a much higher power is caused by shape.
constexpr double steepest_growth = 2.0;
constexpr double too_steep = 2.5;
constexpr double much_too_steep = 3.5;

/// Growth is accepted from the first number of standard errors on, and in full from the second.
constexpr double doubtful_growth = 3.0;
constexpr double certain_growth = 6.0;

/// Between these, in spacings, noise begins to widen the neighbourhoods that spacing is measured in.
constexpr double narrow = 0.25;
constexpr double wide = 0.4;

/// Excess kurtosis above which isolated points are large errors and not outliers.
constexpr double heavy_tails = 0.5;

/// A quantile of numbers over the places, each weighted by its certainty.
template <class Number>
double weighted_quantile(const std::vector<Pool>& pools, double part, const Number& number) {
  std::vector<std::pair<double, double>> values;
  double all = 0.0;
  for (const Pool& pool : pools) {
    const double weight = 1.0 / (pool.other_error * pool.other_error);
    values.emplace_back(number(pool), weight);
    all += weight;
  }
  std::ranges::sort(values);
  double sum = 0.0;
  for (const auto& [value, weight] : values) {
    sum += weight;
    if (sum >= part * all) {
      return value;
    }
  }
  return 0.0;
}

/// Growth of the noise with spacing: both increase with the distance to the scanner and at grazing angles. At spacing s
/// it is (s / spacing)^exponent times what it is at `spacing`.
struct Growth {
  double spacing = 1.0;
  double exponent = 0.0;

  [[nodiscard]] double at(const Pool& pool) const { return math::pow(pool.spacing / spacing, exponent); }
};

/// The slope of the logarithm of noise over that of spacing, by weighted least squares, reduced by its uncertainty.
Growth growth_with_spacing(const std::vector<Pool>& pools) {
  double weights = 0.0;
  double x_mean = 0.0;
  double y_mean = 0.0;
  const auto for_each = [&](const auto& action) {
    for (const Pool& pool : pools) {
      const double noise = std::sqrt(pool.variogram.white);
      if (pool.trust() > 0.0 && noise > 0.0) {
        action(1.0 / (pool.other_error * pool.other_error), math::log(pool.spacing), math::log(noise));
      }
    }
  };
  for_each([&](double weight, double x, double y) {
    weights += weight;
    x_mean += weight * x;
    y_mean += weight * y;
  });
  if (!(weights > 0.0)) {
    return {};
  }
  x_mean /= weights;
  y_mean /= weights;
  double xx = 0.0;
  double xy = 0.0;
  for_each([&](double weight, double x, double y) {
    xx += weight * (x - x_mean) * (x - x_mean);
    xy += weight * (x - x_mean) * (y - y_mean);
  });
  if (!(xx > 0.0)) {
    return {};
  }
  const double slope = xy / xx;
  double squares = 0.0;
  double count = 0.0;
  for_each([&](double weight, double x, double y) {
    squares += weight * math::square(y - y_mean - slope * (x - x_mean));
    count += 1.0;
  });
  // Pools share places, so there are fewer independent ones.
  const double independent = count / static_cast<double>(places_in_pool);
  const double standard_error = std::sqrt(squares / xx / independent);
  double trusted = 0.0;
  for (const Pool& pool : pools) {
    trusted += pool.trust() / static_cast<double>(pools.size());
  }
  const double part = smooth_step(trusted, fewest_trusted, enough_trusted) *
                      smooth_step(slope / standard_error, doubtful_growth, certain_growth) *
                      (1.0 - smooth_step(slope, too_steep, much_too_steep)) *
                      (1.0 - smooth_step(math::exp(y_mean - x_mean), narrow, wide));
  return {math::exp(x_mean), std::clamp(slope, 0.0, steepest_growth) * part};
}

/// The noise of the cloud, estimated from all places together.
class CloudNoise {
 public:
  CloudNoise(const std::vector<Pool>& pools, const NoiseLevel& smoothest)
      : smoothest_(smoothest.noise), growth_(growth_with_spacing(pools)) {
    // Correlation is a property of the sensor: edges look like it at some places, but not at three quarters of them.
    correlated_ = std::min(most_correlated, weighted_quantile(pools, 0.25, [](const Pool& pool) {
                             return pool.variogram.correlated / std::max(pool.variogram.white, 1e-300);
                           }));
    const auto own = [&](const Pool& pool) { return own_noise(pool) / growth_.at(pool); };
    const double spacing = quantile_over(pools, 0.5, &Pool::spacing);
    const double typical = weighted_quantile(pools, 0.5, own);
    const double low = weighted_quantile(pools, 0.25, own);
    high_ = most_above_others * std::max(smoothest_, weighted_quantile(pools, 0.75, own));
    double trusted = 0.0;
    for (const Pool& pool : pools) {
      trusted += pool.trust() / static_cast<double>(pools.size());
    }
    comparable_ = (1.0 - smooth_step(typical / spacing, strongest_to_compare, too_strong)) *
                  smooth_step(trusted, fewest_trusted, enough_trusted);
    const bool has_two_sheets = smoothest.sheet_gap > least_sheet_gap * spacing;
    // What seems to be two sheets and is not is wider than either.
    const bool is_split = smoothest.sheet_gap > 0.0 && !has_two_sheets;
    is_uniform_ = has_two_sheets || typical <= 0.0 ||
                  (!is_split && std::abs(math::log(smoothest_ / typical)) < math::log(smoothest_and_typical_agree));
    common_ = is_uniform_ ? smoothest_ : typical;
    if (is_uniform_) {
      evidence_ = 0.5 + 0.5 * smooth_step(trusted, few_certain, nearly_all_certain) *
                            smooth_step(typical / low, alike, different);
    }
  }

  [[nodiscard]] double correlated() const { return correlated_; }
  /// See NoiseField.
  [[nodiscard]] double growth() const { return growth_.exponent; }
  /// Whether the smoothest neighbourhoods and the typical place agree.
  [[nodiscard]] bool is_uniform() const { return is_uniform_; }
  /// To what degree places can be compared with each other, from 0 to 1.
  [[nodiscard]] double comparable() const { return comparable_; }

  /// The noise of a place by itself. Insignificant differences from the noise of the cloud are ignored.
  [[nodiscard]] double shown_by(const Pool& pool) const {
    const double growth = growth_.at(pool);
    const double usual = std::max(growth * common_, least(pool));
    if (pool.is_of_steps) {
      return std::max(own_noise(pool), least(pool));
    }
    const double own = std::max(is_uniform_ ? std::min(own_noise(pool), growth * high_) : own_noise(pool), least(pool));
    const double difference = math::log(own / usual);
    const double deviations = std::abs(difference) / pool.standard_error(correlated_);
    return usual * math::exp(difference * smooth_step(difference > 0.0 ? evidence_ * deviations : deviations,
                                                      doubtful_difference, certain_difference));
  }

  /// The noise at a place. If it is uncertain, the mean of the certain places around it; if places cannot be compared,
  /// that of the smoothest neighbourhoods of the cloud.
  [[nodiscard]] double noise_at(const Pool& pool, const std::vector<Pool>& pools,
                                std::span<const std::uint32_t> around) const {
    const double growth = growth_.at(pool);
    double sum = weight_of_cloud * math::log(std::max(growth * common_, least(pool)));
    double weights = weight_of_cloud;
    for (const std::uint32_t p : around) {
      sum += pools[p].trust() * math::log(shown_by(pools[p]) * growth / growth_.at(pools[p]));
      weights += pools[p].trust();
    }
    const double logarithm = pool.trust() * math::log(shown_by(pool)) + (1.0 - pool.trust()) * sum / weights;
    const double trusted = pool.is_of_steps ? 1.0 : comparable_;
    return math::pow(std::max(smoothest_, least(pool)), 1.0 - trusted) * math::exp(trusted * logarithm);
  }

 private:
  [[nodiscard]] double own_noise(const Pool& pool) const {
    return std::sqrt(pool.variogram.white * (1.0 + correlated_));
  }
  static double least(const Pool& pool) { return least_noise * pool.spacing; }

  double smoothest_;  ///< noise of the smoothest neighbourhoods
  Growth growth_;
  double common_ = 0.0;    ///< that of the cloud: of the smoothest neighbourhoods, or of the typical place
  double high_ = 0.0;      ///< the most that a place may have if noise is uniform
  double evidence_ = 1.0;  ///< what a difference counts where a place has more noise than the cloud
  double correlated_ = 0.0;
  double comparable_ = 0.0;
  bool is_uniform_ = false;
};

/// The places whose residuals are measured, spread over the points that count.
std::vector<std::uint32_t> choose_places(const std::vector<Vec3>& points, const std::vector<bool>& counts,
                                         const ExecutionContext& context) {
  std::vector<std::uint32_t> sample = intrinsic_order(points, context);
  if (!counts.empty()) {
    std::erase_if(sample, [&](std::uint32_t p) { return !counts[p]; });
  }
  const std::size_t wanted = std::min(std::clamp(points.size() / 10, fewest_places, most_places), sample.size());
  for (std::size_t s = 0; s < wanted; ++s) {
    sample[s] = sample[s * sample.size() / wanted];
  }
  sample.resize(wanted);
  return sample;
}

}  // namespace

NoiseField estimate_noise_field(const std::vector<Vec3>& points, const std::vector<bool>& counts,
                                const NeighbourSearch& search, const ExecutionContext& context) {
  const NoiseLevel smoothest = estimate_noise_level(points, search, context);
  const bool has_surface = smoothest.noise > 0.0 || smoothest.noise.uncertainty == 0.0;
  if (!has_surface) {
    return NoiseField::constant(smoothest.noise);
  }
  const std::vector<std::uint32_t> sample = choose_places(points, counts, context);
  const Survey survey = measure_curves(points, sample, search, context);
  if (4 * survey.places.size() < sample.size() || survey.places.size() < fewest_places_with_surface) {
    return NoiseField::constant(smoothest.noise);
  }

  const NeighbourSearch near(survey.places, context);
  const auto for_each_place = [&](std::size_t wanted, const auto& action) {
    parallel_blocks(context, survey.places.size(), 16, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> members(std::min(wanted, survey.places.size()));
      std::vector<double> squares(members.size());
      for (std::size_t p = begin; p < end; ++p) {
        near.nearest(survey.places[p], members, squares);
        action(p, members);
      }
    });
  };
  std::vector<Pool> pools(survey.places.size());
  for_each_place(places_in_pool, [&](std::size_t p, std::span<const std::uint32_t> members) {
    pools[p] = pool_around(survey, members);
  });
  const CloudNoise cloud(pools, smoothest);
  NoiseField field;
  field.places.resize(pools.size());
  for_each_place(places_around, [&](std::size_t p, std::span<const std::uint32_t> around) {
    field.places[p] = {survey.places[p], cloud.noise_at(pools[p], pools, around), pools[p].spacing};
  });

  double squares = 0.0;
  for (const NoiseField::Place& place : field.places) {
    squares += place.noise * place.noise;
  }
  const double level = std::sqrt(squares / static_cast<double>(field.places.size()));
  const double relative_uncertainty =
      smoothest.noise > 0.0 ? std::max(smoothest.noise.uncertainty / smoothest.noise, 0.05) : 0.1;
  field.level = {level, level * relative_uncertainty};
  field.correlated = cloud.comparable() * cloud.correlated();
  field.growth = cloud.growth();
  field.is_uniform = cloud.is_uniform() && field.growth == 0.0 && field.correlated < little_correlation;
  field.has_heavy_tails = quantile_over(pools, 0.5, &Pool::kurtosis) > heavy_tails;
  return field;
}

std::vector<double> NoiseField::at(const std::vector<Vec3>& points, const ExecutionContext& context) const {
  if (places.size() <= 1) {
    return std::vector<double>(points.size(), places.empty() ? 0.0 : places.front().noise);
  }
  const std::size_t most = std::min<std::size_t>(9, places.size());
  std::vector<Vec3> centres(places.size());
  std::ranges::transform(places, centres.begin(), &Place::point);
  std::vector<double> logarithms(places.size());
  std::ranges::transform(places, logarithms.begin(), [](const Place& place) { return math::log(place.noise); });
  const NeighbourSearch search(centres, context);
  std::vector<double> values(points.size());
  parallel_blocks(context, points.size(), 1024, [&](std::size_t begin, std::size_t end) {
    NeighbourQueries queries(search, most);
    for (std::size_t p = begin; p < end; ++p) {
      const NeighbourQueries::Found found = queries.nearest(points[p]);
      // Weights that fall to 0 at the last one: the field has no steps where another place becomes the nearest.
      const double last = std::sqrt(found.farthest);
      double sum = 0.0;
      double weights = 0.0;
      for (std::size_t i = 0; i < most; ++i) {
        const double nearness = last > 0.0 ? 1.0 - std::sqrt(found.distances[i]) / last : 1.0;
        const double weight = nearness * nearness + 1e-12;
        sum += weight * logarithms[found.indices[i]];
        weights += weight;
      }
      values[p] = math::exp(sum / weights);
    }
  });
  return values;
}

}  // namespace burnish
