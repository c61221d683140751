#include "geometry/variogram.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace burnish {
namespace {

std::array<double, ResidualCurve::sizes> variances(double white, double correlated, double crease, double cubic) {
  std::array<double, ResidualCurve::sizes> result{};
  for (std::size_t j = 0; j < result.size(); ++j) {
    const double points = std::pow(2.0, static_cast<double>(j));
    result[j] =
        white + correlated * (1.0 - 1.0 / points) + crease * std::pow(points, 1.5) + cubic * points * points * points;
  }
  return result;
}

TEST(Variogram, FindsTheParts) {
  for (const double white : {0.2, 1.0}) {
    for (const double correlated : {0.0, 0.7, 2.0}) {
      for (const double crease : {0.0, 0.3}) {
        for (const double cubic : {0.0, 0.05}) {
          const Variogram fit = fit_variogram(variances(white, correlated, crease, cubic));
          EXPECT_NEAR(fit.white, white, 1e-9);
          EXPECT_NEAR(fit.correlated, correlated, 1e-8);
          EXPECT_EQ(fit.residual, white + crease + cubic);
        }
      }
    }
  }
}

TEST(Variogram, FindsNoNoiseInShape) {
  EXPECT_NEAR(fit_variogram(variances(0.0, 0.0, 1.0, 0.0)).white, 0.0, 1e-9);
  EXPECT_NEAR(fit_variogram(variances(0.0, 0.0, 0.0, 1.0)).white, 0.0, 1e-9);
  EXPECT_NEAR(fit_variogram(variances(0.0, 0.0, 0.5, 2.0)).correlated, 0.0, 1e-9);
  EXPECT_EQ(fit_variogram({}).white, 0.0);
}

TEST(Variogram, HasNoNegativePartsWhereResidualsFall) {
  const Variogram fit = fit_variogram({1.0, 0.9, 0.8, 0.8});
  EXPECT_GT(fit.white, 0.8);
  EXPECT_LT(fit.white, 1.0);
  EXPECT_EQ(fit.correlated, 0.0);
}

TEST(Variogram, ScalesWithTheVariances) {
  std::array<double, ResidualCurve::sizes> small = variances(1.0, 2.0, 0.1, 0.02);
  const Variogram fit = fit_variogram(small);
  for (double& variance : small) {
    variance *= 1e-24;
  }
  const Variogram scaled = fit_variogram(small);
  EXPECT_NEAR(scaled.white / fit.white, 1e-24, 1e-33);
  EXPECT_NEAR(scaled.correlated / fit.correlated, 1e-24, 1e-33);
}

}  // namespace
}  // namespace burnish
