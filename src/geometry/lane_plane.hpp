#pragma once

#include "geometry/principal_axes.hpp"

namespace burnish {

/// Points and their weights, coordinate by coordinate: place i of an array holds point i of every lane (load).
struct LanePoints {
  const double* x;
  const double* y;
  const double* z;
  const double* weight;
  std::size_t count;

  template <class Number>
  [[nodiscard, gnu::always_inline]] Triple<Number> point(std::size_t i) const {
    return {load<Number>(x, i), load<Number>(y, i), load<Number>(z, i)};
  }
};

template <class Number>
struct LaneFrame {
  Triple<Number> mean;
  Axes<Number> axes;

  /// A point in this frame.
  [[gnu::always_inline]] Triple<Number> place(const Triple<Number>& p) const {
    return axes.components({p.x - mean.x, p.y - mean.y, p.z - mean.z});
  }
};

/// Weighted sums over points that are near the origin, against how far they spread: second moments around their mean
/// come from those around the origin.
template <class Number>
struct FrameSums {
  Number weight{};
  Triple<Number> first{};
  Covariance<Number> second{};

  [[gnu::always_inline]] void add(const Triple<Number>& p, const Number& w) {
    const Triple<Number> weighted = times(w, p);
    weight += w;
    first.x += weighted.x;
    first.y += weighted.y;
    first.z += weighted.z;
    second.xx += weighted.x * p.x;
    second.xy += weighted.x * p.y;
    second.xz += weighted.x * p.z;
    second.yy += weighted.y * p.y;
    second.yz += weighted.y * p.z;
    second.zz += weighted.z * p.z;
  }

  [[gnu::always_inline]] LaneFrame<Number> frame() const {
    const Triple<Number> mean = {first.x / weight, first.y / weight, first.z / weight};
    return {mean, principal_axes<Number>({second.xx - first.x * mean.x, second.xy - first.x * mean.y,
                                          second.xz - first.x * mean.z, second.yy - first.y * mean.y,
                                          second.yz - first.y * mean.z, second.zz - first.z * mean.z})};
  }
};

template <class Number>
[[gnu::always_inline]] inline LaneFrame<Number> principal_frame_of(const LanePoints& points) {
  FrameSums<Number> sums;
  for (std::size_t i = 0; i < points.count; ++i) {
    sums.add(points.point<Number>(i), load<Number>(points.weight, i));
  }
  return sums.frame();
}

/// A robust plane for every lane; see RobustPlane.
template <class Number>
struct LanePlane {
  LaneFrame<Number> frame;
  /// Of 1, x, y, x², xy, y²: the variance of the plane's height at (x, y) for noise of variance 1.
  Number variance[6];
  Number residual_variance;

  [[gnu::always_inline]] Number variance_at(const Number& x, const Number& y) const {
    return variance[0] + x * (variance[1] + x * variance[3] + y * variance[4]) + y * (variance[2] + y * variance[5]);
  }
};

namespace detail {
/// At this distance from the plane, in standard deviations of the noise, a point has a quarter of its weight.
inline constexpr double deviations_of_quarter_weight = 2.5;
inline constexpr int most_rounds = 5;
inline constexpr int rounds_at_the_end = 2;
}  // namespace detail

/// See fit_robust_plane. Points are near the origin. `scratch` is as long as their weights.
template <class Number>
[[gnu::always_inline]] inline void fit_lane_plane(const LanePoints& points, const Number& radius, const Number& noise,
                                                  double* scratch, LanePlane<Number>& plane) {
  const Number zero{};
  const Number one = zero + 1.0;
  plane.frame = principal_frame_of<Number>(points);
  const Number least = (detail::deviations_of_quarter_weight * noise) * (detail::deviations_of_quarter_weight * noise);
  Number square = radius * radius / 16.0;
  Number at_the_end = zero;
  Triple<Number> normal = plane.frame.axes.normal;
  Number offset = dot(normal, plane.frame.mean);
  Number falloff = zero;
  for (int round = 0; round < detail::most_rounds; ++round) {
    // A lane that is done repeats its last round, to the same result.
    const auto goes_on = at_the_end < static_cast<double>(detail::rounds_at_the_end);
    if (round >= detail::rounds_at_the_end && !is_any(goes_on)) {
      break;
    }
    at_the_end += square <= least ? one : zero;
    normal = {goes_on ? plane.frame.axes.normal.x : normal.x, goes_on ? plane.frame.axes.normal.y : normal.y,
              goes_on ? plane.frame.axes.normal.z : normal.z};
    offset = goes_on ? dot(plane.frame.axes.normal, plane.frame.mean) : offset;
    falloff = goes_on ? 1.0 / larger_of(square, least) : falloff;
    FrameSums<Number> sums;
    for (std::size_t i = 0; i < points.count; ++i) {
      const Triple<Number> p = points.point<Number>(i);
      const Number height = dot(normal, p) - offset;
      const Number part = 1.0 / (1.0 + falloff * (height * height));  // Geman and McClure's weight is its square
      const Number weight = load<Number>(points.weight, i) * (part * part);
      store(weight, scratch, i);
      sums.add(p, weight);
    }
    plane.frame = sums.frame();
    square /= 4.0;
  }

  // In the principal frame XᵀWX is diagonal.
  Number squares[3] = {zero, zero, zero};
  Number weighted_squares[6] = {zero, zero, zero, zero, zero, zero};  // XᵀW²X, by 1, x, y, x², xy, y²
  Number height_squares = zero;
  for (std::size_t i = 0; i < points.count; ++i) {
    const Triple<Number> place = plane.frame.place(points.point<Number>(i));
    const Number w = load<Number>(scratch, i);
    const Number wx = w * place.x;
    const Number wy = w * place.y;
    squares[0] += w;
    squares[1] += wx * place.x;
    squares[2] += wy * place.y;
    weighted_squares[0] += w * w;
    weighted_squares[1] += w * wx;
    weighted_squares[2] += w * wy;
    weighted_squares[3] += wx * wx;
    weighted_squares[4] += wx * wy;
    weighted_squares[5] += wy * wy;
    height_squares += w * (place.z * place.z);
  }
  const Number weight_sum = squares[0];
  const Number ridge = 1e-9 * weight_sum * (radius * radius);  // for points on a line
  const Number i0 = 1.0 / weight_sum;
  const Number ix = 1.0 / (squares[1] + ridge);
  const Number iy = 1.0 / (squares[2] + ridge);
  plane.variance[0] = i0 * weighted_squares[0] * i0;
  plane.variance[1] = 2.0 * (i0 * weighted_squares[1] * ix);
  plane.variance[2] = 2.0 * (i0 * weighted_squares[2] * iy);
  plane.variance[3] = ix * weighted_squares[3] * ix;
  plane.variance[4] = 2.0 * (ix * weighted_squares[4] * iy);
  plane.variance[5] = iy * weighted_squares[5] * iy;
  const Number trace = i0 * weighted_squares[0] + ix * weighted_squares[3] + iy * weighted_squares[5];
  plane.residual_variance = height_squares / larger_of<Number>(weight_sum - trace, 1e-9 * weight_sum);
}

}  // namespace burnish
