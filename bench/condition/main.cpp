// burnish_condition CLOUD LEVEL ITERATION…: the condition number of the system of GLR as printed in some of its
// iterations, and its bound. The smallest eigenvalue of SᵀL_pS is 0, for constants are in its null space; the largest
// is found by power iteration. tools/theory.py runs this.

#include <fmt/core.h>

#include <cmath>
#include <string>

#include "burnish/io.hpp"
#include "core/math.hpp"
#include "dense_glr.hpp"
#include "geometry/working_points.hpp"

namespace burnish::glr {
namespace {

/// Until the Rayleigh quotient changes by less than 10⁻⁵ of itself.
double largest_eigenvalue(const PointLaplacian& laplacian) {
  const ExecutionContext context;
  const std::size_t count = laplacian.diagonal.size();
  std::vector<Quad> x(count, Quad::Zero());
  std::vector<Quad> y(count);
  for (std::size_t i = 0; i < count; ++i) {  // three beginnings at once, none of which is smooth
    x[i] = Quad(i % 2 == 0 ? 1.0 : -1.0, i % 3 == 0 ? 1.0 : -0.5, laplacian.diagonal[i], 0.0);
  }
  Quad eigenvalue = Quad::Zero();
  for (int step = 0; step < 500; ++step) {
    laplacian.multiply(0.0, x, y, context);
    Quad squares = Quad::Zero();
    Quad products = Quad::Zero();
    for (std::size_t i = 0; i < count; ++i) {
      squares += x[i].square();
      products += x[i] * y[i];
    }
    const Quad before = eigenvalue;
    eigenvalue = products / squares.max(1e-300);
    if ((eigenvalue - before).abs().maxCoeff() < 1e-5 * eigenvalue.maxCoeff()) {
      break;
    }
    const Quad scale = squares.max(1e-300).rsqrt() / std::max(eigenvalue.maxCoeff(), 1e-300);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = y[i] * scale;
    }
  }
  return eigenvalue.maxCoeff();
}

void run(const std::string& file, double level, unsigned iteration) {
  const std::vector<Vec3> noisy = read(file).positions;
  GlrSettings settings = glr_paper();
  settings.noise_level = level;
  settings.convergence = 0.0;
  settings.iterations = iteration - 1;
  const GlrResult before = denoise_glr(noisy, settings);
  const Stages stages(working_points(before.positions, ExecutionContext()).points, settings, before.spacing);
  const double mu = settings.mu_factor * math::expm1(iteration / glr_mu_growth(level));
  fmt::print("{} {:.4f} {:.4f}\n", iteration, (largest_eigenvalue(stages.laplacian) + mu) / mu,
             (stages.laplacian.eigenvalue_bound + mu) / mu);
}

}  // namespace
}  // namespace burnish::glr

int main(int count, char** arguments) {
  for (int i = 3; i < count; ++i) {
    burnish::glr::run(arguments[1], std::stod(arguments[2]), static_cast<unsigned>(std::stoul(arguments[i])));
  }
}
