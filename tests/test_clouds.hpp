#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "burnish/noise.hpp"
#include "burnish/point_cloud.hpp"
#include "burnish/shapes.hpp"

// Clouds that several tests use, and the plainest ways to look at them.

namespace burnish {

/// Random numbers that are the same on every platform.
class TestRandom {
 public:
  explicit TestRandom(std::uint32_t seed = 7) : engine_(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) + 0.5) / 4294967296.0;
  }
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform(0.0, 1.0)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(0.0, 1.0));
  }
  std::size_t index(std::size_t count) { return engine_() % count; }

  Vec3 in_cube(double half) {
    const double x = uniform(-half, half);
    const double y = uniform(-half, half);
    return {x, y, uniform(-half, half)};
  }
  Vec3 normal3() {
    const double x = normal();
    const double y = normal();
    return {x, y, normal()};
  }

 private:
  std::mt19937 engine_;
};

inline std::vector<Vec3> random_points(std::size_t count, std::uint32_t seed = 7) {
  TestRandom random(seed);
  std::vector<Vec3> points(count);
  std::ranges::generate(points, [&] { return random.in_cube(1.0); });
  return points;
}

/// A cubic grid with whole-numbered coordinates: many exact ties.
inline std::vector<Vec3> grid_points(int side) {
  std::vector<Vec3> points;
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      for (int z = 0; z < side; ++z) {
        points.emplace_back(x, y, z);
      }
    }
  }
  return points;
}

/// A few dense clusters far apart.
inline std::vector<Vec3> clustered_points(std::size_t count, std::uint32_t seed = 3) {
  TestRandom random(seed);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const auto cluster = static_cast<double>(i % 5);
    points.push_back(Vec3(100.0 * cluster, 30.0 * cluster * cluster, 0.0) + std::pow(0.1, cluster) * random.normal3());
  }
  return points;
}

/// Points that are not finite, each in another way.
inline std::vector<Vec3> bad_points() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  return {{nan, nan, nan}, {inf, 0, 0}, {0, -inf, 5}, {-nan, 1, 2}, {1, 2, nan}};
}

/// The same with a bad point before every hundredth point. A method that leaves bad points alone, and whose other
/// points do not see them, gives the same whether they come before it or after it.
inline std::vector<Vec3> with_bad_points(std::span<const Vec3> points) {
  const std::vector<Vec3> bad = bad_points();
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % 100 == 0) {
      result.push_back(bad[i / 100 % bad.size()]);
    }
    result.push_back(points[i]);
  }
  return result;
}

/// Points of a shape of unit size, with Gaussian noise of standard deviation `sigma`.
inline std::vector<Vec3> noisy_shape(std::string_view name, std::size_t count, double sigma, std::uint64_t seed = 1) {
  PointCloud cloud;
  cloud.positions = make_shape(name)->sample(count, seed);
  return add_noise(std::move(cloud), {RandomDisplacement{.sigma = sigma}}, seed).cloud.positions;
}

/// A square lattice in a plane, `side` × `side` points, the normal of the plane given, each point jittered along the
/// plane by at most `jitter` spacings.
inline std::vector<Vec3> plane_lattice(int side, double spacing, const Vec3& normal, double jitter = 0.0) {
  TestRandom random;
  const Vec3 n = normal.normalized();
  const Vec3 helper = std::abs(n.x()) < 0.5 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  const Vec3 along = (helper - helper.dot(n) * n).normalized();
  const Vec3 across(n.y() * along.z() - n.z() * along.y(), n.z() * along.x() - n.x() * along.z(),
                    n.x() * along.y() - n.y() * along.x());
  std::vector<Vec3> points;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const double u = i + random.uniform(-jitter, jitter);
      const double v = j + random.uniform(-jitter, jitter);
      points.emplace_back(spacing * (u * along + v * across));
    }
  }
  return points;
}

/// The indices of the `count` nearest points, nearest first, equal distances in the order of their indices.
inline std::vector<std::uint32_t> brute_force_nearest(std::span<const Vec3> points, const Vec3& query,
                                                      std::size_t count) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return (points[i] - query).squaredNorm(); });
  order.resize(std::min(count, order.size()));
  return order;
}

/// Equal to the bit, also where values are not numbers.
inline bool same_bits(std::span<const Vec3> a, std::span<const Vec3> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// The largest distance between point i of one cloud and point i of the other.
inline double largest_deviation(std::span<const Vec3> a, std::span<const Vec3> b) {
  if (a.size() != b.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double deviation = (a[i] - b[i]).norm();
    largest = deviation <= largest ? largest : deviation;  // keeps what is not a number
  }
  return largest;
}

/// Every point through a function.
template <class Function>
std::vector<Vec3> transformed(std::span<const Vec3> points, const Function& function) {
  std::vector<Vec3> result;
  result.reserve(points.size());
  for (const Vec3& p : points) {
    result.push_back(function(p));
  }
  return result;
}

/// A permutation of 0 … count − 1.
inline std::vector<std::uint32_t> shuffled_indices(std::size_t count, std::uint32_t seed = 11) {
  TestRandom random(seed);
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[random.index(i)]);
  }
  return order;
}

}  // namespace burnish
