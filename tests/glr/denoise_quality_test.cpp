#include <gtest/gtest.h>

#include "burnish/metrics.hpp"
#include "glr/glr_clouds.hpp"

// Points come closer to the surface, and those already there stay.

namespace burnish {
namespace {

double distance_from_plane(std::span<const Vec3> points, const Vec3& normal) {
  double largest = 0.0;
  for (const Vec3& p : points) {
    largest = std::max(largest, std::abs(p.dot(normal.normalized())));
  }
  return largest;
}

constexpr double plane_width = 28 * 0.4;

TEST(DenoiseGlr, KeepsPlanesFlatToRounding) {
  for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(1, 2, 3), Vec3(-1, 0.01, 0.3)}) {
    const std::vector<Vec3> plane = plane_lattice(28, 0.4, normal, 0.3);
    for (const auto& [name, settings] : exactly_solved_presets()) {
      EXPECT_LT(distance_from_plane(denoise_glr(plane, settings).positions, normal), 1e-14 * plane_width) << name;
    }
    for (const auto& [name, settings] : short_presets()) {
      const double tolerance = settings.solver_tolerance * plane_width;
      EXPECT_LT(distance_from_plane(denoise_glr(plane, settings).positions, normal), tolerance) << name;
    }
  }
}

TEST(DenoiseGlr, DoesNotMoveTheMiddleOfTheCloud) {
  // The combinatorial Laplacian does not see constants: it moves points against each other only.
  const std::vector<Vec3> cloud = noisy_part(800);
  for (const auto& [name, settings] : exactly_solved_presets()) {
    const std::vector<Vec3> result = denoise_glr(cloud, settings).positions;
    Vec3 drift = Vec3::Zero();
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      drift += (result[i] - cloud[i]) / static_cast<double>(cloud.size());
    }
    EXPECT_LT(drift.norm(), 1e-12) << name;
  }
}

/// Mean distance to the surface before and after.
struct Gain {
  double before;
  double after;
};

Gain gain(const char* name, std::size_t count, double sigma, const GlrSettings& settings, double scale = 1.0) {
  const auto shape = make_shape(name);
  const std::vector<Vec3> noisy = noisy_shape(name, count, sigma);
  const auto larger = transformed(noisy, [&](const Vec3& p) { return Vec3(scale * p); });
  const auto result =
      transformed(denoise_glr(larger, settings).positions, [&](const Vec3& p) { return Vec3(p / scale); });
  return {compare_to_shape(noisy, *shape).mean_distance, compare_to_shape(result, *shape).mean_distance};
}

TEST(DenoiseGlr, BringsANoisySphereCloserToItsSurface) {
  // 0.4 spacings of noise.
  const Gain paper = gain("sphere", 3000, 0.013, glr_paper());
  EXPECT_LT(paper.after, 0.45 * paper.before);
  GlrSettings authors = glr_authors();
  authors.noise_level = 0.02;
  const Gain other = gain("sphere", 3000, 0.013, authors, 0.4 / 0.0324);
  EXPECT_LT(other.after, 0.45 * other.before);
}

TEST(DenoiseGlr, BringsANoisyPartCloserToItsSurface) {
  const Gain paper = gain("part", 6000, 0.007, glr_paper());
  EXPECT_LT(paper.after, 0.8 * paper.before);
  GlrSettings authors = glr_authors();
  authors.noise_level = 0.02;
  const Gain other = gain("part", 6000, 0.007, authors, 0.4 / 0.0205);
  EXPECT_LT(other.after, 0.8 * other.before);
}

TEST(DenoiseGlr, HardlyMovesACleanSurface) {
  const std::vector<Vec3> clean = make_shape("sphere")->sample(3000);
  const Gain paper = gain("sphere", 3000, 0.0, glr_paper());
  EXPECT_EQ(paper.before, compare_to_shape(clean, *make_shape("sphere")).mean_distance);
  EXPECT_LT(paper.after, 0.05 * 0.0324) << "a twentieth of the spacing";
}

}  // namespace
}  // namespace burnish
