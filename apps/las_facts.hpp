#pragma once

#include <string>
#include <string_view>

#include "json.hpp"

namespace burnish::cli {

/// What the header of a LAS file says, from the bytes that a cloud keeps of it: version, point_format and
/// scale; what is missing or damaged is left out.
[[nodiscard]] Json las_facts(std::string_view header);

}  // namespace burnish::cli
