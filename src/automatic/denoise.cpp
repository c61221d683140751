#include "burnish/denoise.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "automatic/analyse.hpp"
#include "automatic/run_plan.hpp"
#include "core/check_coordinates.hpp"
#include "geometry/scanner_directions.hpp"
#include "geometry/working_points.hpp"

namespace burnish {

struct Analysis::Internals {
  Vec3 origin;  ///< of the coordinates in the analysis
  automatic::ChosenPlan chosen;
  DenoiseFindings findings;

  static std::shared_ptr<const Internals> of(const WorkingPoints& working, const automatic::Sights& sights,
                                             const DenoiseSettings& settings, const ExecutionContext& context) {
    automatic::ChosenPlan chosen =
        automatic::analyse(automatic::take_samples(working.points, context), sights, settings, context);
    DenoiseFindings findings = automatic::findings_of(chosen);
    return std::make_shared<const Internals>(Internals{working.origin, std::move(chosen), std::move(findings)});
  }

  [[nodiscard]] DenoiseResult run(std::span<const Vec3> positions, const WorkingPoints& working,
                                  const automatic::Sights& sights, const ExecutionContext& context) const {
    const automatic::PlanResult done =
        working.points.size() <= automatic::piece_size
            ? automatic::run_plan(chosen, working.points, sights, context)
            : automatic::run_plan_in_pieces(chosen, working.points, sights, automatic::piece_size, context);
    DenoiseResult result = automatic::to_result(chosen, done, working, positions);
    static_cast<DenoiseFindings&>(result) = findings;
    context.report("denoising", 1.0);
    return result;
  }
};

namespace {

/// A plan suits only clouds of about the spacing for which it was chosen.
constexpr double largest_spacing_ratio = 3.0;

WorkingPoints checked_points(std::span<const Vec3> positions, const DenoiseSettings& settings,
                             const ExecutionContext& context) {
  automatic::check(settings);
  check_coordinates(positions);
  if (!settings.scanner_positions.empty() && settings.scanner_positions.size() != positions.size()) {
    throw Error(fmt::format("there are {} scanner positions for {} points: give one for each point, or none",
                            settings.scanner_positions.size(), positions.size()));
  }
  return working_points(positions, context);
}

automatic::Sights sights_of(std::span<const Vec3> positions, const WorkingPoints& working,
                            const DenoiseSettings& settings, const ExecutionContext& context) {
  if (settings.scanner_positions.empty()) {
    return {};
  }
  std::vector<Vec3> directions = scanner_directions(positions, working, settings.scanner_positions);
  return directions.empty() ? automatic::Sights() : automatic::Sights(working.points, std::move(directions), context);
}

}  // namespace

const DenoiseFindings& Analysis::findings() const { return internals_->findings; }

std::vector<double> Analysis::noise_at(std::span<const Vec3> points, const ExecutionContext& context) const {
  std::vector<Vec3> places(points.size());
  std::ranges::transform(points, places.begin(), [&](const Vec3& p) {
    return is_finite(p) ? Vec3(p - internals_->origin) : Vec3(Vec3::Zero());
  });
  std::vector<double> noise = internals_->chosen.field.at(places, context);
  for (std::size_t i = 0; i < points.size(); ++i) {
    noise[i] = is_finite(points[i]) ? noise[i] / internals_->chosen.strength : 0.0;
  }
  return noise;
}

Analysis analyse(std::span<const Vec3> positions, const DenoiseSettings& settings, const ExecutionContext& context) {
  const WorkingPoints working = checked_points(positions, settings, context);
  return Analysis(
      Analysis::Internals::of(working, sights_of(positions, working, settings, context), settings, context));
}

DenoiseResult denoise(std::span<const Vec3> positions, const Analysis& analysis, const ExecutionContext& context) {
  check_coordinates(positions);
  const WorkingPoints working = working_points(positions, analysis.internals_->origin, context);
  const double expected = analysis.findings().spacing;
  const double spacing = estimate_spacing(working.points, context);
  DenoiseResult result = analysis.internals_->run(positions, working, {}, context);
  const bool is_known = spacing > 0.0;  // it is not of a few points
  if (is_known && (spacing > largest_spacing_ratio * expected || largest_spacing_ratio * spacing < expected)) {
    result.warnings.push_back(
        fmt::format("the spacing is {:.3g}, but that of the analysed cloud is {:.3g}: its plan "
                    "may not suit this cloud. Analyse this one",
                    spacing, expected));
  }
  return result;
}

DenoiseResult denoise(std::span<const Vec3> positions, const DenoiseSettings& settings,
                      const ExecutionContext& context) {
  const WorkingPoints working = checked_points(positions, settings, context);
  const automatic::Sights sights = sights_of(positions, working, settings, context);
  return Analysis::Internals::of(working, sights, settings, context)->run(positions, working, sights, context);
}

}  // namespace burnish
