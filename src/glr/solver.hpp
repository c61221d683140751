#pragma once

#include <vector>

#include "glr/laplacian.hpp"

namespace burnish::glr {

struct Solution {
  std::vector<Vec3> x;
  unsigned steps = 0;
  double residual = 0.0;  ///< largest of the three coordinates' ‖b − Ax‖ / ‖b‖
};

/// SᵀL_pC − SᵀL_pS x: the attraction of points at x by the Laplacian.
[[nodiscard]] std::vector<Vec3> pull(const PointLaplacian& laplacian, const std::vector<Vec3>& x,
                                     const ExecutionContext& context);

/// Solves (SᵀL_pS + μI) x = right_side (equation 35) for the three coordinates at once, by conjugate gradients
/// preconditioned with the diagonal, beginning at `start`; at zero if that is empty.
[[nodiscard]] Solution conjugate_gradients(const PointLaplacian& laplacian, double mu,
                                           const std::vector<Vec3>& right_side, const std::vector<Vec3>& start,
                                           double tolerance, unsigned most_steps, const ExecutionContext& context);

/// The same system as a least-squares problem, from zero: conjugate gradients on the normal equations, in exact
/// arithmetic the iterates of LSQR. Each coordinate stops independently.
[[nodiscard]] Solution least_squares(const PointLaplacian& laplacian, double mu, const std::vector<Vec3>& right_side,
                                     double tolerance, unsigned most_steps, const ExecutionContext& context);

}  // namespace burnish::glr
