// Denoises points in the form a program has them in: floats in its own structs, changed in place.
#include <burnish/burnish.hpp>

#include <cmath>
#include <iostream>
#include <vector>

namespace {

struct Point {
  float x, y, z;
  unsigned colour;
};

/// Mean distance from the sphere of radius 1/2.
double error_of(const std::vector<Point>& points) {
  double sum = 0.0;
  for (const Point& p : points) {
    sum += std::abs(std::hypot(p.x, p.y, p.z) - 0.5);
  }
  return sum / static_cast<double>(points.size());
}

}  // namespace

int main() {
  std::vector<Point> points;
  unsigned number = 0;
  for (const burnish::Vec3& p : burnish::make_shape("sphere")->sample(3000)) {
    const double radius = 1.0 + 0.03 * std::sin(12.9898 * ++number);
    points.push_back({static_cast<float>(radius * p.x()), static_cast<float>(radius * p.y()),
                      static_cast<float>(radius * p.z()), number});
  }
  const double before = error_of(points);
  burnish::denoise_in_place(points);
  const double after = error_of(points);
  std::cout << "mean distance from the sphere: " << before << " before, " << after << " after\n";
  return after < 0.7 * before && points.back().colour == number ? 0 : 1;
}
