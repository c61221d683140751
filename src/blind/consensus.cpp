#include "blind/consensus.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "geometry/quadric.hpp"

namespace burnish::blind {
namespace {

struct WindowFit {
  QuadricFit fit;
  Vec3 centre;
  double falloff = 0.0;  ///< a point at distance d from the centre weighs exp(−d²·falloff)
  double misfit = 0.0;   ///< variance beyond the noise
};

WindowFit fit_window(const std::vector<Vec3>& points, const glr::Patches& patches, std::size_t m, double noise,
                     std::vector<Vec3>& neighbours, std::vector<double>& weights) {
  WindowFit window;
  window.centre = points[patches.centres[m]];
  std::ranges::transform(patches.patch(m), neighbours.begin(), [&](std::uint32_t i) { return points[i]; });
  double square = 0.0;
  for (const Vec3& p : neighbours) {
    square = std::max(square, (p - window.centre).squaredNorm());
  }
  window.falloff = 2.0 / square;  // a Gaussian of half the radius
  std::ranges::transform(neighbours, weights.begin(),
                         [&](const Vec3& p) { return std::exp(-window.falloff * (p - window.centre).squaredNorm()); });
  window.fit = fit_quadric(neighbours, weights, std::sqrt(square));
  window.misfit = std::max(0.0, window.fit.residual_variance - noise * noise);
  return window;
}

}  // namespace

std::vector<Vec3> consensus(const std::vector<Vec3>& points, const Windows& windows, double noise,
                            const ExecutionContext& context) {
  const glr::Patches& patches = windows.patches;
  if (patches.size <= 6) {
    return points;
  }
  std::vector<WindowFit> fits(patches.count());
  parallel_blocks(context, fits.size(), 128, [&](std::size_t begin, std::size_t end) {
    std::vector<Vec3> neighbours(patches.size);
    std::vector<double> weights(patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      fits[m] = fit_window(points, patches, m, noise, neighbours, weights);
    }
  });

  const double noise2 = noise * noise;
  std::vector<Vec3> result(points);
  parallel_for(context, points.size(), 256, [&](std::size_t p) {
    Vec3 move = Vec3::Zero();
    double variance = 0.0;
    double weight_sum = 0.0;
    windows.around(p, [&](std::size_t w) {
      const WindowFit& window = fits[w];
      const QuadricFit::Place place = window.fit.place(points[p]);
      const double above = place.height - window.fit.height_at(place);
      const double uncertain = noise2 * (window.fit.variance_at(place) + 1e-4) + window.misfit;
      double weight = std::exp(-window.falloff * (points[p] - window.centre).squaredNorm()) / uncertain;
      // A point more than three standard deviations off belongs to another surface.
      const double deviation = above * above / (noise2 + window.misfit);
      weight *= deviation > 9.0 ? std::exp(0.5 * (9.0 - deviation)) : 1.0;
      move += weight * window.fit.way_down(place, above);
      variance += weight * uncertain;
      weight_sum += weight;
    });
    if (weight_sum > 0.0) {
      // The point itself has the variance of the noise: of two uncertain places, the best guess lies between.
      result[p] += move / weight_sum * (noise2 / (noise2 + variance / weight_sum));
    }
  });
  return result;
}

}  // namespace burnish::blind
