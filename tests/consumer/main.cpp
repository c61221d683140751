#include <burnish/glr.hpp>
#include <burnish/noise.hpp>
#include <burnish/shapes.hpp>

#include <iostream>

// Denoises a noisy sphere and says whether that brought it closer to the true one.
int main() {
  const auto sphere = burnish::make_shape("sphere");
  burnish::PointCloud cloud;
  cloud.positions = sphere->sample(10000);
  cloud = burnish::add_noise(cloud, {burnish::RandomDisplacement{.sigma = 0.01}}).cloud;

  const auto error = [&](const std::vector<burnish::Vec3>& points) {
    double sum = 0.0;
    for (const burnish::Vec3& p : points) {
      sum += sphere->distance(p);
    }
    return sum / static_cast<double>(points.size());
  };
  const double before = error(cloud.positions);
  const double after = error(burnish::denoise_glr(cloud.positions).positions);
  std::cout << "mean distance to the sphere: " << before << " -> " << after << '\n';
  return after < 0.6 * before ? 0 : 1;
}
