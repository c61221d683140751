#pragma once

#include <memory>

#include "evaluate/solid.hpp"

namespace burnish {

[[nodiscard]] std::unique_ptr<const Solid> make_cube();
[[nodiscard]] std::unique_ptr<const Solid> make_part();

}  // namespace burnish
