#include "evaluate/machined.hpp"

namespace burnish {

std::unique_ptr<const Solid> make_cube() {
  auto cube = std::make_unique<Solid>();
  cube->extrude(Frame({0, 0, -0.5}, Vec3::UnitX(), Vec3::UnitY()), rectangle({-0.5, -0.5}, {0.5, 0.5}), 1.0);
  return cube;
}

/// A bracket: a foot with an upright and a thin fin, milled from one profile, then drilled.
///
///     ╭┐
///     ││  ← hole across the upright
///     ││             ║   ← fin, 0.03 thick, with a slot
///     │╰────────────╯╚═══╮
///     └──────────────────┘  ← two holes and a slot through the foot
std::unique_ptr<const Solid> make_part() {
  constexpr double length = 1.0;
  constexpr double width = 0.6;
  constexpr double height = 0.7;
  constexpr double wall = 0.12;
  constexpr double fin_left = 0.70;
  constexpr double fin_right = 0.73;
  constexpr double fin_top = 0.42;

  // The profile, x to the right and z up, runs along y. The lower left corner of its middle section is `corner`.
  const Vec3 corner(-0.5 * length, 0.0, -0.5 * height);
  const Frame side(corner + Vec3(0, 0.5 * width, 0), Vec3::UnitX(), Vec3::UnitZ());
  const Loop profile = rounded_polygon({{{0, 0}, 0},
                                        {{length, 0}, 0},
                                        {{length, wall}, 0.05},
                                        {{fin_right, wall}, 0},
                                        {{fin_right, fin_top}, 0},
                                        {{fin_left, fin_top}, 0},
                                        {{fin_left, wall}, 0.04},
                                        {{wall, wall}, 0.10},
                                        {{wall, height}, 0},
                                        {{0, height}, 0.08}});
  auto part = std::make_unique<Solid>();
  part->extrude(side, profile, width);

  const auto from_below = [&](double x, double y) {
    return Frame(corner + Vec3(x, y, 0), Vec3::UnitX(), Vec3::UnitY());
  };
  part->drill(from_below(0.42, -0.16), circle({0, 0}, 0.07), wall);
  part->drill(from_below(0.42, 0.16), circle({0, 0}, 0.07), wall);
  part->drill(from_below(0.84, 0), rectangle({-0.04, -0.15}, {0.04, 0.15}, 0.04), wall);

  const auto from_left = [&](double x, double z) {
    return Frame(corner + Vec3(x, 0, z), Vec3::UnitY(), Vec3::UnitZ());
  };
  part->drill(from_left(0, 0.46), circle({0, 0}, 0.12), wall);
  part->drill(from_left(0.65, 0.28), rectangle({-0.18, -0.05}, {0.18, 0.05}, 0.05), 0.1);
  return part;
}

}  // namespace burnish
