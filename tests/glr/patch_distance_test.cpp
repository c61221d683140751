#include "glr/patch_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dense_glr.hpp"
#include "test_clouds.hpp"

namespace burnish::glr {
namespace {

constexpr double spacing = 0.08;  // roughly, of 300 points on the part

GlrSettings small_patches(Interpolation interpolation, double tau, bool symmetric = true) {
  GlrSettings settings;
  settings.patch_size = 10;
  settings.patch_neighbours = 5;
  settings.interpolation = interpolation;
  settings.interpolation_distance = tau;
  settings.symmetric_distance = symmetric;
  return settings;
}

std::vector<Vec3> small_cloud() { return noisy_shape("part", 300, 0.02); }

/// Point i of the own patch, and where its partner may be.
struct View {
  PatchView own;
  PatchView other;

  View(const Stages& stages, std::size_t m, std::size_t n)
      : own(stages, m, PatchView::normal_of(stages, m)), other(stages, n, own.normal) {}

  [[nodiscard]] double distance(std::size_t i, std::size_t j) const {
    return (own.in_plane[i] - other.in_plane[j]).norm();
  }
  [[nodiscard]] double nearest_distance(std::size_t i) const {
    double nearest = distance(i, 0);
    for (std::size_t j = 1; j < other.in_plane.size(); ++j) {
      nearest = std::min(nearest, distance(i, j));
    }
    return nearest;
  }
  /// Places in the other patch, nearest first.
  [[nodiscard]] std::vector<std::uint32_t> by_distance(std::size_t i) const {
    return brute_force_nearest(other.in_plane, own.in_plane[i], other.in_plane.size());
  }
  /// The paper's plane through a, b, c, met by the line through point i along the normal: how far up from the point.
  [[nodiscard]] double way_to_plane(std::size_t i, std::span<const std::uint8_t, 3> corners) const {
    const auto corner = [&](std::size_t c) {
      return Vec3(other.in_plane[corners[c]] + other.height[corners[c]] * other.normal);
    };
    const Vec3 plane_normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    const Vec3 point = own.in_plane[i] + own.height[i] * own.normal;
    return plane_normal.dot(corner(0) - point) / plane_normal.dot(own.normal);
  }
  /// Whether the three nearest projections surround that of point i.
  [[nodiscard]] bool surrounded(std::size_t i) const {
    const auto nearest = by_distance(i);
    Eigen::Matrix3d edges;
    for (int c = 0; c < 3; ++c) {
      edges.col(c) = other.in_plane[nearest[static_cast<std::size_t>(c)]] - own.in_plane[i];
    }
    const double a = edges.col(0).cross(edges.col(1)).dot(own.normal);
    const double b = edges.col(1).cross(edges.col(2)).dot(own.normal);
    const double c = edges.col(2).cross(edges.col(0)).dot(own.normal);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
  }
};

class Corresponding : public testing::TestWithParam<PatchOrigin> {};
INSTANTIATE_TEST_SUITE_P(Origins, Corresponding, testing::Values(PatchOrigin::centre_point, PatchOrigin::mean));

TEST_P(Corresponding, PointsAreNearestInTheProjectionOfThePatchThatLooks) {
  for (const bool symmetric : {true, false}) {
    GlrSettings settings = small_patches(Interpolation::off, 0.0, symmetric);
    settings.patch_origin = GetParam();
    const Stages stages(small_cloud(), settings, spacing);
    EXPECT_TRUE(stages.correspondences.interpolations.empty());
    stages.for_each_slot([&](std::size_t m, std::uint32_t s, std::size_t n) {
      if (stages.patch_graph.connects[s] == 0) {
        EXPECT_EQ(stages.correspondences.squared_distances[s], 0.0);
        return;
      }
      const View view(stages, m, n);
      double sum = 0.0;
      for (std::size_t i = 0; i < 10; ++i) {
        const std::uint8_t partner = stages.correspondences.partners_of(s)[i];
        ASSERT_LT(partner, 10);
        ASSERT_NEAR(view.distance(i, partner), view.nearest_distance(i), 1e-12);
        sum += std::pow(view.own.height[i] - view.other.height[partner], 2);
      }
      ASSERT_NEAR(stages.correspondences.squared_distances[s], sum / 10.0, 1e-12) << "equation 31";
    });
  }
}

TEST(Interpolated, PartnersLieOnThePlaneOfTheThreeNearestIfTheseSurroundThePoint) {
  const double tau = 0.3;
  const Stages stages(small_cloud(), small_patches(Interpolation::connect, tau), spacing);
  std::size_t interpolated = 0;
  std::size_t beyond = 0;
  stages.for_each_slot([&](std::size_t m, std::uint32_t s, std::size_t n) {
    const View view(stages, m, n);
    double sum = 0.0;
    for (std::size_t i = 0; i < 10; ++i) {
      const std::uint8_t partner = stages.correspondences.partners_of(s)[i];
      const bool far = view.nearest_distance(i) > tau * spacing;
      ASSERT_EQ(partner == Correspondences::no_partner, far && view.surrounded(i));
      if (partner != Correspondences::no_partner) {
        beyond += far ? 1 : 0;
        sum += std::pow(view.own.height[i] - view.other.height[partner], 2);
        continue;
      }
      ++interpolated;
      const auto planes = stages.correspondences.interpolations_of(s);
      const auto plane = std::ranges::find(planes, i, &InterpolatedPartner::node);
      ASSERT_NE(plane, planes.end());
      const auto nearest = view.by_distance(i);
      double distances[3];
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_EQ(plane->corners[c], nearest[c]);
        distances[c] = std::hypot(view.distance(i, nearest[c]), view.own.height[i] - view.other.height[nearest[c]]);
      }
      const double whole = distances[0] + distances[1] + distances[2];
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_NEAR(plane->shares[c], distances[c] / whole, 1e-12) << "equation 34";
      }
      ASSERT_NEAR(plane->shares[0] + plane->shares[1] + plane->shares[2], 1.0, 1e-15);
      sum += std::pow(view.way_to_plane(i, plane->corners), 2);
    }
    ASSERT_NEAR(stages.correspondences.squared_distances[s], sum / 10.0, 1e-10);
  });
  EXPECT_GT(interpolated, 100U) << "or nothing was tested";
  EXPECT_GT(beyond, 100U);
}

