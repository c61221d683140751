#include "automatic/consensus.hpp"

#include <algorithm>
#include <limits>

#include "core/parallel.hpp"

namespace burnish::automatic {
namespace {

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

  using Fit = decltype(fit_planes);

  /// Fits a surface to every window and adds its proposals. A window whose residual variance is above the noise is
  /// biased. Returns the mean residual variance of the windows around each point.
  std::vector<double> add_fits(const Windows& windows, Fit& fit) { return add(windows, fit, task_for(windows)); }

  /// The same for windows that are compared with smaller ones, or with simpler fits, whose residual variances are given
  /// for each point: a window is biased where it has more than those, beyond the tolerance.
  std::vector<double> add_fits(const Windows& windows, Fit& fit, std::span<const double> usual,
                               const MisfitTolerance& tolerance) {
    FitTask task = task_for(windows);
    task.usual = usual;
    task.tolerance = tolerance;
    task.bias_by_misfit = squared_bias_by_misfit;
    return add(windows, fit, task);
  }

  /// The same for windows that are compared with what those before agree on: one is biased where it differs from that
  /// by more than its variance, in the mean over its points or at a point.
  void add_widest_fits(const Windows& windows, Fit& fit) {
    std::vector<Agreed> agreed(sums_.size());
    std::ranges::transform(sums_, agreed.begin(), [](const Accumulator& sums) {
      return sums.weight > 0.0 ? Agreed{sums.correction / sums.weight, sums.variance / sums.weight} : Agreed{};
    });
    FitTask task = task_for(windows);
    task.agreed = agreed;
    add(windows, fit, task);
  }

  [[nodiscard]] Consensus apply() const;

 private:
  /// Where a surface bends away from a fit, the squared error in the middle of the window is this many times the
  /// variance that the bend adds to the residuals (measured on spheres and cylinders).
  static constexpr double squared_bias_by_misfit = 3.0;

  /// Members of the windows in a block of work: contributions of four blocks a thread fit into a cache.
  static constexpr std::size_t members_in_block = 1 << 11;

  /// They fill the widest vectors.
  static constexpr std::size_t windows_in_vector = 8;

  [[nodiscard]] FitTask task_for(const Windows& windows) const {
    return {points_, noise2_, sights_, windows.patches, {}, {}, 1.0, {}};
  }

  std::vector<double> add(const Windows& windows, Fit& fit, const FitTask& task);

  template <class Add>
  void for_each_contribution(const Windows& windows, Fit& fit, const FitTask& task, const Add& add) const;

