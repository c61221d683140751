#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "baselines/methods.hpp"
#include "burnish/error.hpp"
#include "burnish/estimate.hpp"

// What each method is made for, on surfaces whose equation is known.

namespace burnish {
namespace {

/// The mean distance to an exact shape.
double off(const Shape& shape, std::span<const Vec3> points) {
  double sum = 0.0;
  for (const Vec3& p : points) {
    sum += shape.distance(p);
  }
  return sum / static_cast<double>(points.size());
}

double largest_off(const Shape& shape, std::span<const Vec3> points) {
  double largest = 0.0;
  for (const Vec3& p : points) {
    largest = std::max(largest, shape.distance(p));
  }
  return largest;
}

/// Coefficient of variation of the distances to the nearest other point.
double unevenness(std::span<const Vec3> points) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double d = (points[brute_force_nearest(points, points[i], 2)[1]] - points[i]).norm();
    sum += d;
    squares += d * d;
  }
  const auto count = static_cast<double>(points.size());
  return std::sqrt(squares / count - sum * sum / (count * count)) / (sum / count);
}

class BaselinesOnPlanes : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Properties, BaselinesOnPlanes, testing::ValuesIn(all_methods()),
                         [](const auto& method) { return method.param.name; });

TEST_P(BaselinesOnPlanes, LeavePlanesPlane) {
  const Vec3 normal = Vec3(1, -2, 0.5).normalized();
  for (const Vec3& p : GetParam()(plane_lattice(40, 0.1, normal, 0.3))) {
    ASSERT_LT(std::abs(p.dot(normal)), 1e-11);
  }
}

TEST_P(BaselinesOnPlanes, FlattenNoisyPlanes) {
  const Vec3 normal = Vec3(1, -2, 0.5).normalized();
  std::vector<Vec3> cloud = plane_lattice(60, 1.0, normal, 0.3);
  TestRandom random;
  for (Vec3& p : cloud) {
    p += 0.3 * random.normal() * normal;
  }
  const std::vector<Vec3> result = GetParam()(cloud);
  double before = 0.0;
  double after = 0.0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    before += std::pow(cloud[i].dot(normal), 2);
    after += std::pow(result[i].dot(normal), 2);
  }
  EXPECT_LT(after, 0.4 * before);
}

TEST(Apss, LeavesSpheresSpheres) {
  // Normals from nearest points are not quite those of the sphere, planes in their place are off by much more.
  const auto sphere = make_shape("sphere");
  const std::vector<Vec3> cloud = sphere->sample(3000);
  ApssSettings planes;
  planes.spherical = 0.0;
  EXPECT_LT(largest_off(*sphere, denoise_apss(cloud).positions), 1e-3);
  EXPECT_GT(largest_off(*sphere, denoise_apss(cloud, planes).positions), 5e-3);
}

TEST(Apss, ASmallerFilterScaleSmoothsLess) {
  const auto sphere = make_shape("sphere");
  const std::vector<Vec3> cloud = noisy_shape("sphere", 10000, 0.004);
  ApssSettings narrow;
  narrow.filter_scale = 2.0;
  EXPECT_LT(off(*sphere, denoise_apss(cloud).positions), 0.6 * off(*sphere, denoise_apss(cloud, narrow).positions));
}

TEST(Mls, AQuadricFollowsCurvatureThatAPlaneCutsOff) {
  const auto sphere = make_shape("sphere");
  const std::vector<Vec3> cloud = sphere->sample(3000);
  MlsSettings planes;
  planes.degree = 1;
  EXPECT_LT(off(*sphere, denoise_mls(cloud).positions), 2e-4);
  EXPECT_GT(off(*sphere, denoise_mls(cloud, planes).positions), 2e-3);
}

/// The mean distance from a cube for points within 0.03 of an edge.
double off_near_edges(std::span<const Vec3> points) {
  const auto cube = make_shape("cube");
  double sum = 0.0;
  double count = 0.0;
  for (const Vec3& p : points) {
    if (cube->edge_distance(p) < 0.03) {
      sum += cube->distance(p);
      count += 1.0;
    }
  }
  return sum / count;
}

TEST(Rimls, KeepsEdgesBetterTheSharperItIs) {
  const std::vector<Vec3> cloud = noisy_shape("cube", 20000, 0.004);
  RimlsSettings blunt;
  blunt.sharpness = 10.0;
  EXPECT_LT(off_near_edges(denoise_rimls(cloud).positions),
            0.9 * off_near_edges(denoise_rimls(cloud, blunt).positions));
}

TEST(Bilateral, KeepsEdgesBetterTheSmallerTheAngle) {
  const std::vector<Vec3> cloud = noisy_shape("cube", 20000, 0.004);
  BilateralSettings blunt;
  blunt.sharpness_angle = 90.0;
  EXPECT_LT(off_near_edges(denoise_bilateral(cloud).positions),
            0.9 * off_near_edges(denoise_bilateral(cloud, blunt).positions));
}

