#include "glr/laplacian.hpp"

#include <gtest/gtest.h>

#include <string>

#include "burnish/estimate.hpp"
#include "dense_glr.hpp"
#include "test_clouds.hpp"

namespace burnish::glr {
namespace {

std::vector<Vec3> small_cloud() { return noisy_shape("part", 160, 0.02); }

struct Variant {
  std::string name;
  GlrSettings settings;
};

void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

GlrSettings small(GlrSettings settings) {
  settings.patch_size = 8;
  settings.patch_neighbours = 5;
  return settings;
}

std::vector<Variant> variants() {
  std::vector<Variant> result;
  result.push_back({"paper", small(glr_paper())});
  result.push_back({"paper_with_much_interpolation", small(glr_paper())});
  result.back().settings.interpolation_distance = 0.2;

  // Thresholds of the authors in units of the spacing of their model.
  GlrSettings authors = small(glr_authors());
  authors.length_unit = LengthUnit::spacing;
  authors.epsilon = {0.4};
  authors.threshold = 1.0;
  result.push_back({"authors", authors});
  authors.interpolation = Interpolation::connect;
  authors.interpolation_distance = 0.2;
  result.push_back({"authors_connecting_planes", authors});
  authors.laplacian = Laplacian::normalised;
  result.push_back({"authors_normalised", authors});

  GlrSettings paper = small(glr_paper());
  paper.laplacian = Laplacian::normalised;
  result.push_back({"paper_normalised", paper});
  paper = small(glr_paper());
  paper.normalisation = Normalisation::node_degree;
  result.push_back({"paper_by_node_degree", paper});
  paper.gamma = 1.0;
  paper.normalisation = Normalisation::patch_degree;
  paper.symmetric_distance = false;
  result.push_back({"one_directional_by_patch_degree", paper});
  paper.gamma = 0.0;
  paper.threshold = 0.3;
  result.push_back({"not_normalised_at_all", paper});
  return result;
}

class DenseLaplacian : public testing::TestWithParam<Variant> {
 protected:
  Stages stages_{small_cloud(), GetParam().settings, estimate_spacing(small_cloud())};
  DenseGlr dense_{stages_};
  bool normalised_ = GetParam().settings.laplacian == Laplacian::normalised;
};
INSTANTIATE_TEST_SUITE_P(Variants, DenseLaplacian, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

TEST_P(DenseLaplacian, IsSymmetricAndPositiveSemidefinite) {
  EXPECT_LT((dense_.laplacian - dense_.laplacian.transpose()).norm(), 1e-14 * dense_.laplacian.norm());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(dense_.laplacian, Eigen::EigenvaluesOnly);
  const double largest = solver.eigenvalues().maxCoeff();
  EXPECT_GT(largest, 0.1);
  EXPECT_GT(solver.eigenvalues().minCoeff(), -1e-12 * largest);
  if (normalised_) {
    EXPECT_LE(largest, 2.0 + 1e-12) << "no eigenvalue of a normalised Laplacian is larger";
  }
}

TEST_P(DenseLaplacian, SeesConstantsOnlyIfNormalised) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(dense_.laplacian.rows());
  const double pull = (dense_.laplacian * ones).norm();
  if (normalised_) {
    EXPECT_GT(pull, 1.0);
  } else {
    EXPECT_LT(pull, 1e-12);
  }
}

TEST_P(DenseLaplacian, BroughtToThePointsIsWhatTheLibraryAssembles) {
  const Eigen::MatrixXd expected = dense_.sampling.transpose() * dense_.laplacian * dense_.sampling;
  const double mu = 0.5;
  const Eigen::MatrixXd found = stages_.matrix(mu) - mu * Eigen::MatrixXd::Identity(expected.rows(), expected.cols());
  // Weights are stored in single precision: 6e-8 of each entry.
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 2e-7 * expected.cwiseAbs().maxCoeff());
  EXPECT_EQ((found - found.transpose()).norm(), 0.0);
  if (!normalised_) {
    EXPECT_LT(found.rowwise().sum().cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff())
        << "rounded weights still are those of a graph";
  }
}

TEST_P(DenseLaplacian, BroughtToThePointsCentresThem) {
  const Eigen::MatrixXd expected = dense_.sampling.transpose() * dense_.laplacian * dense_.centring;
  double largest = 0.0;
  for (std::size_t p = 0; p < stages_.points.size(); ++p) {
    const Vec3 wanted = expected.row(static_cast<Eigen::Index>(p)).transpose();
    largest = std::max(largest, (stages_.laplacian.centring[p] - wanted).norm());
  }
  EXPECT_LT(largest, 1e-11 * expected.cwiseAbs().maxCoeff());
}

TEST_P(DenseLaplacian, HasTheManifoldDimensionOfEquation15) {
  const std::vector<double> weights = dense_slot_weights(stages_);
  const bool symmetric = stages_.settings.symmetric_distance;
  double sum = 0.0;
  stages_.for_each_slot([&](std::size_t m, std::uint32_t s, std::size_t n) {
    const auto& d2 = stages_.correspondences.squared_distances;
    if (!symmetric) {
      sum += weights[s] * d2[s];
    } else if (m < n) {
      sum += weights[s] * (d2[s] + d2[stages_.patch_graph.reverse[s]]) / 2.0;
    }
  });
  EXPECT_GT(sum, 0.0);
  EXPECT_NEAR(stages_.graph.manifold_dimension, sum, 1e-12 * sum);
}

TEST_P(DenseLaplacian, IsConditionedNoWorseThanTheBound) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(stages_.matrix(0.0), Eigen::EigenvaluesOnly);
  const double smallest = std::max(solver.eigenvalues().minCoeff(), 0.0);
  const double largest = solver.eigenvalues().maxCoeff();
  const double bound = stages_.laplacian.eigenvalue_bound;
  EXPECT_GE(bound, largest * (1.0 - 1e-12));
  EXPECT_LE(bound, 10.0 * largest) << "a bound, but not any bound";
  for (const double mu : {0.1, 1.0, 25.0, 1000.0}) {
    EXPECT_GE((bound + mu) / mu, (largest + mu) / (smallest + mu) * (1.0 - 1e-12));
  }
}

