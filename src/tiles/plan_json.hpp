#pragma once

#include <nlohmann/json.hpp>

#include "automatic/plan.hpp"

namespace burnish::tiles {

/// A number that is not negative. Throws Error otherwise.
[[nodiscard]] double size_in(const nlohmann::json& value);

/// A finite number. Throws Error otherwise.
[[nodiscard]] double number_in(const nlohmann::json& value);

/// The steps of a plan as JSON.
[[nodiscard]] nlohmann::json to_json(const automatic::Plan& plan);

/// Throws Error, or an exception of the parser, if a step is unknown or invalid.
[[nodiscard]] automatic::Plan plan_from(const nlohmann::json& steps);

}  // namespace burnish::tiles
