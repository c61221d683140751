#include "tiles/plan_json.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "burnish/error.hpp"

namespace burnish::tiles {
namespace {

using Json = nlohmann::json;
using namespace automatic;

constexpr const char* smooth_patches = "smooth patches";
constexpr const char* agree_on_fits = "agree on fits";
constexpr const char* remove_tangential_noise = "remove tangential noise";
constexpr const char* equalise_spacing = "equalise spacing";
constexpr const char* agree_on_quadrics = "agree on quadrics";
constexpr const char* restrain = "restrain";

struct ToJson {
  Json operator()(const SmoothPatches& s) const {
    return {{"step", smooth_patches},   {"patch_size", s.patch_size}, {"centre_distance", s.centre_distance},
            {"rotations", s.rotations}, {"noise", s.noise},           {"fidelity", s.fidelity},
            {"epsilon", s.epsilon}};
  }
  Json operator()(const AgreeOnFits& s) const {
    return {{"step", agree_on_fits},
            {"centre_distance", s.centre_distance},
            {"is_strict", s.is_strict},
            {"noise_left", s.noise_left}};
  }
  Json operator()(const RemoveTangentialNoise& s) const {
    return {{"step", remove_tangential_noise}, {"noise_left", s.noise_left}};
  }
  Json operator()(const EqualiseSpacing&) const { return {{"step", equalise_spacing}}; }
  Json operator()(const AgreeOnQuadrics& s) const {
    return {{"step", agree_on_quadrics},
            {"centre_distance", s.centre_distance},
            {"is_strict", s.is_strict},
            {"noise_left", s.noise_left}};
  }
  Json operator()(const Restrain& s) const {
    return {{"step", restrain}, {"centre_distance", s.centre_distance}, {"noise_taken", s.noise_taken}};
  }
};

void require(bool holds) {
  if (!holds) {
    throw Error("the plan of the run has an invalid step");
  }
}

/// A number that is above 0 in every plan.
double positive_in(const Json& value) {
  const double found = size_in(value);
  require(found > 0.0);
  return found;
}

/// An upper limit, far above the number in any plan.
std::vector<double> positive_numbers_in(const Json& values) {
  constexpr std::size_t most = 100;
  require(values.is_array() && !values.empty() && values.size() <= most);
  std::vector<double> found;
  std::ranges::transform(values, std::back_inserter(found), positive_in);
  return found;
}

Step step_from(const Json& json) {
  const auto kind = json.at("step").get<std::string>();
  if (kind == smooth_patches) {
    const double patch_size = size_in(json.at("patch_size"));
    require(patch_size >= 4.0 && patch_size <= 254.0);
    return SmoothPatches{static_cast<unsigned>(patch_size), positive_in(json.at("centre_distance")),
                         json.at("rotations").get<bool>(),  positive_in(json.at("noise")),
                         positive_in(json.at("fidelity")),  positive_numbers_in(json.at("epsilon"))};
  }
  if (kind == agree_on_fits) {
    return AgreeOnFits{positive_in(json.at("centre_distance")), json.at("is_strict").get<bool>(),
                       positive_numbers_in(json.at("noise_left"))};
  }
  if (kind == remove_tangential_noise) {
    return RemoveTangentialNoise{positive_in(json.at("noise_left"))};
  }
  if (kind == agree_on_quadrics) {
    return AgreeOnQuadrics{positive_in(json.at("centre_distance")), json.at("is_strict").get<bool>(),
                           positive_in(json.at("noise_left"))};
  }
  if (kind == restrain) {
    return Restrain{positive_in(json.at("centre_distance")), positive_in(json.at("noise_taken"))};
  }
  require(kind == equalise_spacing);
  return EqualiseSpacing{};
}

}  // namespace

double number_in(const Json& value) {
  const auto found = value.get<double>();
  if (!std::isfinite(found)) {
    throw Error("the plan of the run has a number that is not finite");
  }
  return found;
}

double size_in(const Json& value) {
  const double found = number_in(value);
  if (found < 0.0) {
    throw Error("the plan of the run has a number that is negative");
  }
  return found;
}

Json to_json(const Plan& plan) {
  Json steps = Json::array();
  for (const Step& step : plan) {
    steps.push_back(std::visit(ToJson{}, step));
  }
  return steps;
}

Plan plan_from(const Json& steps) {
  constexpr std::size_t most = 100;
  require(steps.is_array() && steps.size() <= most);
  Plan plan;
  std::ranges::transform(steps, std::back_inserter(plan), step_from);
  return plan;
}

}  // namespace burnish::tiles
