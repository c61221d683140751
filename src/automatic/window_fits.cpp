#include "automatic/window_fits.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/lane_math.hpp"
#include "geometry/lane_memory.hpp"
#include "geometry/lane_plane.hpp"
#include "geometry/lane_quadric.hpp"
#include "glr/lanes.hpp"

// Windows lie side by side in the lanes of vectors: all are of one size, so that no lane waits for another.

namespace burnish::automatic {
namespace {

using glr::Lanes;
using glr::lanes_in_use;

/// Where a surface bends away from a fit, the squared error is this many times the mean squared difference from smaller
/// windows, which is small in the middle of a window where the bias is largest: ten times as strict as taken at its
/// word (docs/automatic.md).
constexpr double squared_bias_by_difference = 10.0;

/// The variance of what windows agree on as a part of their mean variance: they overlap, so it is not much less.
constexpr double part_by_chance = 0.5;

/// The cosine of 80 degrees: what a scanner sees at a more grazing angle may be on either side.
constexpr double least_cosine = 0.17;

/// Whether a point was measured from behind a surface, so that it is of another one. The front of the surface is its
/// normal towards the scanner.
bool is_behind(const Vec3& front, const Vec3& sight) { return front.dot(sight) < -least_cosine; }

/// The normal of a surface, towards the scanner of a point on it; zero if that is not clear.
Vec3 front_of(const Vec3& normal, const Vec3& sight) {
  const double cosine = normal.dot(sight);
  return std::abs(cosine) < least_cosine ? Vec3(Vec3::Zero()) : Vec3(cosine < 0.0 ? -normal : normal);
}

/// Where fits would move a point.
template <class Number>
struct Proposal {
  Number signed_distance;  ///< of the point above the fitted surface
  Triple<Number> correction;
  Number variance;  ///< of the surface there, for noise of variance 1
};

template <class Number>
struct PlaneFits {
  LanePlane<Number> plane;

  [[gnu::always_inline]] void fit(const LanePoints& points, const Number& radius, const Number& noise,
                                  double* scratch) {
    fit_lane_plane(points, radius, noise, scratch, plane);
  }
  [[gnu::always_inline]] const LaneFrame<Number>& frame() const { return plane.frame; }
  [[gnu::always_inline]] const Number& residual_variance() const { return plane.residual_variance; }
  [[gnu::always_inline]] Proposal<Number> propose(const Triple<Number>& point) const {
    const Triple<Number> place = plane.frame.place(point);
    const Number down = -place.z;
    return {place.z, times(down, plane.frame.axes.normal), plane.variance_at(place.x, place.y)};
  }
};

template <class Number>
struct QuadricFits {
  LaneQuadric<Number> quadric;

  [[gnu::always_inline]] void fit(const LanePoints& points, const Number& radius, const Number& /*noise*/,
                                  double* /*scratch*/) {
    fit_lane_quadric(points, radius, quadric);
  }
  [[gnu::always_inline]] const LaneFrame<Number>& frame() const { return quadric.frame; }
  [[gnu::always_inline]] const Number& residual_variance() const { return quadric.residual_variance; }
  /// The correction is the shortest vector, to first order, to the quadric.
  [[gnu::always_inline]] Proposal<Number> propose(const Triple<Number>& point) const {
    const Triple<Number> place = quadric.frame.place(point);
    const Number x = quadric.unit * place.x;
    const Number y = quadric.unit * place.y;
    const auto& c = quadric.coefficients;
    const Number height = place.z - quadric.height_at(x, y);
    const Number slope_x = quadric.unit * (c[1] + 2.0 * c[3] * x + c[4] * y);
    const Number slope_y = quadric.unit * (c[2] + c[4] * x + 2.0 * c[5] * y);
    const Number step = -height / (1.0 + slope_x * slope_x + slope_y * slope_y);
    const Number along_x = -step * slope_x;
    const Number along_y = -step * slope_y;
    const Axes<Number>& a = quadric.frame.axes;
    return {height,
            {along_x * a.tangent.x + along_y * a.bitangent.x + step * a.normal.x,
             along_x * a.tangent.y + along_y * a.bitangent.y + step * a.normal.y,
             along_x * a.tangent.z + along_y * a.bitangent.z + step * a.normal.z},
            quadric.variance_at(x, y)};
  }
};

/// Windows side by side.
template <class Number, template <class> class Fits>
struct SideBySide {
  static constexpr std::size_t lanes = lane_count<Number>;

  const FitTask& task;
  std::size_t size;
  LaneMemory memory;
  double* x = memory.array(0);
  double* y = memory.array(1);
  double* z = memory.array(2);
  double* weight = memory.array(3);
  double* noise2 = memory.array(4);
  double* usual = memory.array(5);  // or the variance of what is agreed
  double* agreed_x = memory.array(6);
  double* agreed_y = memory.array(7);
  double* agreed_z = memory.array(8);
  double* of_other_surface = memory.array(9);  // 1 for points that are
  double* scratch = memory.array(10);
  Fits<Number> fits;

