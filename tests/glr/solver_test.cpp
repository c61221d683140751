#include "glr/solver.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>
#include <gtest/gtest.h>

#include "dense_glr.hpp"
#include "test_clouds.hpp"

namespace burnish::glr {
namespace {

/// A real system of the method, as a matrix too.
class SolverTest : public testing::TestWithParam<double> {
 protected:
  static GlrSettings settings() {
    GlrSettings settings;
    settings.patch_size = 10;
    return settings;
  }
  static std::vector<Vec3> right_hand_side() {
    TestRandom random(9);
    std::vector<Vec3> b(200);
    std::ranges::generate(b, [&] { return Vec3(random.normal(), 100.0 * random.normal(), 5.0 + random.normal()); });
    return b;
  }
  static Eigen::MatrixX3d as_matrix(const std::vector<Vec3>& rows) {
    Eigen::MatrixX3d matrix(static_cast<Eigen::Index>(rows.size()), 3);
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      matrix.row(i) = rows[static_cast<std::size_t>(i)].transpose();
    }
    return matrix;
  }

  /// Column by column, because the three differ in size.
  static double relative_difference(const Eigen::MatrixX3d& a, const Eigen::MatrixX3d& b) {
    return ((a - b).colwise().norm().array() / b.colwise().norm().array()).maxCoeff();
  }

  double mu_ = GetParam();
  Stages stages_{noisy_shape("part", 200, 0.02), settings(), 0.1};
  Eigen::MatrixXd matrix_ = stages_.matrix(mu_);
  std::vector<Vec3> b_ = right_hand_side();
  Eigen::MatrixX3d rhs_ = as_matrix(b_);
  Eigen::MatrixX3d exact_ = matrix_.ldlt().solve(rhs_);
};
INSTANTIATE_TEST_SUITE_P(SeveralMu, SolverTest, testing::Values(0.5, 25.0));

TEST_P(SolverTest, ConjugateGradientsSolveTheSystem) {
  for (const auto& start : {b_, std::vector<Vec3>(200, Vec3::Zero()), random_points(200)}) {
    const Solution solution = conjugate_gradients(stages_.laplacian, mu_, b_, start, 1e-12, 1000, {});
    EXPECT_LT(relative_difference(as_matrix(solution.x), exact_), 1e-8);
    EXPECT_LE(solution.residual, 1e-12);
    EXPECT_LT(solution.steps, 200U);
  }
}

TEST_P(SolverTest, ConjugateGradientsFromTheSolutionTakeNoStep) {
  std::vector<Vec3> start;
  for (Eigen::Index i = 0; i < exact_.rows(); ++i) {
    start.emplace_back(exact_.row(i).transpose());
  }
  const Solution solution = conjugate_gradients(stages_.laplacian, mu_, b_, start, 1e-9, 1000, {});
  EXPECT_EQ(solution.steps, 0U);
  EXPECT_TRUE(same_bits(solution.x, start));
}

TEST_P(SolverTest, BothReportTheResidualTheyReach) {
  for (const unsigned steps : {1U, 3U, 7U}) {
    const Solution gradients = conjugate_gradients(stages_.laplacian, mu_, b_, b_, 0.0, steps, {});
    const Solution squares = least_squares(stages_.laplacian, mu_, b_, 0.0, steps, {});
    for (const Solution& solution : {gradients, squares}) {
      EXPECT_EQ(solution.steps, steps);
      const Eigen::MatrixX3d residual = rhs_ - matrix_ * as_matrix(solution.x);
      const double expected = (residual.colwise().norm().array() / rhs_.colwise().norm().array()).maxCoeff();
      EXPECT_NEAR(solution.residual, expected, 1e-10 + 1e-6 * expected);
    }
  }
}

TEST_P(SolverTest, ConjugateGradientsStopAtTheToleranceAndNotLater) {
  const Solution solution = conjugate_gradients(stages_.laplacian, mu_, b_, b_, 1e-4, 1000, {});
  EXPECT_LE(solution.residual, 1e-4);
  const Solution before = conjugate_gradients(stages_.laplacian, mu_, b_, b_, 1e-4, solution.steps - 1, {});
  EXPECT_GT(before.residual, 1e-4);
}

TEST_P(SolverTest, LeastSquaresConvergeToTheSameSolution) {
  const Solution solution = least_squares(stages_.laplacian, mu_, b_, 1e-13, 20000, {});
  EXPECT_LT(relative_difference(as_matrix(solution.x), exact_), 1e-8);
}

TEST_P(SolverTest, LeastSquaresTakeTheStepsOfConjugateGradientsOnTheNormalEquations) {
  const Eigen::SparseMatrix<double> sparse = matrix_.sparseView();
  for (const unsigned steps : {1U, 2U, 5U, 20U}) {
    const Solution solution = least_squares(stages_.laplacian, mu_, b_, 0.0, steps, {});
    Eigen::LeastSquaresConjugateGradient<Eigen::SparseMatrix<double>, Eigen::IdentityPreconditioner> reference;
    reference.setMaxIterations(static_cast<Eigen::Index>(steps));
    reference.setTolerance(0.0);
    reference.compute(sparse);
    Eigen::MatrixX3d expected(rhs_.rows(), 3);
    for (Eigen::Index column = 0; column < 3; ++column) {
      const Eigen::VectorXd one = rhs_.col(column);
      expected.col(column) = reference.solve(one);
    }
    // Rounding grows with every step; one step more or less makes a difference of 1e-2.
    EXPECT_LT(relative_difference(as_matrix(solution.x), expected), 1e-6) << steps << " steps";
  }
}

TEST_P(SolverTest, CoordinatesOfLeastSquaresStopByThemselves) {
  // y alone gets the same steps as beside others that are done at once.
  std::vector<Vec3> easy = b_;
  for (Vec3& b : easy) {
    b.x() = 0.0;
    b.z() = 0.0;
  }
  const Solution alone = least_squares(stages_.laplacian, mu_, easy, 1e-6, 20, {});
  const Solution together = least_squares(stages_.laplacian, mu_, b_, 1e-6, 20, {});
  for (std::size_t i = 0; i < b_.size(); ++i) {
    ASSERT_EQ(alone.x[i].y(), together.x[i].y());
    ASSERT_EQ(alone.x[i].x(), 0.0);
  }
}

TEST_P(SolverTest, NothingOnTheRightGivesNothing) {
  const std::vector<Vec3> zero(200, Vec3::Zero());
  EXPECT_TRUE(same_bits(least_squares(stages_.laplacian, mu_, zero, 1e-9, 20, {}).x, zero));
  EXPECT_TRUE(same_bits(conjugate_gradients(stages_.laplacian, mu_, zero, zero, 1e-9, 20, {}).x, zero));
}

TEST_P(SolverTest, ThreadsDoNotChangeABit) {
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext many;
  many.threads = 5;
  EXPECT_TRUE(same_bits(conjugate_gradients(stages_.laplacian, mu_, b_, b_, 1e-9, 50, one).x,
                        conjugate_gradients(stages_.laplacian, mu_, b_, b_, 1e-9, 50, many).x));
  EXPECT_TRUE(same_bits(least_squares(stages_.laplacian, mu_, b_, 1e-9, 50, one).x,
                        least_squares(stages_.laplacian, mu_, b_, 1e-9, 50, many).x));
}

}  // namespace
}  // namespace burnish::glr