TEST_P(DenseLaplacian, KnowsItsDegrees) {
  const Eigen::VectorXd diagonal = stages_.matrix(0.0).diagonal();
  EXPECT_NEAR(stages_.laplacian.largest_degree, diagonal.maxCoeff(), 1e-12 * diagonal.maxCoeff());
  EXPECT_NEAR(stages_.laplacian.mean_degree, diagonal.mean(), 1e-12 * diagonal.maxCoeff());
  if (!normalised_) {
    EXPECT_NEAR(stages_.laplacian.eigenvalue_bound, 2.0 * diagonal.maxCoeff(), 1e-12 * diagonal.maxCoeff());
  }
}

TEST(LaplacianAssembler, UsesItsMemoryAgainWithoutTraces) {
  const Stages larger(noisy_shape("sphere", 300, 0.02), small(glr_paper()), 0.1);
  const Stages smaller(small_cloud(), small(glr_paper()), 0.1);
  LaplacianAssembler assembler;
  (void)assembler.assemble(larger.graph, larger.nodes, larger.settings, {});
  ExecutionContext one;
  one.threads = 1;
  const PointLaplacian& again = assembler.assemble(smaller.graph, smaller.nodes, smaller.settings, one);
  EXPECT_EQ(again.diagonal, smaller.laplacian.diagonal);
  EXPECT_TRUE(same_bits(again.centring, smaller.laplacian.centring));
  EXPECT_EQ(again.ends, smaller.laplacian.ends);
}

}  // namespace
}  // namespace burnish::glr
