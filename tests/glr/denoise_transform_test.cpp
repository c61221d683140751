#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "glr/glr_clouds.hpp"

// What is done to the cloud is done to the result.

namespace burnish {
namespace {

GlrSettings short_paper() { return short_presets().front().settings; }

/// The largest difference between denoising the transformed cloud and transforming the denoised cloud, in spacings.
template <class Function>
double commutes(std::span<const Vec3> cloud, const GlrSettings& settings, double scale, const Function& function) {
  const GlrResult plain = denoise_glr(cloud, settings);
  const GlrResult other = denoise_glr(transformed(cloud, function), settings);
  EXPECT_EQ(other.iterations.size(), plain.iterations.size());
  EXPECT_EQ(other.patches, plain.patches);
  EXPECT_GT(plain.iterations.front().mean_move, 0.02 * plain.spacing) << "or nothing was tested";
  return largest_deviation(transformed(plain.positions, function), other.positions) / (scale * plain.spacing);
}

TEST(DenoiseGlr, ScalesWithTheCloud) {
  // Measured: 1e-13 after all 15 iterations. Only rounding differs.
  for (const char* name : {"part", "organic"}) {
    const std::vector<Vec3> cloud = noisy_shape(name, 1000, 0.015);
    for (const double scale : {1000.0, 1e-3, 1.7e6, 1e20, 1e-20}) {
      EXPECT_LT(commutes(cloud, short_paper(), scale, [&](const Vec3& p) { return Vec3(scale * p); }), 1e-11);
    }
  }
}

TEST(DenoiseGlr, TurnsWithTheCloud) {
  // Measured: 1e-7 after all 15 iterations. Sums come in another order and are stored in single precision.
  for (const char* name : {"part", "sphere"}) {
    const std::vector<Vec3> cloud = noisy_shape(name, 1000, 0.015);
    for (const double angle : {0.3, 1.0, 2.5}) {
      const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, Vec3(1, 2 - angle, 3).normalized()).toRotationMatrix();
      EXPECT_LT(commutes(cloud, short_paper(), 1.0, [&](const Vec3& p) { return Vec3(turn * p); }), 1e-6);
    }
  }
}

TEST(DenoiseGlr, MirrorsWithTheCloud) {
  const std::vector<Vec3> cloud = noisy_shape("part", 1000, 0.015);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 signs(1, 1, 1);
    signs[axis] = -1;
    EXPECT_LT(commutes(cloud, short_paper(), 1.0, [&](const Vec3& p) { return Vec3(signs.cwiseProduct(p)); }), 1e-11);
  }
  EXPECT_LT(commutes(cloud, short_paper(), 1.0, [](const Vec3& p) { return Vec3(p.y(), p.z(), p.x()); }), 1e-11);
}

TEST(DenoiseGlr, MovesWithTheCloud) {
  const Vec3 offset(4e6, 5e5, 100);
  // Map coordinates are rounded to 4e-10, which moves points by 1e-8 spacings.
  const std::vector<Vec3> cloud = noisy_shape("part", 1000, 0.015);
  EXPECT_LT(commutes(cloud, short_paper(), 1.0, [&](const Vec3& p) { return Vec3(p + offset); }), 1e-6);
}

TEST(DenoiseGlr, MovesPointsAlikeIfTheOffsetIsExact) {
  const Vec3 offset(4e6, 5e5, 100);
  for (const auto& [name, settings] : short_presets()) {
    // Whole multiples of 2⁻²⁰, so that adding the offset rounds nothing.
    const std::vector<Vec3> cloud =
        transformed(noisy_part(1000), [](const Vec3& p) { return Vec3((p * 0x1p20).array().round() * 0x1p-20); });
    const std::vector<Vec3> moved = transformed(cloud, [&](const Vec3& p) { return Vec3(p + offset); });
    const std::vector<Vec3> here = denoise_glr(cloud, settings).positions;
    const std::vector<Vec3> there = denoise_glr(moved, settings).positions;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      // Half a unit in the last place of 4,000,000.
      ASSERT_LE((there[i] - offset - here[i]).lpNorm<Eigen::Infinity>(), 0x1p-32) << name;
    }
  }
}

TEST(DenoiseGlr, DoesNotDependOnTheOrderOfThePointsToTheBit) {
  for (const auto& [name, settings] : short_presets()) {
    const std::vector<Vec3> cloud = noisy_part(1000);
    std::vector<std::uint32_t> order = shuffled_indices(cloud.size());
    if (settings.first_centre == FirstCentre::first_point) {
      std::swap(order[0], *std::ranges::find(order, 0U));
    }
    const std::vector<Vec3> expected = reordered(denoise_glr(cloud, settings).positions, order);
    EXPECT_TRUE(same_bits(denoise_glr(reordered(cloud, order), settings).positions, expected)) << name;
  }
}

}  // namespace
}  // namespace burnish
