#include "blind/consensus.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "geometry/quadric.hpp"
#include "geometry/robust_plane.hpp"

namespace burnish::blind {
namespace {

/// What a fit says of a point.
struct Proposal {
  double above = 0.0;     ///< how far the point is above the surface
  Vec3 way;               ///< to the surface
  double variance = 0.0;  ///< of the surface there, for noise of variance 1
};

Proposal propose(const RobustPlane& fit, const Vec3& point) {
  const RobustPlane::Place place = fit.place(point);
  return {place.height, -place.height * fit.frame.axes.col(2), fit.variance_at(place)};
}

Proposal propose(const QuadricFit& fit, const Vec3& point) {
  const QuadricFit::Place place = fit.place(point);
  const double above = place.height - fit.height_at(place);
  return {above, fit.way_down(place, above), fit.variance_at(place)};
}

template <class Fit>
struct WindowFit {
  Fit fit;
  Vec3 centre;
  double falloff = 0.0;  ///< a point at distance d from the centre weighs exp(−d²·falloff)
  double misfit = 0.0;   ///< variance beyond the noise
};

/// What is fitted to one window: its points, and their weights.
struct WindowPoints {
  explicit WindowPoints(std::size_t size) : points(size), weights(size), scratch(size) {}

  std::vector<Vec3> points;
  std::vector<double> weights;
  std::vector<double> scratch;
  double radius = 0.0;
};

/// `fit(window)` fits a surface to the points of a window.
template <class FitTo>
std::vector<Vec3> consensus(const std::vector<Vec3>& points, const Windows& windows, double noise, const FitTo& fit,
                            const ExecutionContext& context) {
  using Fit = decltype(fit(std::declval<WindowPoints&>()));
  const glr::Patches& patches = windows.patches;
  if (patches.size <= 6) {
    return points;
  }
  const double noise2 = noise * noise;
  std::vector<WindowFit<Fit>> fits(patches.count());
  parallel_blocks(context, fits.size(), 128, [&](std::size_t begin, std::size_t end) {
    WindowPoints inside(patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      WindowFit<Fit>& window = fits[m];
      window.centre = points[patches.centres[m]];
      std::ranges::transform(patches.patch(m), inside.points.begin(), [&](std::uint32_t i) { return points[i]; });
      double square = 0.0;
      for (const Vec3& p : inside.points) {
        square = std::max(square, (p - window.centre).squaredNorm());
      }
      window.falloff = 2.0 / square;  // a Gaussian of half the radius
      std::ranges::transform(inside.points, inside.weights.begin(), [&](const Vec3& p) {
        return std::exp(-window.falloff * (p - window.centre).squaredNorm());
      });
      inside.radius = std::sqrt(square);
      window.fit = fit(inside);
      window.misfit = std::max(0.0, window.fit.residual_variance - noise2);
    }
  });

  std::vector<Vec3> result(points);
  parallel_for(context, points.size(), 256, [&](std::size_t p) {
    Vec3 move = Vec3::Zero();
    double variance = 0.0;
    double weight_sum = 0.0;
    windows.around(p, [&](std::size_t w) {
      const WindowFit<Fit>& window = fits[w];
      const Proposal proposal = propose(window.fit, points[p]);
      const double uncertain = noise2 * (proposal.variance + 1e-4) + window.misfit;
      // A point more than three standard deviations off belongs to another surface.
      const double deviation = proposal.above * proposal.above / (noise2 + window.misfit);
      const double weight =
          std::exp(-window.falloff * (points[p] - window.centre).squaredNorm() - 0.5 * std::max(0.0, deviation - 9.0)) /
          uncertain;
      move += weight * proposal.way;
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

}  // namespace

std::vector<Vec3> consensus_of_planes(const std::vector<Vec3>& points, const Windows& windows, double noise,
                                      const ExecutionContext& context) {
  const auto fit = [noise](WindowPoints& window) {
    return fit_robust_plane(window.points, window.weights, window.radius, noise, window.scratch);
  };
  return consensus(points, windows, noise, fit, context);
}

std::vector<Vec3> consensus_of_quadrics(const std::vector<Vec3>& points, const Windows& windows, double noise,
                                        const ExecutionContext& context) {
  const auto fit = [](WindowPoints& window) { return fit_quadric(window.points, window.weights, window.radius); };
  return consensus(points, windows, noise, fit, context);
}

}  // namespace burnish::blind
