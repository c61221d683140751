#include "burnish/denoise.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "burnish/baselines.hpp"
#include "burnish/error.hpp"
#include "burnish/io.hpp"
#include "burnish/mesh.hpp"
#include "burnish/metrics.hpp"
#include "shared_data.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

/// Noise of half a spacing.
std::vector<Vec3> noisy_organic() { return noisy_shape("organic", 3000, 0.012); }

/// Noise of more than a spacing: strong enough for iterations over patches.
std::vector<Vec3> noisier_organic() { return noisy_shape("organic", 3000, 0.045); }

TEST(Denoise, BringsShapesCloserToTheirSurface) {
  for (const char* name : {"sphere", "torus", "cube", "organic", "part"}) {
    const auto shape = make_shape(name);
    const std::vector<Vec3> clean = shape->sample(6000);
    const double spacing = estimate_spacing(clean);
    for (const double spacings : {0.3, 1.0, 2.0}) {
      const std::vector<Vec3> noisy = noisy_shape(name, 6000, spacings * spacing);
      const double before = compare_to_shape(noisy, *shape).rms_distance;
      const double after = compare_to_shape(denoise(noisy).positions, *shape).rms_distance;
      EXPECT_LT(after, before) << name << ", noise of " << spacings << " spacings";
      if (std::string_view(name) == "sphere") {
        EXPECT_LT(after, 0.4 * before) << spacings;
      }
    }
  }
}

TEST(Denoise, ExpectsTheErrorItMakes) {
  for (const char* name : {"sphere", "organic", "cube", "part"}) {
    const auto shape = make_shape(name);
    const double spacing = estimate_spacing(shape->sample(8000));
    for (const double spacings : {0.2, 0.5, 0.8}) {
      const std::vector<Vec3> noisy = noisy_shape(name, 8000, spacings * spacing);
      const DenoiseResult result = denoise(noisy);
      const double before = compare_to_shape(noisy, *shape).rms_distance;
      const double after = compare_to_shape(result.positions, *shape).rms_distance;
      EXPECT_NEAR(result.expected_error_before, before, 0.25 * before) << name << ' ' << spacings;
      EXPECT_NEAR(result.expected_error_after, after, 0.25 * after) << name << ' ' << spacings;
      EXPECT_FALSE(result.is_error_rough);
    }
  }
}

TEST(Denoise, ExpectsTheErrorOfAnyStrength) {
  const auto shape = make_shape("organic");
  const std::vector<Vec3> noisy = noisy_shape("organic", 8000, 0.008);
  for (const double strength : {0.0, 0.25, 0.5, 1.5}) {
    DenoiseSettings settings;
    settings.strength = strength;
    const DenoiseResult result = denoise(noisy, settings);
    const double after = compare_to_shape(result.positions, *shape).rms_distance;
    EXPECT_NEAR(result.expected_error_after, after, 0.25 * after) << strength;
    EXPECT_LE(result.expected_error_after, result.expected_error_before) << strength;
    EXPECT_EQ(result.is_error_rough, strength != 0.0);
  }
}

TEST(Denoise, KnowsWhereItsResultIsUncertain) {
  const auto part = make_shape("part");
  std::vector<Vec3> noisy = noisy_shape("part", 12000, 0.005);
  noisy.push_back(Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
  noisy.emplace_back(3.0, 3.0, 3.0);
  const DenoiseResult result = denoise(noisy);
  ASSERT_EQ(result.error_at_points.size(), noisy.size());
  EXPECT_EQ(result.error_at_points[12000], 0.0);
  EXPECT_EQ(result.error_at_points[12001], 0.0);  // an outlier
  std::vector<std::uint32_t> order(12000);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return result.error_at_points[i]; });
  const auto mean_over = [&](std::size_t begin, std::size_t end) {
    double error = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      error += part->distance(result.positions[order[i]]) / static_cast<double>(end - begin);
    }
    return error;
  };
  EXPECT_GT(mean_over(9600, 12000), 2.0 * mean_over(0, 2400));
  double squares = 0.0;
  for (const double error : result.error_at_points) {
    squares += error * error / static_cast<double>(noisy.size() - 1 - result.outliers.size());
  }
  EXPECT_NEAR(std::sqrt(squares), result.expected_error_after, 1e-6 * result.expected_error_after);
}

TEST(Denoise, ScalesTurnsAndMovesWithTheCloud) {
  const std::vector<Vec3> cloud = noisier_organic();
  const DenoiseResult plain = denoise(cloud);
  ASSERT_GT(plain.iterations, 0U);
  const auto deviation = [&](const auto& function) {
    const std::vector<Vec3> other = denoise(transformed(cloud, function)).positions;
    return compare_to_cloud(other, transformed(plain.positions, function)).aligned_rms.value() / plain.spacing;
  };
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.0, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  EXPECT_LT(deviation([](const Vec3& p) { return Vec3(1e3 * p); }), 1e-6);
  EXPECT_LT(deviation([](const Vec3& p) { return Vec3(1e-3 * p); }), 1e-12);
  EXPECT_LT(deviation([&](const Vec3& p) { return Vec3(turn * p); }), 1e-3);
  EXPECT_LT(deviation([](const Vec3& p) { return Vec3(p + Vec3(4e5, 5e6, 100)); }), 1e-3);
}

