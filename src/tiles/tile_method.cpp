#include "tiles/tile_method.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "automatic/analyse.hpp"
#include "automatic/run_plan.hpp"
#include "burnish/error.hpp"
#include "geometry/scanner_directions.hpp"
#include "geometry/working_points.hpp"
#include "tiles/plan_json.hpp"
#include "tiles/survey.hpp"

namespace burnish::tiles {
namespace {

using Json = nlohmann::json;

/// The method for all tiles: the plan for the whole cloud, and the origin of all points, so that they are rounded in
/// the same way in every tile.
struct StoredMethod {
  automatic::ChosenPlan chosen;
  Vec3 origin = Vec3::Zero();
};

std::string text_of(const StoredMethod& method) {
  const automatic::ChosenPlan& chosen = method.chosen;
  Json field = Json::array();
  for (const NoiseField::Place& place : chosen.field.places) {
    field.push_back({place.point[0], place.point[1], place.point[2], place.noise});
  }
  return Json{{"spacing", chosen.spacing},
              {"noise", {chosen.noise.value, chosen.noise.uncertainty}},
              {"measured_noise", {chosen.measured_noise.value, chosen.measured_noise.uncertainty}},
              {"decision", static_cast<int>(chosen.decision)},
              {"strength", chosen.strength},
              {"field", std::move(field)},
              {"typical_distance", chosen.strays.typical_distance},
              {"farthest_pull", chosen.strays.farthest_pull},
              {"expected_error", chosen.expected_error},
              {"is_error_rough", chosen.is_error_rough},
              {"steps", to_json(chosen.plan)},
              {"origin", {method.origin[0], method.origin[1], method.origin[2]}}}
      .dump();
}

StoredMethod to_method(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    StoredMethod method;
    automatic::ChosenPlan& chosen = method.chosen;
    chosen.spacing = size_in(json.at("spacing"));
    chosen.noise = {size_in(json.at("noise").at(0)), size_in(json.at("noise").at(1))};
    chosen.measured_noise = {size_in(json.at("measured_noise").at(0)), size_in(json.at("measured_noise").at(1))};
    const double decision = size_in(json.at("decision"));
    chosen.decision = decision <= static_cast<double>(Decision::no_gain)
                          ? static_cast<Decision>(static_cast<std::uint8_t>(decision))
                          : Decision::denoise;
    chosen.strength = size_in(json.at("strength"));
    if (!(chosen.strength > 0.0)) {
      throw Error("the plan of the run has a strength that is not above 0");
    }
    for (const Json& place : json.at("field")) {
      chosen.field.places.push_back(
          {Vec3(number_in(place.at(0)), number_in(place.at(1)), number_in(place.at(2))), size_in(place.at(3)), 0.0});
    }
    chosen.field.level = chosen.noise;
    chosen.strays = {size_in(json.at("typical_distance")), size_in(json.at("farthest_pull"))};
    chosen.expected_error = size_in(json.at("expected_error"));
    chosen.is_error_rough = json.at("is_error_rough").get<bool>();
    chosen.plan = plan_from(json.at("steps"));
    for (const int axis : {0, 1, 2}) {
      method.origin[axis] = number_in(json.at("origin").at(static_cast<std::size_t>(axis)));
    }
    const auto is_bad = [](const NoiseField::Place& place) {
      return !(place.noise > 1e-150 && place.noise < 1e150 && place.point.cwiseAbs().maxCoeff() < 1e150);
    };
    if (chosen.field.places.empty() ||
        (chosen.field.places.size() > 1 && std::ranges::any_of(chosen.field.places, is_bad))) {
      throw Error("the plan of the run has a noise field that cannot be used");
    }
    return method;
  } catch (const Json::exception&) {
    throw Error("the plan of the run is damaged");
  }
}

}  // namespace

std::string choose_method(const std::filesystem::path& folder, const TilingPlan& plan, const DenoiseSettings& settings,
                          const ExecutionContext& context) {
  StoredMethod method;
  method.origin = origin_of(plan);
  const automatic::Samples samples = take_samples(folder, plan, context);
  method.chosen = automatic::analyse(samples, sights_of(samples, folder, plan, context), settings, context);
  return text_of(method);
}

DenoiseFindings findings_of(const TilingPlan& plan) { return automatic::findings_of(to_method(plan.method).chosen); }

TileMethod method_of(const TilingPlan& plan) {
  const StoredMethod method = to_method(plan.method);
  TileMethod tiled;
  tiled.halo_radius_in_spacings = method.chosen.plan.empty() ? 0.0 : automatic::halo_radius(method.chosen.plan);
  tiled.denoise = [method](std::span<const Vec3> points, std::span<const Vec3> scanner_positions,
                           const ExecutionContext& context) {
    const WorkingPoints working = working_points(points, method.origin, context);
    std::vector<Vec3> directions = scanner_directions(points, working, scanner_positions);
    const automatic::Sights sights =
        directions.empty() ? automatic::Sights() : automatic::Sights(working.points, std::move(directions), context);
    const automatic::PlanResult done = automatic::run_plan(method.chosen, working.points, sights, context);
    std::vector<bool> is_outlier(working.points.size(), false);
    for (const std::uint32_t p : done.outliers) {
      is_outlier[p] = true;
    }
    DenoisedTile tile(working.restore(points, done.points));
    tile.noise.assign(points.size(), 0.0);
    tile.variance.assign(points.size(), 0.0);
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      const std::uint32_t place = working.place[i];
      if (place != WorkingPoints::absent) {
        tile.noise[i] = done.noise[place] / method.chosen.strength;
        tile.variance[i] = done.variance[place];
        if (is_outlier[place]) {
          tile.outliers.push_back(i);
        }
      }
    }
    return tile;
  };
  return tiled;
}

}  // namespace burnish::tiles
