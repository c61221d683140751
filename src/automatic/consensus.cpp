#include "automatic/consensus.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "geometry/quadric.hpp"
#include "geometry/robust_plane.hpp"

namespace burnish::automatic {
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
  double noise = 0.0;  ///< root mean square over the points
};

/// What the windows that a point is in say of it.
struct Opinion {
  Vec3 move = Vec3::Zero();
  double variance = 0.0;  ///< both are sums, weighted
  double weight = 0.0;
};

/// Where points go by what the windows that they are in propose.
class Consensus {
 public:
  Consensus(const std::vector<Vec3>& points, std::span<const double> noise, const ExecutionContext& context)
      : points_(points), noise2_(points.size()), context_(context), opinions_(points.size()) {
    std::ranges::transform(noise, noise2_.begin(), [](double sigma) { return sigma * sigma; });
  }

  /// Takes the surfaces into account that `fit(window)` fits to windows. They are not of that kind where they leave
  /// over more than usual: than the noise, or, if it is less and known, than other windows did around each point.
  /// Returns what these leave over, for every point.
  template <class FitTo>
  std::vector<double> hear(const Windows& windows, const FitTo& fit, std::span<const double> usual = {});

  [[nodiscard]] std::vector<Vec3> conclude() const;

 private:
  /// A surface that bends away from a fit adds some variance to what that leaves over; the square of what the fit is
  /// off in the middle is so many times as much, found by trying.
  static constexpr double bias_by_misfit = 3.0;

  const std::vector<Vec3>& points_;
  std::vector<double> noise2_;
  const ExecutionContext& context_;
  std::vector<Opinion> opinions_;
};

template <class FitTo>
std::vector<double> Consensus::hear(const Windows& windows, const FitTo& fit, std::span<const double> usual) {
  using Fit = decltype(fit(std::declval<WindowPoints&>()));
  const glr::Patches& patches = windows.patches;
  std::vector<double> left_over(noise2_);
  if (patches.size <= 6) {
    return left_over;
  }
  const auto mean_in = [](std::span<const std::uint32_t> members, std::span<const double> weights,
                          std::span<const double> values) {
    double sum = 0.0;
    double weight_sum = 0.0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      sum += weights[i] * values[members[i]];
      weight_sum += weights[i];
    }
    return sum / weight_sum;
  };
  std::vector<WindowFit<Fit>> fits(patches.count());
  parallel_blocks(context_, fits.size(), 128, [&](std::size_t begin, std::size_t end) {
    WindowPoints inside(patches.size);
    for (std::size_t m = begin; m < end; ++m) {
      WindowFit<Fit>& window = fits[m];
      const std::span<const std::uint32_t> members = patches.patch(m);
      window.centre = points_[patches.centres[m]];
      std::ranges::transform(members, inside.points.begin(), [&](std::uint32_t i) { return points_[i]; });
      double square = 0.0;
      for (const Vec3& p : inside.points) {
        square = std::max(square, (p - window.centre).squaredNorm());
      }
      window.falloff = 2.0 / square;  // a Gaussian of half the radius
      std::ranges::transform(inside.points, inside.weights.begin(), [&](const Vec3& p) {
        return std::exp(-window.falloff * (p - window.centre).squaredNorm());
      });
      inside.radius = std::sqrt(square);
      const double noise2 = mean_in(members, inside.weights, noise2_);
      inside.noise = std::sqrt(noise2);
      window.fit = fit(inside);
      const double expected = usual.empty() ? noise2 : std::min(noise2, mean_in(members, inside.weights, usual));
      const double misfit = window.fit.residual_variance - expected;
      window.misfit = (usual.empty() ? 1.0 : bias_by_misfit) * std::max(0.0, misfit);
    }
  });

  parallel_for(context_, points_.size(), 256, [&](std::size_t p) {
    Opinion& opinion = opinions_[p];
    const double noise2 = noise2_[p];
    double residuals = 0.0;
    double count = 0.0;
    windows.around(p, [&](std::size_t w) {
      const WindowFit<Fit>& window = fits[w];
      const Proposal proposal = propose(window.fit, points_[p]);
      const double uncertain = noise2 * (proposal.variance + 1e-4) + window.misfit;
      // A point more than three standard deviations off belongs to another surface.
      const double deviation = proposal.above * proposal.above / (noise2 + window.misfit);
      const double weight = std::exp(-window.falloff * (points_[p] - window.centre).squaredNorm() -
                                     0.5 * std::max(0.0, deviation - 9.0)) /
                            uncertain;
      opinion.move += weight * proposal.way;
      opinion.variance += weight * uncertain;
      opinion.weight += weight;
      residuals += window.fit.residual_variance;
      count += 1.0;
    });
    if (count > 0.0) {
      left_over[p] = residuals / count;
    }
  });
  return left_over;
}

std::vector<Vec3> Consensus::conclude() const {
  std::vector<Vec3> result(points_);
  parallel_for(context_, points_.size(), 4096, [&](std::size_t p) {
    const Opinion& opinion = opinions_[p];
    if (opinion.weight > 0.0) {
      // The point itself has the variance of the noise: of two uncertain places, the best guess lies between.
      result[p] += opinion.move / opinion.weight * (noise2_[p] / (noise2_[p] + opinion.variance / opinion.weight));
    }
  });
  return result;
}

}  // namespace

std::vector<Vec3> consensus_of_planes(const std::vector<Vec3>& points, const Windows& small, const Windows& large,
                                      std::span<const double> noise, const ExecutionContext& context) {
  const auto fit = [](WindowPoints& window) {
    return fit_robust_plane(window.points, window.weights, window.radius, window.noise, window.scratch);
  };
  Consensus consensus(points, noise, context);
  const std::vector<double> left_over = consensus.hear(small, fit);
  consensus.hear(large, fit, left_over);
  return consensus.conclude();
}

std::vector<Vec3> consensus_of_quadrics(const std::vector<Vec3>& points, const Windows& windows,
                                        std::span<const double> noise, const ExecutionContext& context) {
  Consensus consensus(points, noise, context);
  consensus.hear(windows,
                 [](WindowPoints& window) { return fit_quadric(window.points, window.weights, window.radius); });
  return consensus.conclude();
}

}  // namespace burnish::automatic
