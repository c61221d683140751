#include "automatic/consensus.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/quadric.hpp"
#include "geometry/robust_plane.hpp"

namespace burnish::automatic {
namespace {

/// Where a fit would move a point.
struct Proposal {
  double signed_distance = 0.0;  ///< of the point above the fitted surface
  Vec3 correction;               ///< from the point to the surface
  double variance = 0.0;         ///< of the surface there, for noise of variance 1
};

Proposal propose(const RobustPlane& fit, const Vec3& point) {
  const RobustPlane::Place place = fit.place(point);
  return {place.height, -place.height * fit.frame.axes.col(2), fit.variance_at(place)};
}

Proposal propose(const QuadricFit& fit, const Vec3& point) {
  const QuadricFit::Place place = fit.place(point);
  const double signed_distance = place.height - fit.height_at(place);
  return {signed_distance, fit.correction_of(place, signed_distance), fit.variance_at(place)};
}

template <class Fit>
struct WindowFit {
  Fit fit;
  Vec3 centre;
  double falloff = 0.0;       ///< a point at distance d from the centre weighs exp(−d²·falloff)
  double bias = 0.0;          ///< squared error expected because the surface is not of this kind
  Vec3 front = Vec3::Zero();  ///< normal towards the scanner of its centre; zero if that is not known, or not clear
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

/// Weighted sums of what the windows around a point propose.
struct Accumulator {
  Vec3 correction = Vec3::Zero();
  double variance = 0.0;
  double weight = 0.0;
};

/// Moves points to the mean of what the fits around them propose, weighted by certainty.
class ConsensusSums {
 public:
  ConsensusSums(const std::vector<Vec3>& points, std::span<const double> noise, std::span<const Vec3> sights,
                const ExecutionContext& context)
      : points_(points), noise2_(points.size()), sights_(sights), context_(context), sums_(points.size()) {
    std::ranges::transform(noise, noise2_.begin(), [](double sigma) { return sigma * sigma; });
  }

  /// Fits a surface to every window by `fit(window)` and adds its proposals. A window whose residual variance is above
  /// the noise is biased. Returns the mean residual variance of the windows around each point.
  template <class FitTo>
  std::vector<double> add_fits(const Windows& windows, const FitTo& fit) {
    return add_fits(windows, fit, {}, {}, 1.0);
  }

  /// The same for windows that are compared with smaller ones, or with simpler fits, whose residual variances are given
  /// for each point: a window is biased where it has more than those, beyond the tolerance.
  template <class FitTo>
  std::vector<double> add_fits(const Windows& windows, const FitTo& fit, std::span<const double> usual,
                               const MisfitTolerance& tolerance) {
    return add_fits(windows, fit, usual, tolerance, squared_bias_by_misfit);
  }

  /// The same for windows that are compared with what those before agree on: one is biased where it differs from that
  /// by more than its variance, in the mean over its points or at a point.
  template <class FitTo>
  void add_widest_fits(const Windows& windows, const FitTo& fit);

  [[nodiscard]] Consensus apply() const;

 private:
  /// Where a surface bends away from a fit, the squared error in the middle of the window is this many times the
  /// variance that the bend adds to the residuals (measured on spheres and cylinders).
  static constexpr double squared_bias_by_misfit = 3.0;

  /// The same for the mean squared difference from smaller windows, which is small in the middle of a window where the
  /// bias is largest: ten times as strict as taken at its word (docs/automatic.md).
  static constexpr double squared_bias_by_difference = 10.0;

  /// The variance of what windows agree on as a part of their mean variance: they overlap, so it is not much less.
  static constexpr double part_by_chance = 0.5;

  /// The cosine of 80 degrees: what a scanner sees at a more grazing angle may be on either side.
  static constexpr double least_cosine = 0.17;

  /// Whether a point was measured from behind a surface, so that it is of another one.
  [[nodiscard]] bool is_behind(const Vec3& front, std::size_t p) const {
    return !sights_.empty() && front.dot(sights_[p]) < -least_cosine;
  }

  /// The normal of a surface, towards the scanner of a point on it; zero if that is not known, or not clear.
  [[nodiscard]] Vec3 front_at(std::size_t p, const Vec3& normal) const {
    const double cosine = sights_.empty() ? 0.0 : normal.dot(sights_[p]);
    return std::abs(cosine) < least_cosine ? Vec3(Vec3::Zero()) : Vec3(cosine < 0.0 ? -normal : normal);
  }