TEST(Wlop, RepulsionMakesPointsEven) {
  const std::vector<Vec3> cloud = noisy_shape("sphere", 2000, 0.005);
  WlopSettings none;
  none.repulsion = 0.0;
  EXPECT_LT(unevenness(denoise_wlop(cloud).positions), 0.8 * unevenness(cloud));
  EXPECT_GT(unevenness(denoise_wlop(cloud, none).positions), unevenness(cloud));
  EXPECT_LT(unevenness(denoise_lop(cloud).positions), 0.8 * unevenness(cloud));
}

TEST(Awlop, KeepsEdgesBetterThanWlop) {
  const std::vector<Vec3> cloud = noisy_shape("cube", 20000, 0.002);
  WlopSettings isotropic;
  isotropic.filter_scale = AwlopSettings{}.filter_scale;
  isotropic.repulsion = AwlopSettings{}.repulsion;
  isotropic.iterations = AwlopSettings{}.iterations;
  EXPECT_LT(off_near_edges(denoise_awlop(cloud).positions), off_near_edges(denoise_wlop(cloud, isotropic).positions));
}

TEST(Awlop, RadiusOfTheBoxIsItsDiagonalByTheCubeRootOfTheNumberOfPoints) {
  const std::vector<Vec3> cloud = noisy_shape("part", 8000, 0.004);
  Eigen::AlignedBox3d box;
  for (const Vec3& p : cloud) {
    box.extend(p);
  }
  const double in_spacings = box.diagonal().norm() / 20.0 / estimate_spacing(cloud);
  ASSERT_GT(in_spacings, 1.2 * AwlopSettings{}.filter_scale);
  const std::vector<Vec3> expected = denoise_awlop(cloud, {.filter_scale = in_spacings}).positions;
  EXPECT_LT(largest_deviation(denoise_awlop(cloud, {.filter_scale = 0.0}).positions, expected), 1e-9);
  EXPECT_GT(largest_deviation(denoise_awlop(cloud).positions, expected), 1e-3);
}

TEST(Nld, WiderQuadricsTakeMoreNoiseOut) {
  const auto sphere = make_shape("sphere");
  const std::vector<Vec3> cloud = noisy_shape("sphere", 10000, 0.004);
  NldSettings wide;
  wide.neighbours = 40;
  EXPECT_LT(off(*sphere, denoise_nld(cloud, wide).positions), 0.8 * off(*sphere, denoise_nld(cloud).positions));
}

TEST(Mrpca, StrongerDataFittingMovesPointsLess) {
  const auto cube = make_shape("cube");
  const std::vector<Vec3> cloud = noisy_shape("cube", 10000, 0.006);
  MrpcaSettings stiff;
  stiff.data_fitting = 1e6;
  EXPECT_LT(largest_deviation(denoise_mrpca(cloud, stiff).positions, cloud), 1e-5);
  EXPECT_LT(off(*cube, denoise_mrpca(cloud).positions), 0.5 * off(*cube, cloud));
}

TEST(LowRank, FewAtomsTakeMoreNoiseOut) {
  const auto sphere = make_shape("sphere");
  const std::vector<Vec3> cloud = noisy_shape("sphere", 10000, 0.004);
  LowRankSettings all;
  all.atoms = 255;
  EXPECT_LT(off(*sphere, denoise_low_rank(cloud).positions),
            0.8 * off(*sphere, denoise_low_rank(cloud, all).positions));
}

TEST(BaselineSettings, ThatMakeNoSenseAreRefused) {
  const std::vector<Vec3> cloud = random_points(10);
  const double nan = std::nan("");
  EXPECT_THROW((void)denoise_mls(cloud, {.filter_scale = 0.0}), Error);
  EXPECT_THROW((void)denoise_mls(cloud, {.degree = 3}), Error);
  EXPECT_THROW((void)denoise_apss(cloud, {.filter_scale = nan}), Error);
  EXPECT_THROW((void)denoise_apss(cloud, {.spherical = 2.0}), Error);
  EXPECT_THROW((void)denoise_rimls(cloud, {.sharpness = 0.0}), Error);
  EXPECT_THROW((void)denoise_rimls(cloud, {.refits = 0}), Error);
  EXPECT_THROW((void)denoise_bilateral(cloud, {.neighbours = 1}), Error);
  EXPECT_THROW((void)denoise_lop(cloud, {.repulsion = 0.5}), Error);
  EXPECT_THROW((void)denoise_wlop(cloud, {.filter_scale = 1000.0}), Error);
  EXPECT_THROW((void)denoise_awlop(cloud, {.sharpness_angle = 0.0}), Error);
  EXPECT_THROW((void)denoise_nld(cloud, {.neighbours = 5}), Error);
  EXPECT_THROW((void)denoise_mrpca(cloud, {.data_fitting = -1.0}), Error);
  EXPECT_THROW((void)denoise_low_rank(cloud, {.atoms = 0}), Error);
}

}  // namespace
}  // namespace burnish
