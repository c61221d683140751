// Shows progress, and stops the work from another place: here from the function that progress is reported to.
#include <burnish/burnish.hpp>

#include <iostream>

int main() {
  const std::vector<burnish::Vec3> points = burnish::make_shape("organic")->sample(20000);
  burnish::ExecutionContext context;
  context.threads = 2;
  context.on_progress = [&context](std::string_view stage, double fraction) {
    std::cout << stage << ' ' << static_cast<int>(100 * fraction) << " %\n";
    if (stage == "denoising" && fraction > 0.005) {
      context.cancel();
    }
  };
  try {
    const burnish::MethodResult result =
        burnish::run_method("glr", points, {{"iterations", "500"}, {"convergence", "0"}}, context);
    std::cout << "finished: " << result.positions.size() << " points\n";
    return 1;
  } catch (const burnish::Cancelled&) {
    std::cout << "stopped\n";
  }
}