  /// Gives points on the other side of a wall no weight. False if there are none, or too few others for a fit.
  bool leave_out_points_behind(const Vec3& front, std::span<const std::uint32_t> members,
                               std::vector<double>& weights) const {
    const auto is_of_front = [&](std::uint32_t p) { return !is_behind(front, p); };
    const auto in_front = static_cast<std::size_t>(std::ranges::count_if(members, is_of_front));
    if (in_front == members.size() || in_front < least_points) {
      return false;
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      weights[i] = is_of_front(members[i]) ? weights[i] : 0.0;
    }
    return true;
  }

  /// More than the coefficients of a quadric.
  static constexpr std::size_t least_points = 7;

  template <class FitTo>
  std::vector<double> add_fits(const Windows& windows, const FitTo& fit, std::span<const double> usual,
                               const MisfitTolerance& tolerance, double bias_by_misfit);

  /// Fits a surface to every window by `fit(window)`, and sets its bias to `bias_of(surface, members, window)`.
  template <class FitTo, class BiasOf>
  auto fit_all(const Windows& windows, const FitTo& fit, const BiasOf& bias_of) const;

  /// How much a proposal counts at a point, without its certainty: less the farther the window's centre is, and nothing
  /// if the point is more than three standard deviations off, because it belongs to another surface then.
  template <class Fit>
  [[nodiscard]] double relevance(const WindowFit<Fit>& window, const Proposal& proposal, std::size_t p,
                                 double bias) const {
    const double deviation = proposal.signed_distance * proposal.signed_distance / (noise2_[p] + bias);
    return math::exp(-window.falloff * (points_[p] - window.centre).squaredNorm() -
                     0.5 * std::max(0.0, deviation - 9.0));
  }

  const std::vector<Vec3>& points_;
  std::vector<double> noise2_;
  std::span<const Vec3> sights_;  ///< may be empty
  const ExecutionContext& context_;
  std::vector<Accumulator> sums_;
};

/// The mean over the points of a window of a number of each, by their weights.
double mean_in(std::span<const std::uint32_t> members, std::span<const double> weights,
               std::span<const double> values) {
  double sum = 0.0;
  double weight_sum = 0.0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    sum += weights[i] * values[members[i]];
    weight_sum += weights[i];
  }
  return sum / weight_sum;
}

template <class FitTo, class BiasOf>
auto ConsensusSums::fit_all(const Windows& windows, const FitTo& fit, const BiasOf& bias_of) const {
  using Fit = decltype(fit(std::declval<WindowPoints&>()));
  const glr::Patches& patches = windows.patches;
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
        return math::exp(-window.falloff * (p - window.centre).squaredNorm());
      });
      inside.radius = std::sqrt(square);
      inside.noise = std::sqrt(mean_in(members, inside.weights, noise2_));
      window.fit = fit(inside);
      window.front = front_at(patches.centres[m], window.fit.frame.axes.col(2));
      if (leave_out_points_behind(window.front, members, inside.weights)) {
        window.fit = fit(inside);
      }
      window.bias = bias_of(window.fit, members, inside);
    }
  });
  return fits;
}

template <class FitTo>
std::vector<double> ConsensusSums::add_fits(const Windows& windows, const FitTo& fit, std::span<const double> usual,
                                            const MisfitTolerance& tolerance, double bias_by_misfit) {
  using Fit = decltype(fit(std::declval<WindowPoints&>()));
  std::vector<double> residual_variance(noise2_);
  if (windows.patches.size < least_points) {
    return residual_variance;
  }
  const std::vector<WindowFit<Fit>> fits = fit_all(
      windows, fit, [&](const Fit& surface, std::span<const std::uint32_t> members, const WindowPoints& inside) {
        const double noise2 = inside.noise * inside.noise;
        const double expected =
            usual.empty() ? noise2
                          : std::min(tolerance.most_of_noise * noise2,
                                     mean_in(members, inside.weights, usual) + tolerance.noise_above_usual * noise2);
        return bias_by_misfit * std::max(0.0, surface.residual_variance - expected);
      });
  parallel_for(context_, points_.size(), 256, [&](std::size_t p) {
    Accumulator& sums = sums_[p];
    double residuals = 0.0;
    double count = 0.0;
    windows.around(p, [&](std::size_t w) {
      const WindowFit<Fit>& window = fits[w];
      if (is_behind(window.front, p)) {
        return;
      }
      const Proposal proposal = propose(window.fit, points_[p]);
      const double variance = noise2_[p] * (proposal.variance + 1e-4) + window.bias;
      const double weight = relevance(window, proposal, p, window.bias) / variance;
      sums.correction += weight * proposal.correction;
      sums.variance += weight * variance;
      sums.weight += weight;
      residuals += window.fit.residual_variance;
      count += 1.0;
    });
    if (count > 0.0) {
      residual_variance[p] = residuals / count;
    }
  });
  return residual_variance;
}

