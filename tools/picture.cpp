#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>

#include "burnish/estimate.hpp"
#include "burnish/io.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/shapes.hpp"
#include "geometry/frames.hpp"
#include "png.hpp"

// burnish_picture SHAPE OUT.png CLOUD [CLOUD …]: clouds of a synth shape side by side, lit from the viewer, coloured by
// their distance from the true surface: grey is none, red is as much as the first cloud has on the whole.

namespace {

using namespace burnish;

constexpr std::size_t panel_width = 620;
constexpr std::size_t panel_height = 560;

Vec3 normal_at(const Vec3& p, std::span<const Vec3> points, const NeighbourSearch& search) {
  std::uint32_t indices[16];
  double distances[16];
  const std::size_t found = search.nearest(p, indices, distances);
  std::vector<Vec3> neighbours;
  for (std::size_t i = 0; i < found; ++i) {
    neighbours.push_back(points[indices[i]]);
  }
  return principal_frame(neighbours).axes.col(2);
}

Colour shade(double light, double error) {
  const Vec3 clean(0.80, 0.83, 0.86);
  const Vec3 wrong(0.86, 0.16, 0.10);
  const Vec3 colour = (clean + std::min(1.0, error) * (wrong - clean)) * (0.35 + 0.65 * light) * 255.0;
  return {static_cast<std::uint8_t>(colour.x()), static_cast<std::uint8_t>(colour.y()),
          static_cast<std::uint8_t>(colour.z())};
}

void draw(const std::vector<Vec3>& points, const Shape& shape, double full_error, std::size_t left, Image& image) {
  const Eigen::Matrix3d view =
      (Eigen::AngleAxisd(-1.05, Vec3::UnitX()) * Eigen::AngleAxisd(-0.65, Vec3::UnitZ())).toRotationMatrix();
  const NeighbourSearch search(points);
  const double scale = 0.72 * static_cast<double>(panel_height);
  const double radius = 0.75 * scale * estimate_spacing(points);
  std::vector<double> depth(panel_width * panel_height, -std::numeric_limits<double>::infinity());
  for (const Vec3& p : points) {
    const Vec3 q = view * p;
    const double x = 0.5 * panel_width + scale * q.x();
    const double y = 0.5 * panel_height - scale * q.y();
    const Colour colour = shade(std::abs((view * normal_at(p, points, search)).z()), shape.distance(p) / full_error);
    for (auto row = static_cast<int>(y - radius); row <= static_cast<int>(y + radius); ++row) {
      for (auto column = static_cast<int>(x - radius); column <= static_cast<int>(x + radius); ++column) {
        const bool inside = row >= 0 && column >= 0 && row < static_cast<int>(panel_height) &&
                            column < static_cast<int>(panel_width) && std::hypot(column - x, row - y) <= radius;
        const std::size_t pixel = static_cast<std::size_t>(row) * panel_width + static_cast<std::size_t>(column);
        if (inside && q.z() > depth[pixel]) {
          depth[pixel] = q.z();
          image.pixels[static_cast<std::size_t>(row) * image.width + left + static_cast<std::size_t>(column)] = colour;
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    if (arguments.size() < 4) {
      std::fputs("usage: burnish_picture SHAPE OUT.png CLOUD [CLOUD …]\n", stderr);
      return 2;
    }
    const auto shape = make_shape(arguments[1]);
    const std::size_t panels = arguments.size() - 3;
    Image image{panels * panel_width, panel_height, {}};
    image.pixels.assign(image.width * image.height, Colour{255, 255, 255});
    double full_error = 0.0;
    for (std::size_t panel = 0; panel < panels; ++panel) {
      const std::vector<Vec3> points = read(arguments[3 + panel]).positions;
      if (panel == 0) {
        for (const Vec3& p : points) {
          full_error += 2.0 * shape->distance(p) / static_cast<double>(points.size());
        }
      }
      draw(points, *shape, full_error, panel * panel_width, image);
    }
    write_png(arguments[2], image);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "burnish_picture: %s\n", error.what());
    return 1;
  }
}
