#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <span>

#include "burnish/point_cloud.hpp"
#include "core/math.hpp"

namespace burnish::baselines {

/// A surface patch as heights over a square grid in its tangent plane, from −1 to 1 in both directions.
constexpr int map_side = 16;
constexpr int map_cells = map_side * map_side;
using HeightMap = Eigen::Matrix<double, map_cells, 1>;

/// The middle of cell i along one direction.
constexpr double cell_middle(int i) { return (2.0 * i + 1.0) / map_side - 1.0; }

/// The height map of points given in the frame of the patch: at every cell the mean of the heights around, with
/// Gaussian weights of the given width; 0 where there are no points.
inline HeightMap height_map(std::span<const Vec3> points, double width) {
  constexpr double hardly_any = 1e-3;
  HeightMap heights = HeightMap::Zero();
  HeightMap sums = HeightMap::Constant(hardly_any);
  const double by_width = 0.5 / (width * width);
  for (const Vec3& p : points) {
    Eigen::Array<double, map_side, 1> along_x;
    Eigen::Array<double, map_side, 1> along_y;
    for (int i = 0; i < map_side; ++i) {
      const double dx = p.x() - cell_middle(i);
      const double dy = p.y() - cell_middle(i);
      along_x[i] = math::exp(-dx * dx * by_width);
      along_y[i] = math::exp(-dy * dy * by_width);
    }
    for (Eigen::Index i = 0; i < map_side; ++i) {
      const Eigen::Array<double, map_side, 1> weights = along_x[i] * along_y;
      sums.segment<map_side>(i * map_side).array() += weights;
      heights.segment<map_side>(i * map_side).array() += p.z() * weights;
    }
  }
  return heights.cwiseQuotient(sums);
}

/// Cells and weights of bilinear interpolation in a height map.
struct Interpolation {
  std::array<int, 4> cells{};
  std::array<double, 4> weights{};
};

inline Interpolation interpolation_at(double x, double y) {
  const auto place = [](double t) { return std::clamp(0.5 * map_side * (t + 1.0) - 0.5, 0.0, map_side - 1.0); };
  const double u = place(x);
  const double v = place(y);
  const int i = std::min(static_cast<int>(u), map_side - 2);
  const int j = std::min(static_cast<int>(v), map_side - 2);
  const double a = u - i;
  const double b = v - j;
  const int cell = i * map_side + j;
  return {{cell, cell + 1, cell + map_side, cell + map_side + 1},
          {(1.0 - a) * (1.0 - b), (1.0 - a) * b, a * (1.0 - b), a * b}};
}

}  // namespace burnish::baselines