TEST(Denoise, DoesNotDependOnThreadsOrOrder) {
  const std::vector<Vec3> cloud = noisier_organic();
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext many;
  many.threads = 5;
  const std::vector<Vec3> plain = denoise(cloud, {}, one).positions;
  EXPECT_TRUE(same_bits(plain, denoise(cloud, {}, many).positions));
  const std::vector<std::uint32_t> order = shuffled_indices(cloud.size());
  std::vector<Vec3> shuffled;
  std::vector<Vec3> expected;
  for (const std::uint32_t i : order) {
    shuffled.push_back(cloud[i]);
    expected.push_back(plain[i]);
  }
  EXPECT_TRUE(same_bits(denoise(shuffled).positions, expected));
}

TEST(Denoise, LeavesBadPointsAndOutliersInPlace) {
  std::vector<Vec3> cloud = noisy_organic();
  const std::vector<Vec3> expected = denoise(cloud).positions;
  const Vec3 bad(std::numeric_limits<double>::quiet_NaN(), 0, 0);
  const Vec3 stray(7, 7, 7);
  cloud.push_back(bad);
  cloud.push_back(cloud[10]);  // a duplicate
  cloud.push_back(stray);
  const DenoiseResult result = denoise(cloud);
  EXPECT_TRUE(std::isnan(result.positions[3000].x()));
  EXPECT_EQ(result.positions[3001], result.positions[10]);
  EXPECT_EQ(result.positions[3002], stray);
  EXPECT_EQ(result.outliers, std::vector<std::uint32_t>{3002});
  EXPECT_LT(compare_to_cloud(std::span(result.positions).first(3000), expected).aligned_rms.value(),
            0.1 * result.spacing);
}

TEST(Denoise, TakesOutNothingAtStrengthZeroAndFromTinyClouds) {
  const std::vector<Vec3> cloud = noisy_organic();
  DenoiseSettings settings;
  settings.strength = 0.0;
  EXPECT_TRUE(same_bits(denoise(cloud, settings).positions, cloud));
  for (const std::size_t count : {0U, 1U, 5U, 50U}) {
    const std::vector<Vec3> tiny = random_points(count);
    EXPECT_TRUE(same_bits(denoise(tiny).positions, tiny)) << count;
  }
}

