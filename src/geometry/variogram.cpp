#include "geometry/variogram.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <bit>
#include <limits>

#include "core/math.hpp"

namespace burnish {

Variogram fit_variogram(const std::array<double, ResidualCurve::sizes>& variance) {
  constexpr unsigned parts = 4;
  Variogram result;
  result.residual = variance[0];
  if (!(*std::ranges::min_element(variance) > 0.0)) {
    return result;
  }
  Eigen::Matrix<double, ResidualCurve::sizes, parts> terms;
  for (Eigen::Index j = 0; j < terms.rows(); ++j) {
    const double points = math::pow(2.0, static_cast<double>(j));
    terms.row(j) = Eigen::RowVector4d(1.0, 1.0 - 1.0 / points, math::pow(points, 1.5), math::cube(points)) /
                   variance[static_cast<std::size_t>(j)];
  }
  // Few enough parts to try every choice of those that are not zero.
  constexpr int rows = ResidualCurve::sizes;
  const Eigen::Matrix<double, rows, 1> ones = Eigen::Matrix<double, rows, 1>::Ones();
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 1; chosen < 1U << parts; ++chosen) {
    Eigen::Matrix<double, rows, Eigen::Dynamic, Eigen::ColMajor, rows, parts> used(rows, std::popcount(chosen));
    std::array<Eigen::Index, parts> columns{};
    Eigen::Index count = 0;
    for (unsigned part = 0; part < parts; ++part) {
      if ((chosen >> part & 1U) != 0) {
        columns[static_cast<std::size_t>(count)] = part;
        used.col(count++) = terms.col(part);
      }
    }
    const Eigen::VectorXd solution = used.colPivHouseholderQr().solve(ones);
    const double misfit = (used * solution - ones).squaredNorm();
    if (solution.minCoeff() >= 0.0 && misfit < least) {
      least = misfit;
      Eigen::Vector4d coefficients = Eigen::Vector4d::Zero();
      for (Eigen::Index c = 0; c < count; ++c) {
        coefficients[columns[static_cast<std::size_t>(c)]] = solution[c];
      }
      result.white = coefficients[0];
      result.correlated = coefficients[1];
    }
  }
  return result;
}

}  // namespace burnish
