#include "geometry/residual_pool.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/quantised_direction.hpp"
#include "geometry/spacing.hpp"
#include "geometry/statistics.hpp"

namespace burnish {
namespace {

/// Least number of places at which quantisation must be found.
constexpr std::size_t fewest_places_with_steps = 6;

/// Relative error of a noise level: systematic, and as a fraction of the subtracted shape.
constexpr double systematic_error = 0.07;
constexpr double error_of_shape = 0.5;

/// The larger noise is compared with the spacing, the larger neighbourhoods must be, and the more walls and bends they
/// contain: relative error for noise as large as the spacing.
constexpr double error_of_width = 0.15;

/// Standard deviation over places of the logarithm of the residuals of noise, and of their change when the
/// neighbourhood is doubled. More than this is varying shape; for the first it may also be varying noise, so it counts
/// by half.
constexpr double level_scatter_of_noise = 0.3;
constexpr double growth_scatter_of_noise = 0.25;
constexpr double error_of_level_scatter = 0.5;

/// A place has full weight up to the first standard error of the logarithm of its noise, and none from the second on.
constexpr double certain_enough = 0.15;
constexpr double too_uncertain = 0.4;

/// Excess kurtosis below which a neighbourhood contains two sheets: that of two equal ones is −2, of a uniform
/// distribution −1.2, and rarely below −0.8 in neighbourhoods of a few dozen points with normal noise.
constexpr double kurtosis_of_sheets = -1.3;

/// Quantisation is taken into account if residuals are at least this fraction of the noise of its steps, which excludes
/// lines and lattices of points. Steps wider than the spacing create layers that look like separate surfaces: from the
/// first width on, in spacings, larger noise is assumed, from the second on by this factor more.
constexpr double least_part_of_steps = 0.5;
constexpr double narrow_steps = 0.7;
constexpr double wide_steps = 2.0;
constexpr double more_for_wide_steps = 1.8;

/// The median of a χ² distribution divided by its degrees of freedom (Wilson and Hilferty 1931).
double chi_squared_median(double degrees_of_freedom) { return math::cube(1.0 - 2.0 / (9.0 * degrees_of_freedom)); }

/// Raises noise to at least that of quantisation.
void add_quantisation(ResidualCurve& curve) {
  const double step = std::sqrt(12.0) * curve.quantisation;
  const double least =
      curve.quantisation * (1.0 + more_for_wide_steps * smooth_step(step / curve.spacing, narrow_steps, wide_steps));
  for (double& deviation : curve.deviation) {
    deviation = std::max(deviation, least);
  }
}

}  // namespace

Survey measure_curves(const std::vector<Vec3>& points, const std::vector<std::uint32_t>& sample,
                      const NeighbourSearch& search, const ExecutionContext& context) {
  std::vector<ResidualCurve> all(sample.size());
  const auto measure = [&](const std::vector<QuantisedDirection>& directions) {
    parallel_for(context, sample.size(), 16,
                 [&](std::size_t s) { all[s] = residual_curve(points, search, points[sample[s]], directions); });
  };
  const std::vector<QuantisedDirection> directions =
      find_quantised_directions(points, search, spacing_among(points, search, context), context);
  measure(directions);
  if (!directions.empty()) {
    std::vector<double> ratios;
    for (const ResidualCurve& curve : all) {
      if (curve.first_size > 0 && curve.quantisation > 0.0) {
        ratios.push_back(curve.deviation[0] / curve.quantisation);
      }
    }
    if (ratios.size() >= fewest_places_with_steps && quantile_of(ratios, 0.5) > least_part_of_steps) {
      std::ranges::for_each(all, add_quantisation);
    } else {
      measure({});
    }
  }
  Survey survey;
  for (std::size_t s = 0; s < sample.size(); ++s) {
    if (all[s].first_size > 0) {
      survey.places.push_back(points[sample[s]]);
      survey.curves.push_back(all[s]);
    }
  }
  return survey;
}

double Pool::trust() const { return is_of_steps ? 1.0 : 1.0 - smooth_step(other_error, certain_enough, too_uncertain); }

Pool pool_around(const Survey& survey, std::span<const std::uint32_t> members) {
  const auto median = [&](const auto& number) {
    return quantile_over(members, 0.5, [&](std::uint32_t m) { return number(survey.curves[m]); });
  };
  Pool pool;
  std::array<double, ResidualCurve::sizes> variance{};
  for (std::size_t k = 0; k < variance.size(); ++k) {
    variance[k] = median([&](const ResidualCurve& curve) {
      return curve.deviation[k] * curve.deviation[k] /
             chi_squared_median(static_cast<double>(curve.first_size << k) - 6.0);
    });
  }
  pool.variogram = fit_variogram(variance);
  pool.kurtosis = median([](const ResidualCurve& curve) { return curve.kurtosis; });
  pool.spacing = median([](const ResidualCurve& curve) { return curve.spacing; });
  const double quantisation = median([](const ResidualCurve& curve) { return curve.quantisation; });
  // Two equal sheets are two standard deviations apart.
  pool.has_two_sheets = pool.kurtosis < kurtosis_of_sheets && quantisation == 0.0 &&
                        2.0 * std::sqrt(variance[0]) > least_sheet_gap * pool.spacing;
  pool.is_of_steps =
      quantisation > 0.0 && variance[0] <= math::square(1.2 * (1.0 + more_for_wide_steps) * quantisation);
  // The standard deviation of normally distributed numbers, by their quartiles.
  const auto deviation_of = [&](const auto& number) {
    const auto at = [&](double part) {
      return quantile_over(members, part, [&](std::uint32_t m) { return number(survey.curves[m]); });
    };
    return (at(0.75) - at(0.25)) / 1.349;
  };
  const auto logarithm = [](const ResidualCurve& curve, std::size_t size) {
    return math::log(std::max(curve.deviation[size], 1e-6 * curve.spacing));
  };
  // Of a median, and of the logarithm of a standard deviation, which is half of that of the variance.
  const double degrees_of_freedom =
      median([](const ResidualCurve& curve) { return static_cast<double>(curve.first_size) - 6.0; });
  pool.error_by_chance = 0.5 * 1.2533 * std::sqrt(2.0 / degrees_of_freedom / static_cast<double>(members.size()));
  const double scatter_of_growth =
      deviation_of([&](const ResidualCurve& curve) { return logarithm(curve, 1) - logarithm(curve, 0); });
  const double scatter_of_level = deviation_of([&](const ResidualCurve& curve) { return logarithm(curve, 0); });
  const auto excess = [](double scatter, double of_noise) {
    return std::sqrt(std::max(0.0, scatter * scatter - of_noise * of_noise));
  };
  const double white = pool.variogram.white;
  const double shape = std::max(0.0, pool.variogram.residual - white);
  pool.other_error =
      white > 0.0 && !pool.has_two_sheets
          ? math::hypot(
                systematic_error,
                std::max({0.5 * error_of_shape * shape / white, excess(scatter_of_growth, growth_scatter_of_noise),
                          error_of_level_scatter * excess(scatter_of_level, level_scatter_of_noise)}),
                error_of_width * white / (pool.spacing * pool.spacing))
          : std::numeric_limits<double>::infinity();
  return pool;
}

}  // namespace burnish