  [[gnu::always_inline]] explicit SideBySide(const FitTask& of_windows)
      : task(of_windows), size(task.windows.size), memory(11, size, lanes) {}

  [[gnu::always_inline]] void gather(std::size_t lane, std::size_t window) {
    const std::span<const std::uint32_t> members = task.windows.patch(window);
    const Vec3& centre = task.points[task.windows.centres[window]];
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = i * lanes + lane;
      const std::uint32_t p = members[i];
      const Vec3& point = task.points[p];
      x[at] = point.x() - centre.x();
      y[at] = point.y() - centre.y();
      z[at] = point.z() - centre.z();
      noise2[at] = task.noise2[p];
    }
    if (!task.usual.empty()) {
      for (std::size_t i = 0; i < size; ++i) {
        usual[i * lanes + lane] = task.usual[members[i]];
      }
    }
    if (!task.agreed.empty()) {
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t at = i * lanes + lane;
        const Agreed& agreed = task.agreed[members[i]];
        agreed_x[at] = agreed.correction.x();
        agreed_y[at] = agreed.correction.y();
        agreed_z[at] = agreed.correction.z();
        usual[at] = agreed.variance;
      }
    }
  }

  /// The mean over the points of a window of a number of each, by their weights.
  [[gnu::always_inline]] Number mean_of(const double* numbers) const {
    Number sum{};
    Number weights{};
    for (std::size_t i = 0; i < size; ++i) {
      const Number w = load<Number>(weight, i);
      sum += w * load<Number>(numbers, i);
      weights += w;
    }
    return sum / weights;
  }

  [[gnu::always_inline]] LanePoints points() const { return {x, y, z, weight, size}; }

  /// A Gaussian of half the radius. Returns the squared radius.
  [[gnu::always_inline]] Number set_weights() {
    Number square{};
    for (std::size_t i = 0; i < size; ++i) {
      const Triple<Number> p = points().template point<Number>(i);
      square = larger_of(square, dot(p, p));
    }
    const Number falloff = 2.0 / square;
    for (std::size_t i = 0; i < size; ++i) {
      const Triple<Number> p = points().template point<Number>(i);
      const Number exponent = -falloff * dot(p, p);
      store(exp_of_negative(exponent), weight, i);
    }
    return square;
  }

