#pragma once

#include <nlohmann/json.hpp>

namespace burnish::cli {

using Json = nlohmann::ordered_json;

}  // namespace burnish::cli
