#include "geometry/noise_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/quantised_direction.hpp"
#include "geometry/residual_curve.hpp"

namespace burnish {
namespace {

/// Places where curves are measured: a tenth of the points, between these numbers.
constexpr std::size_t fewest_places = 100;
constexpr std::size_t most_places = 2000;

/// A region is an eighth of all places, around each; at least this many.
constexpr std::size_t part_in_region = 8;
constexpr std::size_t fewest_in_region = 32;

/// The quantile of residuals in a region that is read, and where it lies in a normal distribution.
constexpr double region_quantile = 0.2;
constexpr double region_quantile_deviations = -0.8416;

/// Ratio of the noisiest to the quietest tenth of the regions: up to the first number there is one noise level for the
/// whole cloud, from the second on every place has its own.
constexpr double same_everywhere = 1.5;
constexpr double surely_different = 2.0;

/// Up to the first number, in spacings, regions can be compared; from the second on neighbourhoods that show the noise
/// as thin are so large that shape differs more than noise.
constexpr double strongest_to_compare = 1.0;
constexpr double too_strong = 1.5;

/// Growth of the residual of a region with a doubling, up to which it has noise of its own, and from which on
/// it has a shape that neighbourhoods do not follow.
constexpr double own_noise_growth = 1.12;
constexpr double no_own_noise_growth = 1.25;

/// Growth that more than half of the regions have if the cloud is full of shape that is not resolved.
constexpr double shape_growth = 1.25;

/// Places that decide on the noise of one; those whose residual grows less than this with the first doubling are
/// smooth; and how far the result may be above the region quantile of somewhat more places, which shape does not reach.
constexpr std::size_t nearest_places = 24;
constexpr double smooth_growth = 1.2;
constexpr std::size_t fewest_smooth_places = 6;
constexpr std::size_t fewest_smooth_nearby = 17;
constexpr std::size_t places_for_limit = 32;
constexpr double most_above_quantile = 1.5;

/// The level of the whole cloud must not be below this part of what regions say, unless there are two sheets or shape.
constexpr double least_part_of_regions = 0.8;

/// Ratio of the spacing of the sparsest to that of the densest fiftieth of the regions: from the first number on,
/// points stand apart because the cloud is uneven; from the second on regions can be compared less, and from the third
/// on not.
constexpr double even_spacing = 2.0;
constexpr double uneven_spacing = 2.0;
constexpr double too_uneven = 3.0;

/// Two sheets of a wall are farther apart than this, in spacings; nearer ones are one noisy surface.
constexpr double least_sheet_gap = 1.2;

/// Growth of the residual over two doublings: from the first number on it may be noise, from the second on it surely
/// is; a single doubling adds less than the third if it is noise, and more than the fourth if it is shape.
constexpr double little_growth = 1.25;
constexpr double clear_growth = 1.5;
constexpr double most_growth_of_noise = 1.6;
constexpr double least_growth_of_shape = 2.0;

/// Excess kurtosis above which growth is due to points far off, of which larger neighbourhoods hold more.
constexpr double heavy_tails = 1.5;

/// Excess kurtosis below which a neighbourhood holds two sheets: that of two equal ones is −2, of a uniform
/// distribution −1.2, and rarely below −0.8 in neighbourhoods of a few dozen points with normal noise.
constexpr double kurtosis_of_sheets = -1.3;

/// From this on, without such growth, points that stand apart are large errors.
constexpr double some_tails = 0.5;

/// Correlation cannot be seen where noise is stronger than this, in spacings: neighbourhoods are too wide.
constexpr double strongest_with_growth = 0.5;
constexpr double too_strong_for_growth = 0.8;

/// Quantisation counts if residuals reach this part of what its steps cause: lines and lattices of points are none.
/// Steps that are wide against the spacing make layers, each of which looks like a surface of its own: from the first
/// width on, in spacings, noise is taken to be larger, from the second on by this much.
constexpr double least_part_of_steps = 0.5;
constexpr double narrow_steps = 0.7;
constexpr double wide_steps = 2.0;
constexpr double more_for_wide_steps = 1.8;

/// The quantile of the root of a χ² distribution divided by its degrees of freedom (Wilson and Hilferty 1931).
double chi_quantile(double degrees_of_freedom) {
  const double a = 2.0 / (9.0 * degrees_of_freedom);
  return std::pow(1.0 - a + region_quantile_deviations * std::sqrt(a), 1.5);
}

/// 0 below one end, 1 above the other, smooth between.
double smooth_step(double value, double begin, double end) {
  const double t = std::clamp((value - begin) / (end - begin), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

double quantile_of(std::vector<double>& values, double part) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

template <class Number>
double quantile_over(const auto& items, double part, Number&& number) {
  std::vector<double> values;
  values.reserve(std::size(items));
  for (const auto& item : items) {
    values.push_back(number(item));
  }
  return quantile_of(values, part);
}

/// Noise that is at least what steps of coordinates cause.
void add_quantisation(ResidualCurve& curve) {
  const double step = std::sqrt(12.0) * curve.quantisation;
  const double least =
      curve.quantisation * (1.0 + more_for_wide_steps * smooth_step(step / curve.spacing, narrow_steps, wide_steps));
  for (double& deviation : curve.deviation) {
    deviation = std::max(deviation, least);
  }
}

/// Curves at places, all of which show a surface.
struct Survey {
  std::vector<Vec3> places;
  std::vector<ResidualCurve> curves;
  bool is_quantised = false;
};

Survey measure_curves(const std::vector<Vec3>& points, const std::vector<std::uint32_t>& sample,
                      const NeighbourSearch& search, const ExecutionContext& context) {
  std::vector<ResidualCurve> all(sample.size());
  const auto measure = [&](const std::vector<QuantisedDirection>& directions) {
    parallel_for(context, sample.size(), 16,
                 [&](std::size_t s) { all[s] = residual_curve(points, search, points[sample[s]], directions); });
  };
  const std::vector<QuantisedDirection> directions =
      find_quantised_directions(points, search, estimate_spacing(points, context), context);
  measure(directions);
  bool is_quantised = false;
  if (!directions.empty()) {
    std::vector<double> ratios;
    for (const ResidualCurve& curve : all) {
      if (curve.first_size > 0 && curve.quantisation > 0.0) {
        ratios.push_back(curve.deviation[0] / curve.quantisation);
      }
    }
    if (ratios.size() >= fewest_smooth_places && quantile_of(ratios, 0.5) > least_part_of_steps) {
      std::ranges::for_each(all, add_quantisation);
      is_quantised = true;
    } else {
      measure({});
    }
  }
  Survey survey;
  survey.is_quantised = is_quantised;
  for (std::size_t s = 0; s < sample.size(); ++s) {
    if (all[s].first_size > 0) {
      survey.places.push_back(points[sample[s]]);
      survey.curves.push_back(all[s]);
    }
  }
  return survey;
}

/// What the places around one say together.
struct Region {
  std::array<double, ResidualCurve::sizes> noise{};  ///< by the region quantile
  double local = 0.0;                                ///< by the nearest few that are smooth
  bool has_smooth_places = false;                    ///< enough of them
  double kurtosis = 0.0;
  double spacing = 0.0;
};

Region region_around(const Survey& survey, std::span<const std::uint32_t> members) {
  Region region;
  for (std::size_t k = 0; k < ResidualCurve::sizes; ++k) {
    region.noise[k] = quantile_over(members, region_quantile, [&](std::uint32_t m) {
      const ResidualCurve& curve = survey.curves[m];
      return curve.deviation[k] / chi_quantile(static_cast<double>(curve.first_size << k) - 6.0);
    });
  }
  const auto first = [&](std::uint32_t m) { return survey.curves[m].deviation[0]; };
  std::vector<std::uint32_t> smooth;
  const std::span<const std::uint32_t> nearest = members.first(std::min(nearest_places, members.size()));
  std::ranges::copy_if(nearest, std::back_inserter(smooth), [&](std::uint32_t m) {
    const ResidualCurve& curve = survey.curves[m];
    return curve.deviation[1] <= smooth_growth * curve.deviation[0] &&
           (curve.kurtosis > kurtosis_of_sheets || curve.quantisation > 0.0 || curve.deviation[0] == 0.0);
  });
  region.has_smooth_places = smooth.size() >= fewest_smooth_nearby;
  region.local = region.has_smooth_places ? quantile_over(smooth, 0.5, first) : 0.0;
  const double limit = quantile_over(members.first(std::min(places_for_limit, members.size())), region_quantile, first);
  region.local = std::min(region.local, most_above_quantile * limit);
  region.kurtosis = quantile_over(members, 0.5, [&](std::uint32_t m) { return survey.curves[m].kurtosis; });
  region.spacing = quantile_over(members, 0.5, [&](std::uint32_t m) { return survey.curves[m].spacing; });
  return region;
}

/// By what factor a doubling of the neighbourhood adds to the residual of a region.
double growth_at(const Region& region, std::size_t doubling) {
  const double before = region.noise[doubling];
  const double after = region.noise[doubling + 1];
  return before > 0.0 ? after / before : after > 0.0 ? 1e9 : 1.0;
}

double largest_growth(const Region& region) { return std::max(growth_at(region, 0), growth_at(region, 1)); }

/// By what factor noise is larger than the smallest neighbourhoods show it, because it is correlated.
double growth_of_noise(const Region& region) {
  if (region.kurtosis > heavy_tails || region.noise[0] <= 0.0) {
    return 1.0;
  }
  const double first = growth_at(region, 0);
  const double second = growth_at(region, 1);
  if (second > 1.05 * first) {
    return 1.0;  // shape, which adds more each time
  }
  const double growth = std::max(first, 1.0) * std::max(second, 1.0);
  const double certainty =
      smooth_step(growth, little_growth, clear_growth) *
      (1.0 - smooth_step(std::max(first, second), most_growth_of_noise, least_growth_of_shape)) *
      (1.0 - smooth_step(region.noise[0] / region.spacing, strongest_with_growth, too_strong_for_growth));
  return std::pow(growth, certainty);
}

}  // namespace

NoiseField estimate_noise_field(const std::vector<Vec3>& points, const std::vector<bool>& counts,
                                const NeighbourSearch& search, const ExecutionContext& context) {
  const NoiseLevel whole = estimate_noise_level(points, search, context);
  const bool has_surface = whole.noise > 0.0 || whole.noise.uncertainty == 0.0;
  if (!has_surface) {
    return NoiseField::constant(whole.noise);
  }
  std::vector<std::uint32_t> sample = intrinsic_order(points, context);
  if (!counts.empty()) {
    std::erase_if(sample, [&](std::uint32_t p) { return !counts[p]; });
  }
  const std::size_t wanted = std::min(std::clamp(points.size() / 10, fewest_places, most_places), sample.size());
  for (std::size_t s = 0; s < wanted; ++s) {
    sample[s] = sample[s * sample.size() / wanted];
  }
  sample.resize(wanted);
  const Survey survey = measure_curves(points, sample, search, context);
  if (4 * survey.places.size() < wanted || survey.places.size() < fewest_smooth_places) {
    return NoiseField::constant(whole.noise);
  }

  const NeighbourSearch near(survey.places, context);
  const std::size_t in_region =
      std::min(std::max(survey.places.size() / part_in_region, fewest_in_region), survey.places.size());
  std::vector<Region> regions(survey.places.size());
  parallel_blocks(context, regions.size(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> members(in_region);
    std::vector<double> squares(in_region);
    for (std::size_t r = begin; r < end; ++r) {
      near.nearest(survey.places[r], members, squares);
      regions[r] = region_around(survey, members);
    }
  });
  const auto noise_at = [&](double part) {
    return quantile_over(regions, part, [](const Region& region) { return region.noise[0]; });
  };
  const auto spacing_at = [&](double part) {
    return quantile_over(regions, part, [](const Region& region) { return region.spacing; });
  };
  const double spacing = spacing_at(0.5);
  const double unevenness = spacing_at(0.98) / spacing_at(0.02);
  const double high = noise_at(0.9);
  const double low = noise_at(0.1);
  const double middle = noise_at(0.5);
  const double contrast = high > 0.0 ? high / std::max(low, 1e-6 * high) : 1.0;
  // Residuals that grow like those of a shape say nothing about noise. Correlated noise is the same everywhere.
  const bool is_correlated = contrast < same_everywhere && unevenness < even_spacing &&
                             quantile_over(regions, 0.5, growth_of_noise) > little_growth;
  const bool is_shape = !is_correlated && quantile_over(regions, 0.5, largest_growth) > shape_growth;
  const double varies = is_shape
                            ? 0.0
                            : smooth_step(std::log(contrast), std::log(same_everywhere), std::log(surely_different)) *
                                  (1.0 - smooth_step(middle / spacing, strongest_to_compare, too_strong)) *
                                  (1.0 - smooth_step(unevenness, uneven_spacing, too_uneven));
  const bool two_sheets = whole.sheet_gap > least_sheet_gap * spacing;
  const bool is_whole_right = two_sheets || is_shape || unevenness > uneven_spacing || contrast > same_everywhere ||
                              whole.noise > least_part_of_regions * middle;
  const double common = is_whole_right ? whole.noise.value : middle;

  NoiseField field;
  double squares = 0.0;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const Region& region = regions[r];
    const double least = 1e-3 * region.spacing;
    const double local = region.has_smooth_places ? region.local : is_shape ? 0.0 : low;
    // Where residuals grow like those of a shape, in vegetation and rubble, a place has no noise of its own. Steps make
    // noise that depends on how the surface lies.
    const double own =
        survey.is_quantised
            ? 1.0
            : varies * (1.0 - smooth_step(largest_growth(region), own_noise_growth, no_own_noise_growth));
    double noise = std::pow(std::max(common, least), 1.0 - own) * std::pow(std::max(local, least), own);
    noise *= is_correlated && !two_sheets ? growth_of_noise(region) : 1.0;
    field.places.push_back({survey.places[r], noise, region.spacing});
    squares += noise * noise;
  }
  const double level = std::sqrt(squares / static_cast<double>(regions.size()));
  const double relative_uncertainty = whole.noise > 0.0 ? std::max(whole.noise.uncertainty / whole.noise, 0.05) : 0.1;
  field.level = {level, level * relative_uncertainty};
  const double kurtosis = quantile_over(regions, 0.5, [](const Region& region) { return region.kurtosis; });
  field.has_heavy_tails = unevenness < even_spacing && kurtosis > (is_shape ? heavy_tails : some_tails);
  return field;
}

std::vector<double> NoiseField::at(const std::vector<Vec3>& points, const ExecutionContext& context) const {
  if (places.size() <= 1) {
    return std::vector<double>(points.size(), places.empty() ? 0.0 : places.front().noise);
  }
  constexpr std::size_t most = 9;
  std::vector<Vec3> centres(places.size());
  std::ranges::transform(places, centres.begin(), &Place::point);
  const NeighbourSearch search(centres, context);
  std::vector<double> values(points.size());
  parallel_for(context, points.size(), 1024, [&](std::size_t p) {
    std::array<std::uint32_t, most> indices{};
    std::array<double, most> squares{};
    const std::size_t count = search.nearest(points[p], indices, squares);
    // Weights that fall to 0 at the last one: the field has no steps where another place becomes the nearest.
    const double end = std::sqrt(squares[count - 1]);
    double sum = 0.0;
    double weights = 0.0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const double nearness = end > 0.0 ? 1.0 - std::sqrt(squares[i]) / end : 1.0;
      const double weight = nearness * nearness + 1e-12;
      sum += weight * std::log(places[indices[i]].noise);
      weights += weight;
    }
    values[p] = std::exp(sum / weights);
  });
  return values;
}

}  // namespace burnish