  const std::vector<Vec3>& points_;
  std::vector<double> noise2_;
  std::span<const Vec3> sights_;  ///< may be empty
  const ExecutionContext& context_;
  std::vector<Accumulator> sums_;
};

/// Calls add(point, contribution) for the windows around each point in their order, so that sums are the same on any
/// number of threads.
template <class Add>
void ConsensusSums::for_each_contribution(const Windows& windows, Fit& fit, const FitTask& task, const Add& add) const {
  const std::size_t size = windows.patches.size;
  const std::size_t count = windows.patches.count();
  const std::size_t threads = thread_count(context_);
  const std::size_t block = std::max(members_in_block / size / windows_in_vector, std::size_t{1}) * windows_in_vector;
  const std::size_t at_a_time = threads == 1 ? block : 4 * threads * block;
  std::vector<Contribution> contributions(std::min(at_a_time, count) * size);
  if (threads == 1) {
    for (std::size_t first = 0; first < count; first += block) {
      context_.check_cancelled();
      const std::size_t end = std::min(first + block, count);
      fit(task, first, end, contributions.data());
      for (std::size_t node = first * size; node < end * size; ++node) {
        add(windows.patches.members[node], contributions[node - first * size]);
      }
    }
    return;
  }
  // Several threads gather point by point. `next` is the first of a point's nodes that is not yet done, `least_node`
  // the least of these among points that lie together.
  constexpr std::size_t together = 64;
  const std::vector<std::uint32_t>& nodes = windows.nodes.nodes;
  std::vector<std::uint32_t> next(windows.nodes.begin.begin(), windows.nodes.begin.end() - 1);
  std::vector<std::size_t> least_node((points_.size() + together - 1) / together, 0);
  for (std::size_t first = 0; first < count; first += at_a_time) {
    const std::size_t end = std::min(first + at_a_time, count);
    parallel_blocks(context_, end - first, block, [&](std::size_t from, std::size_t to) {
      fit(task, first + from, first + to, &contributions[from * size]);
    });
    parallel_for(context_, least_node.size(), 16, [&](std::size_t g) {
      if (least_node[g] >= end * size) {
        return;
      }
      least_node[g] = std::numeric_limits<std::size_t>::max();
      const std::size_t last = std::min((g + 1) * together, points_.size());
      for (std::size_t p = g * together; p < last; ++p) {
        std::uint32_t& e = next[p];
        const std::uint32_t stop = windows.nodes.begin[p + 1];
        for (; e < stop && nodes[e] < end * size; ++e) {
          add(p, contributions[nodes[e] - first * size]);
        }
        if (e < stop) {
          least_node[g] = std::min<std::size_t>(least_node[g], nodes[e]);
        }
      }
    });
  }
}

std::vector<double> ConsensusSums::add(const Windows& windows, Fit& fit, const FitTask& task) {
  if (windows.patches.size < least_points) {
    return noise2_;
  }
  struct Residuals {
    double sum = 0.0;
    double count = 0.0;
  };
  std::vector<Residuals> residuals(points_.size());
  for_each_contribution(windows, fit, task, [&](std::size_t p, const Contribution& one) {
    if (one.residual_variance < 0.0) {
      return;
    }
    sums_[p].correction += one.correction;
    sums_[p].variance += one.variance;
    sums_[p].weight += one.weight;
    residuals[p].sum += one.residual_variance;
    residuals[p].count += 1.0;
  });
  std::vector<double> mean(noise2_);
  for (std::size_t p = 0; p < mean.size(); ++p) {
    mean[p] = residuals[p].count > 0.0 ? residuals[p].sum / residuals[p].count : mean[p];
  }
  return mean;
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

}  // namespace

Consensus consensus_of_planes_and_quadrics(const std::vector<Vec3>& points, const FitWindows& windows,
                                           std::span<const double> noise, const MisfitTolerance& tolerance,
                                           std::span<const Vec3> sights, const ExecutionContext& context) {
  ConsensusSums consensus(points, noise, sights, context);
  const std::vector<double> of_planes = consensus.add_fits(windows.planes, fit_planes);
  consensus.add_fits(windows.large_planes, fit_planes, of_planes, MisfitTolerance{0.0, 1.0});
  const std::vector<double> of_quadrics = consensus.add_fits(windows.quadrics, fit_quadrics, of_planes, tolerance);
  consensus.add_fits(windows.large_quadrics, fit_quadrics, of_quadrics, tolerance);
  consensus.add_widest_fits(windows.widest, fit_quadrics);
  consensus.add_widest_fits(windows.widest, fit_planes);
  return consensus.apply();
}

Consensus consensus_of_quadrics(const std::vector<Vec3>& points, const FitWindows& windows,
                                std::span<const double> noise, const MisfitTolerance& tolerance,
                                std::span<const Vec3> sights, const ExecutionContext& context) {
  ConsensusSums consensus(points, noise, sights, context);
  const std::vector<double> usual = consensus.add_fits(windows.quadrics, fit_quadrics);
  consensus.add_fits(windows.large_quadrics, fit_quadrics, usual, tolerance);
  consensus.add_widest_fits(windows.widest, fit_quadrics);
  return consensus.apply();
}

}  // namespace burnish::automatic
