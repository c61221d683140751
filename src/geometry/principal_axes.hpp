#pragma once

#include "geometry/lane_algebra.hpp"

namespace burnish {

/// The six different entries of a symmetric matrix.
template <class Number>
struct Covariance {
  Number xx{};
  Number xy{};
  Number xz{};
  Number yy{};
  Number yz{};
  Number zz{};
};

/// Two tangents and the normal, orthonormal.
template <class Number>
struct Axes {
  Triple<Number> tangent;
  Triple<Number> bitangent;
  Triple<Number> normal;

  /// A vector in these axes.
  [[gnu::always_inline]] Triple<Number> components(const Triple<Number>& v) const {
    return {dot(tangent, v), dot(bitangent, v), dot(normal, v)};
  }
};

/// Eigenvectors of a symmetric matrix, the normal that of the smallest eigenvalue, by closed forms: of the eigenvalue
/// that stands alone first, then of the matrix of two rows across it, which keeps them at right angles (Eberly, "A
/// robust eigensolver for 3 × 3 symmetric matrices", 2014). Small eigenvalues lose digits, but the directions, which
/// are all we want, do not.
template <class Number>
[[gnu::always_inline]] inline Axes<Number> principal_axes(const Covariance<Number>& c) {
  const Number zero{};
  const Number one = zero + 1.0;
  const Number centre = (c.xx + c.yy + c.zz) / 3.0;
  Covariance<Number> d{c.xx - centre, c.xy, c.xz, c.yy - centre, c.yz, c.zz - centre};
  const Number largest = larger_of(larger_of(larger_of(size_of(d.xx), size_of(d.xy)), size_of(d.xz)),
                                   larger_of(larger_of(size_of(d.yy), size_of(d.yz)), size_of(d.zz)));
  const auto is_any = largest > 0.0;
  const Number divisor = is_any ? largest : one;  // so that squares neither overflow nor underflow
  d = {d.xx / divisor, d.xy / divisor, d.xz / divisor, d.yy / divisor, d.yz / divisor, d.zz / divisor};
  const Number squares = d.xx * d.xx + d.yy * d.yy + d.zz * d.zz + 2.0 * (d.xy * d.xy + d.xz * d.xz + d.yz * d.yz);
  const Number scale = is_any ? 1.0 / root(squares / 6.0) : one;
  d = {d.xx * scale, d.xy * scale, d.xz * scale, d.yy * scale, d.yz * scale, d.zz * scale};
  // The eigenvalues solve t³ - 3t = det; the one that stands alone is at least √3 in size and has the determinant's
  // sign.
  const Number determinant =
      d.xx * (d.yy * d.zz - d.yz * d.yz) - d.xy * (d.xy * d.zz - d.yz * d.xz) + d.xz * (d.xy * d.yz - d.yy * d.xz);
  const Number target = smaller_of(size_of(determinant), one + 1.0);
  Number alone = 1.7320508075688772 + target * (1.0 / 6.0 - 0.016 * target);  // within 0.002
  for (int step = 0; step < 3; ++step) {
    alone -= (alone * (alone * alone - 3.0) - target) / (3.0 * (alone * alone - 1.0));
  }
  const auto is_smallest = determinant < 0.0;
  const Number shift = is_smallest ? -alone : alone;
  d.xx -= shift;
  d.yy -= shift;
  d.zz -= shift;
  // The largest of the cross products of its columns is the direction that a matrix of rank 2 makes nothing of.
  const Triple<Number> columns[3] = {{d.xx, d.xy, d.xz}, {d.xy, d.yy, d.yz}, {d.xz, d.yz, d.zz}};
  Triple<Number> first = cross(columns[0], columns[1]);
  Number first_square = dot(first, first);
  for (std::size_t i = 1; i < 3; ++i) {
    const Triple<Number> product = cross(columns[i], columns[(i + 1) % 3]);
    const Number square = dot(product, product);
    const auto is_larger = square > first_square;
    first = {is_larger ? product.x : first.x, is_larger ? product.y : first.y, is_larger ? product.z : first.z};
    first_square = is_larger ? square : first_square;
  }
  const auto is_direction = first_square > 0.0;
  const Number first_length = is_direction ? root(first_square) : one;
  first = {is_direction ? first.x / first_length : one, is_direction ? first.y / first_length : zero,
           is_direction ? first.z / first_length : zero};
  // Two axes at right angles to it and to each other.
  const auto x_is_larger = size_of(first.x) > size_of(first.y);
  Triple<Number> across = {x_is_larger ? -first.z : zero, x_is_larger ? zero : first.z,
                           x_is_larger ? first.x : -first.y};
  across = times(1.0 / root(dot(across, across)), across);
  const Triple<Number> other = cross(first, across);
  const auto image = [&](const Triple<Number>& v) __attribute__((always_inline)) {
    return Triple<Number>{dot(columns[0], v), dot(columns[1], v), dot(columns[2], v)};
  };
  const Triple<Number> image_of_other = image(other);
  // The larger eigenvector of two rows (a b; b d) is at half the angle of (a - d, 2b).
  const Number x = 0.5 * (dot(across, image(across)) - dot(other, image_of_other));
  const Number y = dot(across, image_of_other);
  const Number length = root(x * x + y * y);
  const auto is_left = x < 0.0;
  const auto is_round = length <= 0.0;
  Number u = is_round ? one : is_left ? y : length + x;
  Number v = is_round ? zero : is_left ? length - x : y;
  const Number unit = 1.0 / root(u * u + v * v);
  u *= unit;
  v *= unit;
  const Triple<Number> larger = {u * across.x + v * other.x, u * across.y + v * other.y, u * across.z + v * other.z};
  const Triple<Number> third = cross(first, larger);
  const auto choose = [&](const Triple<Number>& if_smallest, const Triple<Number>& if_largest, std::size_t axis)
      __attribute__((always_inline)) {
    return Triple<Number>{is_any ? (is_smallest ? if_smallest.x : if_largest.x) : (axis == 0 ? one : zero),
                          is_any ? (is_smallest ? if_smallest.y : if_largest.y) : (axis == 1 ? one : zero),
                          is_any ? (is_smallest ? if_smallest.z : if_largest.z) : (axis == 2 ? one : zero)};
  };
  Axes<Number> axes;
  axes.tangent = choose(larger, first, 0);
  axes.normal = choose(first, third, 2);
  axes.bitangent = cross(axes.normal, axes.tangent);
  return axes;
}

}  // namespace burnish
