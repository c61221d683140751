#include "tiles/tile_method.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "automatic/choice.hpp"
#include "automatic/follow.hpp"
#include "burnish/error.hpp"
#include "geometry/working_points.hpp"
#include "tiles/survey.hpp"

namespace burnish::tiles {
namespace {

using Json = nlohmann::json;

/// What tiles are denoised by: the choice for the whole cloud, and what all points are centred on, so that they have
/// the same digits whichever tile they are in.
struct Method {
  automatic::Choice choice;
  Vec3 origin = Vec3::Zero();
};

std::string text_of(const Method& method) {
  const automatic::Choice& choice = method.choice;
  const automatic::Plan& plan = choice.plan;
  Json field = Json::array();
  for (const NoiseField::Place& place : choice.field.places) {
    field.push_back({place.point[0], place.point[1], place.point[2], place.noise});
  }
  return Json{{"spacing", choice.spacing},
              {"noise", {choice.noise.value, choice.noise.uncertainty}},
              {"measured_noise", {choice.measured_noise.value, choice.measured_noise.uncertainty}},
              {"decision", static_cast<int>(choice.decision)},
              {"strength", choice.strength},
              {"field", std::move(field)},
              {"typical_distance", choice.strays.typical_distance},
              {"farthest_pull", choice.strays.farthest_pull},
              {"expected_error", choice.expected_error},
              {"take_out", plan.noise},
              {"patch_size", plan.patch_size},
              {"patches_apart", plan.patches_apart},
              {"turns", plan.turns},
              {"fidelity", plan.fidelity},
              {"epsilon", plan.epsilon},
              {"windows_apart", plan.windows_apart},
              {"is_strict", plan.is_strict},
              {"last_quadrics", plan.last_quadrics},
              {"evening", plan.evening},
              {"restraint", plan.restraint},
              {"origin", {method.origin[0], method.origin[1], method.origin[2]}}}
      .dump();
}

Method to_method(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    const auto number = [](const Json& value) {
      const auto found = value.get<double>();
      if (!std::isfinite(found)) {
        throw Error("the plan of the run has a number that is not finite");
      }
      return found;
    };
    const auto size = [&](const Json& value) {
      const double found = number(value);
      if (found < 0.0) {
        throw Error("the plan of the run has a number that is negative");
      }
      return found;
    };
    Method method;
    automatic::Choice& choice = method.choice;
    automatic::Plan& plan = choice.plan;
    choice.spacing = size(json.at("spacing"));
    choice.noise = {size(json.at("noise").at(0)), size(json.at("noise").at(1))};
    choice.measured_noise = {size(json.at("measured_noise").at(0)), size(json.at("measured_noise").at(1))};
    const double decision = size(json.at("decision"));
    choice.decision = decision <= static_cast<double>(Decision::no_gain)
                          ? static_cast<Decision>(static_cast<std::uint8_t>(decision))
                          : Decision::denoise;
    choice.strength = size(json.at("strength"));
    if (!(choice.strength > 0.0)) {
      throw Error("the plan of the run has a strength that is not above 0");
    }
    for (const Json& place : json.at("field")) {
      choice.field.places.push_back(
          {Vec3(number(place.at(0)), number(place.at(1)), number(place.at(2))), size(place.at(3)), 0.0});
    }
    choice.field.level = choice.noise;
    choice.strays = {size(json.at("typical_distance")), size(json.at("farthest_pull"))};
    choice.expected_error = size(json.at("expected_error"));
    plan.noise = size(json.at("take_out"));
    const double patch_size = size(json.at("patch_size"));
    plan.patch_size = patch_size <= 254.0 ? static_cast<unsigned>(patch_size) : 0;
    plan.patches_apart = size(json.at("patches_apart"));
    plan.turns = json.at("turns").get<bool>();
    plan.fidelity = size(json.at("fidelity"));
    std::ranges::transform(json.at("epsilon"), std::back_inserter(plan.epsilon), size);
    plan.windows_apart = size(json.at("windows_apart"));
    plan.is_strict = json.at("is_strict").get<bool>();
    plan.last_quadrics = json.at("last_quadrics").get<bool>();
    plan.evening = json.at("evening").get<bool>();
    plan.restraint = json.at("restraint").get<bool>();
    for (const int axis : {0, 1, 2}) {
      method.origin[axis] = number(json.at("origin").at(static_cast<std::size_t>(axis)));
    }
    // Far from what any choice asks for; denoising does not look again.
    const bool has_patches = !plan.epsilon.empty();
    const auto is_bad = [](const NoiseField::Place& place) {
      return !(place.noise > 1e-150 && place.noise < 1e150 && place.point.cwiseAbs().maxCoeff() < 1e150);
    };
    if (choice.field.places.empty() ||
        (choice.field.places.size() > 1 && std::ranges::any_of(choice.field.places, is_bad))) {
      throw Error("the plan of the run has a noise field that cannot be used");
    }
    if (has_patches && (plan.patch_size < 4 || plan.epsilon.size() > 100 || !(plan.patches_apart > 0.0) ||
                        !(plan.fidelity > 0.0) || !(plan.noise > 0.0))) {
      throw Error("the plan of the run asks for what cannot be done");
    }
    return method;
  } catch (const Json::exception&) {
    throw Error("the plan of the run is damaged");
  }
}

}  // namespace

std::string choose_method(const std::filesystem::path& folder, const Plan& plan, const DenoiseSettings& settings,
                          const ExecutionContext& context) {
  Method method;
  method.origin = origin_of(plan);
  method.choice = automatic::choose(take_samples(folder, plan, context), settings, context);
  return text_of(method);
}

DenoiseFindings findings_of(const Plan& plan) { return automatic::findings_of(to_method(plan.method).choice); }

TileMethod method_of(const Plan& plan) {
  const Method method = to_method(plan.method);
  TileMethod tiled;
  tiled.reach_in_spacings = method.choice.plan.does_nothing() ? 0.0 : automatic::reach(method.choice.plan);
  tiled.denoise = [method](std::span<const Vec3> points, const ExecutionContext& context) {
    const WorkingPoints working = working_points(points, method.origin, context);
    const automatic::Followed followed = automatic::follow(method.choice, working.points, context);
    std::vector<bool> is_outlier(working.points.size(), false);
    for (const std::uint32_t p : followed.outliers) {
      is_outlier[p] = true;
    }
    DenoisedTile tile(working.restore(points, followed.points));
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      if (working.place[i] != WorkingPoints::absent && is_outlier[working.place[i]]) {
        tile.outliers.push_back(i);
      }
    }
    return tile;
  };
  return tiled;
}

}  // namespace burnish::tiles
