#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "burnish/io.hpp"
#include "burnish/mesh.hpp"
#include "burnish/metrics.hpp"
#include "shared_data.hpp"

// Numbers other people have published for files we have: the paper's tables for Anchor, and the released noisy inputs
// of the PU-Net test set under the evaluation protocol that goes with them.

namespace burnish {
namespace {

CloudMetrics compare_anchor(const std::string& file) {
  const auto folder = shared_data() / "anchor";
  return compare_to_cloud(read(folder / file).positions, read(folder / "clean.ply").positions);
}

struct AnchorRow {
  std::string file;
  double mean_distance, mcd, snr_tabulated, surface;
};

class NoisyAnchor : public testing::TestWithParam<AnchorRow> {};

TEST_P(NoisyAnchor, MatchesThePapersTables) {
  BURNISH_NEEDS_DATA();
  const AnchorRow& row = GetParam();
  const CloudMetrics metrics = compare_anchor(row.file);
  EXPECT_NEAR(metrics.mean_distance, row.mean_distance, 0.00005);
  EXPECT_NEAR(metrics.mcd, row.mcd, 0.0006);  // 0.38456 where the paper prints 0.384
  EXPECT_NEAR(metrics.snr_tabulated, row.snr_tabulated, 0.005);
  EXPECT_NEAR(metrics.surface, row.surface, 0.0005);
  EXPECT_EQ(metrics.result_points, 55799U);
  EXPECT_EQ(metrics.result_left_out + metrics.truth_left_out, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, NoisyAnchor,
                         testing::Values(AnchorRow{"noisy-0.02.ply", 0.2589, 0.384, 47.41, 0.151},
                                         AnchorRow{"noisy-0.03.ply", 0.3215, 0.475, 45.25, 0.223},
                                         AnchorRow{"noisy-0.04.ply", 0.3724, 0.545, 43.78, 0.298}));

TEST(NoisyAnchorRms, IsTheNoiseThatWasAdded) {
  BURNISH_NEEDS_DATA();
  // Row i is point i: the noise per coordinate is 0.02 times the root of the diameter, 88.34.
  EXPECT_NEAR(compare_anchor("noisy-0.02.ply").aligned_rms.value(), 0.02 * std::sqrt(88.34) * std::sqrt(3.0), 0.001);
}

struct AuthorsRow {
  std::string file;
  double mean_distance, mse, surface, evenness;  // of the file, computed independently
  double mcd, snr_tabulated;                     // the paper's, from another run than the file
};

class AuthorsAnchor : public testing::TestWithParam<AuthorsRow> {};

TEST_P(AuthorsAnchor, MatchesTheFileAndComesCloseToThePaper) {
  BURNISH_NEEDS_DATA();
  const AuthorsRow& row = GetParam();
  const CloudMetrics metrics = compare_anchor(row.file);
  EXPECT_NEAR(metrics.mean_distance, row.mean_distance, 0.00005);
  EXPECT_NEAR(metrics.mse, row.mse, 0.000005);
  EXPECT_NEAR(metrics.surface, row.surface, 0.00005);
  EXPECT_NEAR(metrics.evenness, row.evenness, 0.005);
  EXPECT_NEAR(metrics.mcd, row.mcd, 0.0125 * row.mcd);
  EXPECT_NEAR(metrics.snr_tabulated, row.snr_tabulated, 0.11);
}

INSTANTIATE_TEST_SUITE_P(
    All, AuthorsAnchor,
    testing::Values(AuthorsRow{"authors-result-0.02.ply", 0.1901, 0.04292, 0.0358, 0.29, 0.272, 50.55},
                    AuthorsRow{"authors-result-0.03.ply", 0.2188, 0.05553, 0.0446, 0.29, 0.312, 49.20},
                    AuthorsRow{"authors-result-0.04.ply", 0.2279, 0.06002, 0.0588, 0.305, 0.334, 48.67}));

struct PunetRow {
  std::string shape;
  double chamfer, p2m;
};

class Punet : public testing::TestWithParam<PunetRow> {};

TEST_P(Punet, MatchesTheReleasedEvaluation) {
  BURNISH_NEEDS_DATA();
  const auto folder = shared_data() / "punet";
  const std::string& shape = GetParam().shape;
  const PointCloud noisy = read(folder / "50k" / "noisy-0.01" / (shape + ".ply"));
  const PointCloud clean = read(folder / "50k" / "clean" / (shape + ".ply"));
  const TriangleMesh mesh = mesh_of(read(folder / "meshes" / (shape + ".off")));
  EXPECT_NEAR(1e4 * compare_to_cloud(noisy.positions, clean.positions).chamfer, GetParam().chamfer, 0.00005);
  EXPECT_NEAR(1e4 * compare_to_mesh(noisy.positions, mesh).p2m, GetParam().p2m, 0.00005);
}

INSTANTIATE_TEST_SUITE_P(All, Punet,
                         testing::Values(PunetRow{"fandisk", 1.7102, 1.0282}, PunetRow{"camel", 1.5129, 1.0721}));

}  // namespace
}  // namespace burnish