  /// Finds which points are of another surface, by their scanners. They get no weight, if enough others are left.
  /// False if no weight has changed.
  bool leave_out_points_behind(std::size_t lane, std::size_t window) {
    const auto& normals = fits.frame().axes.normal;
    const Vec3 normal(normals.x[lane], normals.y[lane], normals.z[lane]);
    const std::span<const std::uint32_t> members = task.windows.patch(window);
    const Vec3 front = front_of(normal, task.sights[task.windows.centres[window]]);
    std::size_t in_front = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const bool behind = is_behind(front, task.sights[members[i]]);
      of_other_surface[i * lanes + lane] = behind ? 1.0 : 0.0;
      in_front += behind ? 0 : 1;
    }
    if (in_front == size || in_front < least_points) {
      return false;
    }
    for (std::size_t i = 0; i < size; ++i) {
      weight[i * lanes + lane] = of_other_surface[i * lanes + lane] > 0.0 ? 0.0 : weight[i * lanes + lane];
    }
    return true;
  }

  /// How far a proposal is from what is agreed on, squared, beyond what chance explains.
  [[gnu::always_inline]] Number squared_difference(const Proposal<Number>& proposal, std::size_t i) const {
    const Triple<Number> difference = {proposal.correction.x - load<Number>(agreed_x, i),
                                       proposal.correction.y - load<Number>(agreed_y, i),
                                       proposal.correction.z - load<Number>(agreed_z, i)};
    return dot(difference, difference) - part_by_chance * load<Number>(usual, i);
  }

  /// The squared error expected because the surface is not of this kind.
  [[gnu::always_inline]] Number bias(const Number& mean_noise2) const {
    const Number zero{};
    if (!task.agreed.empty()) {
      Number sum{};
      Number weights{};
      for (std::size_t i = 0; i < size; ++i) {
        const Number w = load<Number>(weight, i);
        sum += w * squared_difference(fits.propose(points().template point<Number>(i)), i);
        weights += w;
      }
      return squared_bias_by_difference * larger_of<Number>(zero, sum / weights);
    }
    Number expected = mean_noise2;
    if (!task.usual.empty()) {
      expected = smaller_of<Number>(task.tolerance.most_of_noise * mean_noise2,
                                    mean_of(usual) + task.tolerance.noise_above_usual * mean_noise2);
    }
    return task.bias_by_misfit * larger_of<Number>(zero, fits.residual_variance() - expected);
  }

  /// Fits surfaces to `count` windows from `first` on.
  [[gnu::always_inline]] void run(std::size_t first, std::size_t count, Contribution* contributions) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      gather(lane, first + std::min(lane, count - 1));
    }
    const Number square = set_weights();
    const Number radius = root(square);
    const Number mean_noise2 = mean_of(noise2);
    const Number noise = root(mean_noise2);
    fits.fit(points(), radius, noise, scratch);
    if (!task.sights.empty()) {
      bool has_changed = false;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        has_changed = leave_out_points_behind(lane, first + std::min(lane, count - 1)) || has_changed;
      }
      if (has_changed) {
        fits.fit(points(), radius, noise, scratch);
      }
    }
    contribute(bias(mean_noise2), count, contributions);
  }

  /// A proposal counts by its certainty, less the farther the window's centre is, and nothing if the point is more than
  /// three standard deviations off, because it belongs to another surface then.
  [[gnu::always_inline]] void contribute(const Number& bias_of_window, std::size_t count,
                                         Contribution* contributions) const {
    const Number zero{};
    const bool is_widest = !task.agreed.empty();
    for (std::size_t i = 0; i < size; ++i) {
      const Proposal<Number> proposal = fits.propose(points().template point<Number>(i));
      const Number own_bias =
          is_widest ? larger_of<Number>(bias_of_window, squared_difference(proposal, i)) : bias_of_window;
      const Number own_noise2 = load<Number>(noise2, i);
      Number variance = own_noise2 * (proposal.variance + 1e-4) + own_bias;
      const Number deviation = proposal.signed_distance * proposal.signed_distance / (own_noise2 + own_bias);
      Number relevance = load<Number>(weight, i);
      const auto is_off = deviation > 9.0;
      if (is_any(is_off)) {
        const Number exponent = -0.5 * (deviation - 9.0);
        relevance *= is_off ? exp_of_negative(exponent) : zero + 1.0;
      }
      const Number w = relevance / variance;
      if (is_widest) {
        // A window that is less certain than the smaller ones makes their agreement no less certain.
        variance = smaller_of(variance, load<Number>(usual, i));
      }
      const Triple<Number> correction = times(w, proposal.correction);
      const Number weighted_variance = w * variance;
      const Number& residual = fits.residual_variance();
      for (std::size_t lane = 0; lane < count; ++lane) {
        Contribution& to = contributions[lane * size + i];
        to.correction = Vec3(correction.x[lane], correction.y[lane], correction.z[lane]);
        to.variance = weighted_variance[lane];
        to.weight = w[lane];
        to.residual_variance = residual[lane];
      }
    }
    if (!task.sights.empty()) {
      for (std::size_t lane = 0; lane < count; ++lane) {
        for (std::size_t i = 0; i < size; ++i) {
          if (of_other_surface[i * lanes + lane] > 0.0) {
            contributions[lane * size + i] = {Vec3::Zero(), 0.0, 0.0, -1.0};
          }
        }
      }
    }
  }
};

template <std::size_t LaneCount, template <class> class Fits>
[[gnu::always_inline]] inline void fit_windows(const FitTask& task, std::size_t begin, std::size_t end,
                                               Contribution* contributions) {
  using Number = typename glr::Vector<LaneCount>::Double;
  SideBySide<Number, Fits> windows(task);
  constexpr std::size_t lanes = lane_count<Number>;
  for (std::size_t first = begin; first < end; first += lanes) {
    windows.run(first, std::min(lanes, end - first), contributions + (first - begin) * windows.size);
  }
}

template <std::size_t LaneCount>
[[gnu::always_inline]] inline void planes_body(const FitTask& task, std::size_t begin, std::size_t end,
                                               Contribution* contributions) {
  fit_windows<LaneCount, PlaneFits>(task, begin, end, contributions);
}

template <std::size_t LaneCount>
[[gnu::always_inline]] inline void quadrics_body(const FitTask& task, std::size_t begin, std::size_t end,
                                                 Contribution* contributions) {
  fit_windows<LaneCount, QuadricFits>(task, begin, end, contributions);
}

BURNISH_FOR_ALL_LANES(planes, (const FitTask& task, std::size_t begin, std::size_t end, Contribution* contributions),
                      (task, begin, end, contributions))
BURNISH_FOR_ALL_LANES(quadrics, (const FitTask& task, std::size_t begin, std::size_t end, Contribution* contributions),
                      (task, begin, end, contributions))

}  // namespace

void fit_planes(const FitTask& task, std::size_t begin, std::size_t end, Contribution* contributions) {
  planes_any(task, begin, end, contributions);
}

void fit_quadrics(const FitTask& task, std::size_t begin, std::size_t end, Contribution* contributions) {
  quadrics_any(task, begin, end, contributions);
}

}  // namespace burnish::automatic