TEST(Interpolation, OffDistanceAndConnectDifferInDistancesAndInPartners) {
  const Stages off(small_cloud(), small_patches(Interpolation::off, 0.3), spacing);
  const Stages distance(small_cloud(), small_patches(Interpolation::distance, 0.3), spacing);
  const Stages connect(small_cloud(), small_patches(Interpolation::connect, 0.3), spacing);
  EXPECT_EQ(distance.correspondences.partners, off.correspondences.partners);
  EXPECT_NE(distance.correspondences.squared_distances, off.correspondences.squared_distances);
  EXPECT_EQ(distance.correspondences.squared_distances, connect.correspondences.squared_distances);
  EXPECT_TRUE(distance.correspondences.interpolations.empty());
  std::size_t replaced = 0;
  for (std::size_t i = 0; i < off.correspondences.partners.size(); ++i) {
    if (connect.correspondences.partners[i] != off.correspondences.partners[i]) {
      ASSERT_EQ(connect.correspondences.partners[i], Correspondences::no_partner);
      ++replaced;
    }
  }
  EXPECT_EQ(replaced, connect.correspondences.interpolations.size());
  EXPECT_GT(replaced, 0U);
}

TEST(Interpolation, DoesNothingBeyondALargeThreshold) {
  const Stages off(small_cloud(), small_patches(Interpolation::off, 0.0), spacing);
  const Stages connect(small_cloud(), small_patches(Interpolation::connect, 100.0), spacing);
  EXPECT_EQ(connect.correspondences.partners, off.correspondences.partners);
  EXPECT_EQ(connect.correspondences.squared_distances, off.correspondences.squared_distances);
}

