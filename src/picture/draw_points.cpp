#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "burnish/estimate.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/picture.hpp"
#include "geometry/frames.hpp"

namespace burnish {
namespace {

Vec3 normal_at(const Vec3& p, std::span<const Vec3> points, const NeighbourSearch& search) {
  std::array<std::uint32_t, 16> indices{};
  std::array<double, 16> distances{};
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

Eigen::Matrix3d rotation_of(const View& view) {
  const Eigen::Matrix3d oblique =
      (Eigen::AngleAxisd(-1.05, Vec3::UnitX()) * Eigen::AngleAxisd(-0.65, Vec3::UnitZ())).toRotationMatrix();
  const Eigen::AngleAxisd upright(view.y_is_up ? 0.5 * std::numbers::pi : 0.0, Vec3::UnitX());
  return oblique * upright.toRotationMatrix();
}

}  // namespace

View view_of(std::span<const Vec3> points, bool y_is_up) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) {
    if (is_finite(p)) {
      box.extend(p);
    }
  }
  const double diagonal = box.isEmpty() ? 0.0 : box.diagonal().norm();
  const bool has_size = std::isnormal(diagonal);
  return {has_size ? Vec3(box.center()) : Vec3(0.0, 0.0, 0.0), has_size ? diagonal / 1.35 : 1.0, y_is_up};
}

void draw_points(std::span<const Vec3> points, std::span<const double> errors, const View& view, std::size_t left,
                 std::size_t width, Image& image) {
  std::vector<Vec3> finite;
  std::vector<double> finite_errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_finite(points[i])) {
      finite.push_back((points[i] - view.centre) / view.size);
      finite_errors.push_back(errors[i]);
    }
  }
  if (finite.empty()) {
    return;
  }
  const Eigen::Matrix3d rotation = rotation_of(view);
  const NeighbourSearch search(finite);
  const double scale = 0.72 * static_cast<double>(image.height);
  const double radius = std::clamp(0.75 * scale * estimate_spacing(finite), 0.8, 0.05 * scale);
  const auto columns = static_cast<int>(width);
  const auto rows = static_cast<int>(image.height);
  std::vector<double> depth(width * image.height, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < finite.size(); ++i) {
    const Vec3 q = rotation * finite[i];
    const double x = 0.5 * columns + scale * q.x();
    const double y = 0.5 * rows - scale * q.y();
    if (std::abs(x) > 1e6 || std::abs(y) > 1e6) {
      continue;
    }
    const double light = std::abs((rotation * normal_at(finite[i], finite, search)).z());
    const Colour colour = shade(light, finite_errors[i]);
    const int first_row = std::max(0, static_cast<int>(y - radius));
    const int last_row = std::min(rows - 1, static_cast<int>(y + radius));
    const int first_column = std::max(0, static_cast<int>(x - radius));
    const int last_column = std::min(columns - 1, static_cast<int>(x + radius));
    for (int row = first_row; row <= last_row; ++row) {
      for (int column = first_column; column <= last_column; ++column) {
        const std::size_t pixel = static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column);
        if (std::hypot(column - x, row - y) <= radius && q.z() > depth[pixel]) {
          depth[pixel] = q.z();
          image.pixels[static_cast<std::size_t>(row) * image.width + left + static_cast<std::size_t>(column)] = colour;
        }
      }
    }
  }
}

}  // namespace burnish
