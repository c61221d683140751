#include "burnish/picture.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <span>

#include "burnish/io.hpp"
#include "burnish/shapes.hpp"

// burnish_picture SHAPE OUT.png CLOUD [CLOUD …]: clouds of a synth shape side by side, lit from the viewer, coloured by
// their distance from the true surface: grey is none, red is as much as the first cloud has on the whole.

int main(int argc, char** argv) {
  using namespace burnish;
  constexpr std::size_t panel_width = 620;
  constexpr std::size_t panel_height = 560;
  try {
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    if (arguments.size() < 4) {
      std::fputs("usage: burnish_picture SHAPE OUT.png CLOUD [CLOUD …]\n", stderr);
      return 2;
    }
    const auto shape = make_shape(arguments[1]);
    const std::size_t panels = arguments.size() - 3;
    Image image(panels * panel_width, panel_height);
    double full_error = 0.0;
    for (std::size_t panel = 0; panel < panels; ++panel) {
      const std::vector<Vec3> points = read(arguments[3 + panel]).positions;
      std::vector<double> errors(points.size());
      std::ranges::transform(points, errors.begin(), [&](const Vec3& p) { return shape->distance(p); });
      if (panel == 0) {
        full_error = 2.0 * std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(points.size());
      }
      std::ranges::for_each(errors, [&](double& error) { error /= full_error; });
      draw_points(points, errors, View{}, panel * panel_width, panel_width, image);
    }
    write_png(arguments[2], image);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "burnish_picture: %s\n", error.what());
    return 1;
  }
}
