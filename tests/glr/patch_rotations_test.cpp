#include "glr/patch_rotations.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "dense_glr.hpp"
#include "test_clouds.hpp"

namespace burnish::glr {
namespace {

GlrSettings settings_to_turn() {
  GlrSettings settings;
  settings.patch_size = 20;
  settings.patch_neighbours = 8;
  settings.patch_origin = PatchOrigin::mean;
  settings.symmetric_distance = false;
  settings.interpolation = Interpolation::off;
  settings.normalisation = Normalisation::node_degree;
  return settings;
}

double angle_of(const Eigen::Matrix3d& turn) { return Eigen::AngleAxisd(turn).angle(); }

double mean_angle(const Stages& stages, double* between_normals = nullptr) {
  const PatchRotations rotations(stages.points, stages.patches, {});
  double sum = 0.0;
  double count = 0.0;
  stages.for_each_slot([&](std::size_t m, std::uint32_t, std::size_t n) {
    sum += angle_of(rotations.rotation(m, n));
    if (between_normals != nullptr) {
      const double cosine = std::abs(PatchView::normal_of(stages, m).dot(PatchView::normal_of(stages, n)));
      *between_normals += std::acos(std::min(1.0, cosine));
    }
    count += 1.0;
  });
  if (between_normals != nullptr) {
    *between_normals /= count;
  }
  return sum / count;
}

TEST(PatchRotations, BringPlanesTogetherWhereTheSurfaceBends) {
  const Stages stages(noisy_shape("sphere", 2000, 0.0), settings_to_turn(), 0.08);
  double between_normals = 0.0;
  const double turned = mean_angle(stages, &between_normals);
  EXPECT_GT(turned, 0.9 * between_normals);
  EXPECT_LE(turned, between_normals + 1e-9);

  const PatchRotations rotations(stages.points, stages.patches, {});
  Correspondences straight;
  Correspondences compared;
  find_correspondences(stages.points, stages.patches, stages.patch_graph, Interpolation::off, 0.0, straight, {});
  find_correspondences(stages.points, stages.patches, stages.patch_graph, Interpolation::off, 0.0, compared, {},
                       Reuse::none, &rotations);
  const auto sum = [](const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); };
  EXPECT_LT(sum(compared.squared_distances), 0.1 * sum(straight.squared_distances))
      << "all patches of a sphere are alike";
}

TEST(PatchRotations, KeepLittleOfWhatNoiseMakes) {
  std::vector<Vec3> plane;
  TestRandom random(3);
  for (int x = 0; x < 45; ++x) {
    for (int y = 0; y < 45; ++y) {
      plane.emplace_back(Vec3(x, y, 0.0) + random.in_cube(0.5));
    }
  }
  const Stages stages(plane, settings_to_turn(), 1.0);
  double between_normals = 0.0;
  const double turned = mean_angle(stages, &between_normals);
  EXPECT_GT(between_normals, 0.01) << "or nothing was tested";
  EXPECT_LT(turned, 0.35 * between_normals);
}

TEST(PatchRotations, PullAsTheirEdgesSay) {
  const Stages stages(noisy_shape("torus", 500, 0.02), settings_to_turn(), 0.08);
  const PatchRotations rotations(stages.points, stages.patches, {});
  const std::size_t k = stages.patches.size;
  std::vector<double> degrees(stages.patches.members.size(), 0.0);
  const auto for_each_edge = [&](const auto& visit) {
    stages.for_each_slot([&](std::size_t m, std::uint32_t s, std::size_t n) {
      for (std::size_t i = 0; i < k; ++i) {
        if (const std::uint8_t j = stages.edges.partners_of(s)[i]; j != stages.edges.none) {
          visit(m, n, i, std::size_t{j}, stages.graph.weights[s]);
        }
      }
    });
  };
  for_each_edge([&](std::size_t m, std::size_t n, std::size_t i, std::size_t j, double weight) {
    degrees[m * k + i] += weight;
    degrees[n * k + j] += weight;
  });
  std::vector<Vec3> expected(stages.points.size(), Vec3::Zero());
  for_each_edge([&](std::size_t m, std::size_t n, std::size_t i, std::size_t j, double weight) {
    if (weight > 0.0) {
      const std::uint32_t p = stages.patches.patch(m)[i];
      const std::uint32_t q = stages.patches.patch(n)[j];
      const Vec3 local = stages.points[q] - stages.patches.origins[n];
      const Vec3 pull =
          weight / std::sqrt(degrees[m * k + i] * degrees[n * k + j]) * (rotations.rotation(m, n) * local - local);
      expected[p] += pull;
      expected[q] -= pull;
    }
  });
  const std::vector<Vec3> pulls =
      pull_of_rotations(rotations, stages.graph, stages.assembler.scales(), stages.points, stages.nodes, {});
  double largest = 0.0;
  for (std::size_t p = 0; p < pulls.size(); ++p) {
    EXPECT_LT((pulls[p] - expected[p]).norm(), 1e-12);
    largest = std::max(largest, expected[p].norm());
  }
  EXPECT_GT(largest, 1e-3) << "or nothing was tested";
}

}  // namespace
}  // namespace burnish::glr