template <class FitTo>
void ConsensusSums::add_widest_fits(const Windows& windows, const FitTo& fit) {
  using Fit = decltype(fit(std::declval<WindowPoints&>()));
  if (windows.patches.size < least_points) {
    return;
  }
  struct Agreed {
    Vec3 correction = Vec3::Zero();
    double variance = 0.0;
  };
  std::vector<Agreed> agreed(sums_.size());
  std::ranges::transform(sums_, agreed.begin(), [](const Accumulator& sums) {
    return sums.weight > 0.0 ? Agreed{sums.correction / sums.weight, sums.variance / sums.weight} : Agreed{};
  });
  // Beyond what chance explains.
  const auto squared_difference = [&](const Proposal& proposal, std::size_t p) {
    return (proposal.correction - agreed[p].correction).squaredNorm() - part_by_chance * agreed[p].variance;
  };
  const std::vector<WindowFit<Fit>> fits = fit_all(
      windows, fit, [&](const Fit& surface, std::span<const std::uint32_t> members, const WindowPoints& inside) {
        double sum = 0.0;
        double weight_sum = 0.0;
        for (std::size_t i = 0; i < members.size(); ++i) {
          sum += inside.weights[i] * squared_difference(propose(surface, inside.points[i]), members[i]);
          weight_sum += inside.weights[i];
        }
        return squared_bias_by_difference * std::max(0.0, sum / weight_sum);
      });
  parallel_for(context_, points_.size(), 256, [&](std::size_t p) {
    Accumulator& sums = sums_[p];
    windows.around(p, [&](std::size_t w) {
      const WindowFit<Fit>& window = fits[w];
      if (is_behind(window.front, p)) {
        return;
      }
      const Proposal proposal = propose(window.fit, points_[p]);
      const double bias = std::max(window.bias, squared_difference(proposal, p));
      const double variance = noise2_[p] * (proposal.variance + 1e-4) + bias;
      const double weight = relevance(window, proposal, p, bias) / variance;
      sums.correction += weight * proposal.correction;
      // A window that is less certain than the smaller ones makes their agreement no less certain.
      sums.variance += weight * std::min(variance, agreed[p].variance);
      sums.weight += weight;
    });
  });
}

Consensus ConsensusSums::apply() const {
  Consensus result{points_, noise2_};
  parallel_for(context_, points_.size(), 4096, [&](std::size_t p) {
    const Accumulator& sums = sums_[p];
    if (sums.weight > 0.0) {
      // The point itself has the variance of the noise: the best estimate from two uncertain ones lies between them.
      const double variance = sums.variance / sums.weight;
      const double part = noise2_[p] / (noise2_[p] + variance);
      result.points[p] += sums.correction / sums.weight * part;
      result.variance[p] = part * variance;
    }
  });
  return result;
}

RobustPlane plane_of(WindowPoints& window) {
  return fit_robust_plane(window.points, window.weights, window.radius, window.noise, window.scratch);
}

QuadricFit quadric_of(WindowPoints& window) { return fit_quadric(window.points, window.weights, window.radius); }

}  // namespace

Consensus consensus_of_planes_and_quadrics(const std::vector<Vec3>& points, const FitWindows& windows,
                                           std::span<const double> noise, const MisfitTolerance& tolerance,
                                           std::span<const Vec3> sights, const ExecutionContext& context) {
  ConsensusSums consensus(points, noise, sights, context);
  const std::vector<double> of_planes = consensus.add_fits(windows.planes, plane_of);
  consensus.add_fits(windows.large_planes, plane_of, of_planes, MisfitTolerance{0.0, 1.0});
  const std::vector<double> of_quadrics = consensus.add_fits(windows.quadrics, quadric_of, of_planes, tolerance);
  consensus.add_fits(windows.large_quadrics, quadric_of, of_quadrics, tolerance);
  consensus.add_widest_fits(windows.widest, quadric_of);
  consensus.add_widest_fits(windows.widest, plane_of);
  return consensus.apply();
}

Consensus consensus_of_quadrics(const std::vector<Vec3>& points, const FitWindows& windows,
                                std::span<const double> noise, const MisfitTolerance& tolerance,
                                std::span<const Vec3> sights, const ExecutionContext& context) {
  ConsensusSums consensus(points, noise, sights, context);
  const std::vector<double> usual = consensus.add_fits(windows.quadrics, quadric_of);
  consensus.add_fits(windows.large_quadrics, quadric_of, usual, tolerance);
  consensus.add_widest_fits(windows.widest, quadric_of);
  return consensus.apply();
}

}  // namespace burnish::automatic
