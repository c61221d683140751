// Denoises a file: denoise_file [IN OUT]. Without arguments it makes a noisy cloud first.
#include <burnish/burnish.hpp>

#include <iostream>

int main(int argc, char** argv) {
  try {
    std::string input = "example-noisy.ply";
    const std::string output = argc > 2 ? argv[2] : "example-smooth.ply";
    if (argc > 1) {
      input = argv[1];
    } else {
      burnish::PointCloud cloud;
      cloud.positions = burnish::make_shape("part")->sample(3000);
      burnish::RandomDisplacement noise;
      noise.sigma = 0.005;
      burnish::write(input, burnish::add_noise(std::move(cloud), {noise}).cloud);
    }
    burnish::PointCloud cloud = burnish::read(input);
    burnish::DenoiseResult result = burnish::denoise(cloud.positions);
    cloud.positions = std::move(result.positions);  // all attributes stay with their points
    burnish::write(output, cloud);
    std::cout << output << ": " << cloud.size() << " points, noise " << result.noise.value << ", expected error "
              << result.expected_error_before << " -> " << result.expected_error_after << '\n';
  } catch (const burnish::Error& error) {
    std::cerr << error.what() << '\n';
    return error.kind() == burnish::ErrorKind::not_found ? 2 : 1;
  }
}
