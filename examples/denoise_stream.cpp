// Denoises a stream of frames of one sensor: the first is analysed, and all are denoised by what that has found.
#include <burnish/burnish.hpp>

#include <cmath>
#include <iostream>

namespace {

/// A shape that turns, with noise.
std::vector<burnish::Vec3> frame(unsigned number) {
  burnish::PointCloud cloud;
  cloud.positions = burnish::make_shape("organic")->sample(4000, number);
  const double angle = 0.1 * number;
  for (burnish::Vec3& p : cloud.positions) {
    p = {std::cos(angle) * p.x() - std::sin(angle) * p.y(), std::sin(angle) * p.x() + std::cos(angle) * p.y(), p.z()};
  }
  burnish::RandomDisplacement noise;
  noise.sigma = 0.01;
  return burnish::add_noise(std::move(cloud), {noise}, number).cloud.positions;
}

}  // namespace

int main() {
  const burnish::Analysis analysis = burnish::analyse(frame(1));
  std::cout << "noise " << analysis.findings().noise.value << ", expected error "
            << analysis.findings().expected_error_before << " -> " << analysis.findings().expected_error_after << '\n';
  for (unsigned number = 1; number <= 4; ++number) {
    const burnish::DenoiseResult result = burnish::denoise(frame(number), analysis);
    std::cout << "frame " << number << ": " << result.positions.size() << " points, " << result.warnings.size()
              << " warnings\n";
    if (!result.warnings.empty()) {
      return 1;
    }
  }
}