TEST(Denoise, RefusesSettingsThatMakeNoSense) {
  EXPECT_THROW((void)denoise({}, {.noise = -1.0}), Error);
  EXPECT_THROW((void)denoise({}, {.strength = 11.0}), Error);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
struct Known {
  const char* level;
  double mean_distance;
  double surface;
};

TEST(Denoise, KeepsEdgesBetterThanTheMethodsThatAreBestAtThem) {
  const std::shared_ptr<const Shape> part = make_shape("part");
  constexpr std::size_t count = 20000;
  const double spacing = estimate_spacing(part->sample(count));
  for (const double spacings : {0.25, 0.5, 1.0}) {
    const std::vector<Vec3> noisy = noisy_shape("part", count, spacings * spacing);
    const auto at_edges = [&](const std::vector<Vec3>& points) {
      return compare_to_shape(points, *part, 2.0 * spacing).edge_mean_distance;
    };
    const double left = at_edges(denoise(noisy).positions);
    EXPECT_LT(left, at_edges(denoise_bilateral(noisy).positions)) << spacings;
    EXPECT_LT(left, at_edges(denoise_mrpca(noisy).positions)) << spacings;
    EXPECT_LT(left, at_edges(denoise_apss(noisy).positions)) << spacings;
  }
}

TEST(Denoise, IsCloserToAnchorThanTheAuthorsResults) {
  BURNISH_NEEDS_DATA();
  const std::vector<Vec3> clean = read(shared_data() / "anchor" / "clean.ply").positions;
  // The authors', with noise level and truth known, have 0.1901 / 0.0358, 0.2188 / 0.0446, 0.2279 / 0.0588.
  for (const auto& [level, mean_distance, surface] :
       {Known{"0.02", 0.1901, 0.036}, Known{"0.03", 0.2188, 0.046}, Known{"0.04", 0.2279, 0.060}}) {
    const auto noisy = read(shared_data() / "anchor" / (std::string("noisy-") + level + ".ply")).positions;
    const CloudMetrics metrics = compare_to_cloud(denoise(noisy).positions, clean);
    EXPECT_LT(metrics.mean_distance, mean_distance) << level;
    EXPECT_LT(metrics.surface, surface) << level;
  }
}

TEST(Denoise, BringsEveryPuNetShapeCloserToItsMesh) {
  BURNISH_NEEDS_DATA();
  struct Bounds {
    const char* level;
    double chamfer;
    double p2m;
  };
  const std::filesystem::path folder = shared_data() / "punet";
  for (const auto& [level, chamfer, p2m] :
       {Bounds{"0.01", 2.00e-4, 0.40e-4}, Bounds{"0.02", 3.16e-4, 1.17e-4}, Bounds{"0.03", 4.48e-4, 2.31e-4}}) {
    double mean_chamfer = 0.0;
    double mean_p2m = 0.0;
    for (const auto& file : std::filesystem::directory_iterator(folder / "10k" / "clean")) {
      const std::filesystem::path name = file.path().filename();
      const TriangleMesh mesh =
          mesh_of(read(folder / "meshes" / std::filesystem::path(name).replace_extension(".off")));
      const auto clean = read(file.path()).positions;
      const auto noisy = read(folder / "10k" / (std::string("noisy-") + level) / name).positions;
      const auto denoised = denoise(noisy).positions;
      const double left_chamfer = compare_to_cloud(denoised, clean).chamfer;
      const double left_p2m = compare_to_mesh(denoised, mesh).p2m;
      EXPECT_LT(left_chamfer, compare_to_cloud(noisy, clean).chamfer) << name << ' ' << level;
      EXPECT_LT(left_p2m, compare_to_mesh(noisy, mesh).p2m) << name << ' ' << level;
      mean_chamfer += left_chamfer / 8.0;
      mean_p2m += left_p2m / 8.0;
    }
    EXPECT_LT(mean_chamfer, chamfer) << level;
    EXPECT_LT(mean_p2m, p2m) << level;
  }
}

TEST(Denoise, BringsScansWithNoiseAddedCloserToWhatTheyWere) {
  BURNISH_NEEDS_DATA();
  // The last is one sweep of a rotating laser: much denser along its lines than across, and nearby than far away.
  for (const std::string name :
       {"hippo1.ply", "urban.las", "bun045.ply", "superq_toy.off", "samp11-utm.pcd", "kitti_000000.bin"}) {
    const PointCloud scan = read(shared_data() / "scans" / name);
    for (const double spacings : {0.1, 0.3, 0.5, 1.0}) {
      const RandomDisplacement noise{.sigma = {spacings, NoiseUnit::spacing}};
      const std::vector<Vec3> noisy = add_noise(scan, {noise}).cloud.positions;
      const CloudMetrics before = compare_to_cloud(noisy, scan.positions);
      const CloudMetrics after = compare_to_cloud(denoise(noisy).positions, scan.positions);
      EXPECT_LT(after.chamfer, before.chamfer) << name << ' ' << spacings;
      // Terrain with buildings is left almost as it is where noise is as wide as the spacing.
      const bool almost_as_it_is = name == "samp11-utm.pcd" && spacings == 1.0;
      EXPECT_LT(after.surface, (almost_as_it_is ? 1.01 : 1.0) * before.surface) << name << ' ' << spacings;
    }
  }
}
#endif

/// Two sheets of a wall that is `thickness` thick, sampled at distances of about 1, with noise.
std::vector<Vec3> noisy_wall(double thickness, double noise) {
  TestRandom random;
  std::vector<Vec3> points;
  for (const double height : {0.0, thickness}) {
    for (Vec3 p : plane_lattice(60, 1.0, {0, 0, 1}, 0.3)) {
      p.z() += height;
      points.emplace_back(p + noise * Vec3(random.normal(), random.normal(), random.normal()));
    }
  }
  return points;
}

TEST(DenoiseSettings, WithScannerPositionsDistinguishTheSidesOfAWall) {
  const double thickness = 1.5;
  const std::vector<Vec3> noisy = noisy_wall(thickness, 0.5);
  const auto error = [&](const std::vector<Vec3>& points) {
    double sum = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      sum += std::abs(points[i].z() - (i < points.size() / 2 ? 0.0 : thickness));
    }
    return sum / static_cast<double>(points.size());
  };
  DenoiseSettings settings;
  settings.noise = 0.5;
  const double without = error(denoise(noisy, settings).positions);
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    settings.scanner_positions.emplace_back(30.0, 30.0, i < noisy.size() / 2 ? -100.0 : 100.0);
  }
  const double with = error(denoise(noisy, settings).positions);
  EXPECT_LT(with, 0.6 * without) << with << " with, " << without << " without, " << error(noisy) << " before";

  // A scanner at the place of a point, or nowhere, says nothing.
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    settings.scanner_positions[i] = i % 2 == 0 ? noisy[i] : Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  }
  EXPECT_DOUBLE_EQ(error(denoise(noisy, settings).positions), without);

  settings.scanner_positions.pop_back();
  EXPECT_THROW(static_cast<void>(denoise(noisy, settings)), Error);
}

}  // namespace
}  // namespace burnish
