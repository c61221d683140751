#include "glr/solver.hpp"

#include <cmath>

#include "core/parallel.hpp"

namespace burnish::glr {
namespace {

constexpr std::size_t block = 4096;

using Coordinates = Eigen::Array3d;  // one number for each of x, y, z

/// Σ body(i) over the points.
template <class Body>
Coordinates sum_over(std::size_t points, const ExecutionContext& context, const Body& body) {
  return parallel_sum(context, points, block, Coordinates(Coordinates::Zero()),
                      [&](std::size_t begin, std::size_t end) -> Coordinates {
                        Coordinates sum = Coordinates::Zero();
                        for (std::size_t i = begin; i < end; ++i) {
                          sum += body(i);
                        }
                        return sum;
                      });
}

Coordinates dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const ExecutionContext& context) {
  return sum_over(a.size(), context, [&](std::size_t i) -> Coordinates { return a[i].array() * b[i].array(); });
}

/// a/b, and 0 for a coordinate that has nothing left to do.
Coordinates quotient(const Coordinates& a, const Coordinates& b) { return (b > 0.0).select(a / b, 0.0); }

double largest_ratio(const Coordinates& residual, const Coordinates& norm) {
  return quotient(residual, norm).sqrt().maxCoeff();
}

}  // namespace

Solution conjugate_gradients(const PointLaplacian& laplacian, double mu, const std::vector<Vec3>& b,
                             const std::vector<Vec3>& start, double tolerance, unsigned most_steps,
                             const ExecutionContext& context) {
  const std::size_t points = b.size();
  Solution solution{start};
  std::vector<Vec3> r(points);
  std::vector<Vec3> z(points);
  std::vector<Vec3> p(points);
  std::vector<Vec3> q(points);
  laplacian.multiply(mu, solution.x, q, context);
  const auto precondition = [&](std::size_t i) {
    z[i] = r[i] / (laplacian.diagonal[i] + mu);
    return Coordinates(r[i].array() * z[i].array());
  };
  Coordinates rz = sum_over(points, context, [&](std::size_t i) -> Coordinates {
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
    const Coordinates r_norm = sum_over(points, context, [&](std::size_t i) -> Coordinates {
      solution.x[i].array() += alpha * p[i].array();
      r[i].array() -= alpha * q[i].array();
      return r[i].array().square();
    });
    ++solution.steps;
    solution.residual = largest_ratio(r_norm, b_norm);
    const Coordinates next_rz = sum_over(points, context, precondition);
    const Coordinates beta = quotient(next_rz, rz);
    rz = next_rz;
    parallel_for(context, points, block, [&](std::size_t i) { p[i].array() = z[i].array() + beta * p[i].array(); });
  }
  return solution;
}

Solution least_squares(const PointLaplacian& laplacian, double mu, const std::vector<Vec3>& b, double tolerance,
                       unsigned most_steps, const ExecutionContext& context) {
  const std::size_t points = b.size();
  Solution solution{std::vector<Vec3>(points, Vec3::Zero())};
  std::vector<Vec3> r = b;
  std::vector<Vec3> s(points);
  std::vector<Vec3> q(points);
  laplacian.multiply(mu, r, s, context);  // the matrix is its own transpose
  std::vector<Vec3> p = s;
  Coordinates s_norm = dot(s, s, context);
  const Coordinates b_norm = dot(b, b, context);
  Coordinates running = (b_norm > 0.0).cast<double>();
  while (running.any() && solution.steps < most_steps) {
    laplacian.multiply(mu, p, q, context);
    const Coordinates alpha = running * quotient(s_norm, dot(q, q, context));
    const Coordinates r_norm = sum_over(points, context, [&](std::size_t i) -> Coordinates {
      solution.x[i].array() += alpha * p[i].array();
      r[i].array() -= alpha * q[i].array();
      return r[i].array().square();
    });
    ++solution.steps;
    solution.residual = largest_ratio(r_norm, b_norm);
    running *= (r_norm > tolerance * tolerance * b_norm).cast<double>();

    laplacian.multiply(mu, r, s, context);
    const Coordinates next_s_norm = dot(s, s, context);
    const Coordinates beta = quotient(next_s_norm, s_norm);
    s_norm = next_s_norm;
    parallel_for(context, points, block, [&](std::size_t i) { p[i].array() = s[i].array() + beta * p[i].array(); });
  }
  return solution;
}

}  // namespace burnish::glr