TEST(Correspondences, AreTheSameForAnyNumberOfThreadsAndInUsedMemory) {
  const std::vector<Vec3> points = small_cloud();
  const Stages stages(points, small_patches(Interpolation::connect, 0.3), spacing);
  const Stages others(points, small_patches(Interpolation::off, 0.3), spacing);
  for (const int threads : {1, 5}) {
    ExecutionContext context;
    context.threads = threads;
    Correspondences result = others.correspondences;
    find_correspondences(points, stages.patches, stages.patch_graph, Interpolation::connect, 0.3 * spacing, result,
                         context);
    EXPECT_EQ(result.partners, stages.correspondences.partners);
    EXPECT_EQ(result.squared_distances, stages.correspondences.squared_distances);
    EXPECT_EQ(result.interpolations_begin, stages.correspondences.interpolations_begin);
  }
}

TEST(Correspondences, AreTheSameAtAnyScale) {
  const Stages stages(small_cloud(), small_patches(Interpolation::connect, 0.3), spacing);
  for (const int exponent : {-200, -130, 130, 200}) {  // beyond what single precision holds, and its squares
    Patches patches = stages.patches;
    std::vector<Vec3> points = stages.points;
    for (std::vector<Vec3>* lengths : {&points, &patches.origins}) {
      for (Vec3& p : *lengths) {
        p *= std::ldexp(1.0, exponent);
      }
    }
    Correspondences scaled;
    for (const Reuse before : {Reuse::none, Reuse::same_patches}) {
      find_correspondences(points, patches, stages.patch_graph, Interpolation::connect,
                           std::ldexp(0.3 * spacing, exponent), scaled, {}, before);
      EXPECT_EQ(scaled.partners, stages.correspondences.partners) << exponent;
      for (std::size_t s = 0; s < scaled.squared_distances.size(); ++s) {
        ASSERT_EQ(std::ldexp(scaled.squared_distances[s], -2 * exponent), stages.correspondences.squared_distances[s]);
      }
    }
  }
}

TEST(Correspondences, AreTheSameWherePartnersAreKept) {
  const double tau = 0.8 * spacing;
  for (const Interpolation interpolation : {Interpolation::off, Interpolation::distance, Interpolation::connect}) {
    const Stages stages(small_cloud(), small_patches(interpolation, 0.8), spacing);
    for (const double move : {0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1}) {
      std::vector<Vec3> points = stages.points;
      Correspondences kept = stages.correspondences;
      std::size_t found_before = 0;
      for (std::uint32_t step = 0; step < 4; ++step) {  // less is left of margins from step to step
        TestRandom random(step);
        for (Vec3& p : points) {
          p += random.in_cube(move * spacing);
        }
        const std::vector<std::uint8_t> partners = kept.partners;
        const std::vector<float> units = kept.search.units;
        find_correspondences(points, stages.patches, stages.patch_graph, interpolation, tau, kept, {},
                             Reuse::same_patches);
        for (std::size_t s = 0; s < units.size(); ++s) {
          found_before += kept.search.units[s] == units[s] ? 1 : 0;
          ASSERT_EQ(kept.changed[s] != 0, !std::equal(&partners[s * kept.stride], &partners[(s + 1) * kept.stride],
                                                      kept.partners_of(static_cast<std::uint32_t>(s))));
        }
        Correspondences fresh;
        find_correspondences(points, stages.patches, stages.patch_graph, interpolation, tau, fresh, {});
        ASSERT_EQ(kept.partners, fresh.partners) << move;
        ASSERT_EQ(kept.squared_distances, fresh.squared_distances) << move;
        ASSERT_EQ(kept.interpolations_begin, fresh.interpolations_begin) << move;
      }
      if (move <= 1e-4) {
        EXPECT_GT(found_before, kept.search.units.size()) << "of four times as many: not all are looked for again";
      }
    }
  }
}

}  // namespace
}  // namespace burnish::glr
