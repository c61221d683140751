#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "burnish/point_cloud.hpp"

// Values of options that several commands take.

namespace burnish::cli {

/// A number above 0.
[[nodiscard]] CLI::Validator above_zero();

struct Box {
  Vec3 low;
  Vec3 high;
};

/// A box from two of its corners, "X,Y,Z,X,Y,Z". Throws CLI::ValidationError about --box if the text is none.
[[nodiscard]] Box parse_box(const std::string& text);

}  // namespace burnish::cli
