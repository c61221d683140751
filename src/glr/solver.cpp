#include "glr/solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace burnish::glr {
namespace {

constexpr std::size_t points_per_block = 4096;

using Coordinates = Quad;  // one number for each of x, y, z
using Quads = std::vector<Quad>;

Quads to_quads(const std::vector<Vec3>& points) {
  Quads quads(points.size());
  std::ranges::transform(points, quads.begin(), [](const Vec3& p) { return Quad(p.x(), p.y(), p.z(), 0.0); });
  return quads;
}

std::vector<Vec3> to_points(const Quads& quads) {
  std::vector<Vec3> points(quads.size());
  std::ranges::transform(quads, points.begin(), [](const Quad& q) { return Vec3(q.x(), q.y(), q.z()); });
  return points;
}

/// Σ body(i) over the points.
template <class Body>
Coordinates sum_over(std::size_t points, const ExecutionContext& context, const Body& body) {
  return parallel_sum(context, points, points_per_block, Coordinates(Coordinates::Zero()),
                      [&](std::size_t begin, std::size_t end) -> Coordinates {
                        Coordinates sum = Coordinates::Zero();
                        for (std::size_t i = begin; i < end; ++i) {
                          sum += body(i);
                        }
                        return sum;
                      });
}

Coordinates dot(const Quads& a, const Quads& b, const ExecutionContext& context) {
  return sum_over(a.size(), context, [&](std::size_t i) -> Coordinates { return a[i] * b[i]; });
}

/// a/b, and 0 for a coordinate that has converged exactly.
Coordinates quotient(const Coordinates& a, const Coordinates& b) { return (b > 0.0).select(a / b, 0.0); }

/// x += αp and r −= αq, where q = Ap; returns ‖r‖².
Coordinates step_along(const Quads& p, const Quads& q, const Coordinates& alpha, Quads& x, Quads& r,
                       const ExecutionContext& context) {
  return sum_over(x.size(), context, [&](std::size_t i) -> Coordinates {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    return r[i].square();
  });
}

double largest_ratio(const Coordinates& residual, const Coordinates& norm) {
  return quotient(residual, norm).sqrt().maxCoeff();
}

}  // namespace

std::vector<Vec3> pull(const PointLaplacian& laplacian, const std::vector<Vec3>& x, const ExecutionContext& context) {
  Quads product(x.size());
  laplacian.multiply(0.0, to_quads(x), product, context);
  std::vector<Vec3> result = to_points(product);
  parallel_for(context, x.size(), points_per_block,
               [&](std::size_t p) { result[p] = laplacian.centring[p] - result[p]; });
  return result;
}

Solution conjugate_gradients(const PointLaplacian& laplacian, double mu, const std::vector<Vec3>& right_side,
                             const std::vector<Vec3>& start, double tolerance, unsigned most_steps,
                             const ExecutionContext& context) {
  const std::size_t points = right_side.size();
  Solution solution;
  const Quads b = to_quads(right_side);
  Quads x = start.empty() ? Quads(points, Quad::Zero()) : to_quads(start);
  Quads r(points);
  Quads z(points);
  Quads p(points);
  Quads q(points, Quad::Zero());
  if (!start.empty()) {
    laplacian.multiply(mu, x, q, context);
  }
  const auto precondition = [&](std::size_t i) -> Coordinates {
    z[i] = r[i] / (laplacian.diagonal[i] + mu);
    return r[i] * z[i];
  };
  Coordinates rz = sum_over(points, context, [&](std::size_t i) {
    r[i] = b[i] - q[i];
    const Coordinates product = precondition(i);
    p[i] = z[i];
    return product;
  });
  const Coordinates b_norm = dot(b, b, context);
  solution.residual = largest_ratio(dot(r, r, context), b_norm);
  while (solution.residual > tolerance && solution.steps < most_steps) {
    laplacian.multiply(mu, p, q, context);
    const Coordinates alpha = quotient(rz, dot(p, q, context));
    const Coordinates r_norm = step_along(p, q, alpha, x, r, context);
    ++solution.steps;
    solution.residual = largest_ratio(r_norm, b_norm);
    const Coordinates next_rz = sum_over(points, context, precondition);
    const Coordinates beta = quotient(next_rz, rz);
    rz = next_rz;
    parallel_for(context, points, points_per_block, [&](std::size_t i) { p[i] = z[i] + beta * p[i]; });
  }
  solution.x = to_points(x);
  return solution;
}

Solution least_squares(const PointLaplacian& laplacian, double mu, const std::vector<Vec3>& right_side,
                       double tolerance, unsigned most_steps, const ExecutionContext& context) {
  const std::size_t points = right_side.size();
  Solution solution;
  Quads x(points, Quad::Zero());
  Quads r = to_quads(right_side);
  Quads s(points);
  Quads q(points);
  const Coordinates b_norm = dot(r, r, context);
  laplacian.multiply(mu, r, s, context);  // the matrix is its own transpose
  Quads p = s;
  Coordinates s_norm = dot(s, s, context);
  Coordinates running = (b_norm > 0.0).cast<double>();
  while (running.any() && solution.steps < most_steps) {
    laplacian.multiply(mu, p, q, context);
    const Coordinates alpha = running * quotient(s_norm, dot(q, q, context));
    const Coordinates r_norm = step_along(p, q, alpha, x, r, context);
    ++solution.steps;
    solution.residual = largest_ratio(r_norm, b_norm);
    running *= (r_norm > tolerance * tolerance * b_norm).cast<double>();
    if (!running.any()) {
      break;
    }
    laplacian.multiply(mu, r, s, context);
    const Coordinates next_s_norm = dot(s, s, context);
    const Coordinates beta = quotient(next_s_norm, s_norm);
    s_norm = next_s_norm;
    parallel_for(context, points, points_per_block, [&](std::size_t i) { p[i] = s[i] + beta * p[i]; });
  }
  solution.x = to_points(x);
  return solution;
}

}  // namespace burnish::glr
