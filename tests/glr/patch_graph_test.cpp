#include "glr/patch_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "test_clouds.hpp"

namespace burnish::glr {
namespace {

/// For every patch the K patches with the nearest centres, by sorting all.
std::vector<std::set<std::uint32_t>> nearest_patches(std::span<const Vec3> points, const Patches& patches, unsigned k) {
  std::vector<Vec3> centres;
  for (const std::uint32_t p : patches.centres) {
    centres.push_back(points[p]);
  }
  std::vector<std::set<std::uint32_t>> result;
  for (std::uint32_t m = 0; m < centres.size(); ++m) {
    const auto nearest = brute_force_nearest(centres, centres[m], k + 1);
    result.emplace_back(nearest.begin(), nearest.end()).erase(m);
  }
  return result;
}

class PatchGraphOf : public testing::TestWithParam<bool> {
 protected:
  static GlrSettings settings() {
    GlrSettings settings;
    settings.patch_size = 10;
    settings.patch_neighbours = 5;
    settings.symmetric_distance = GetParam();
    return settings;
  }
};
INSTANTIATE_TEST_SUITE_P(SymmetricOrNot, PatchGraphOf, testing::Bool());

TEST_P(PatchGraphOf, ConnectsNearestCentresBothWays) {
  for (const auto& points : {noisy_shape("part", 400, 0.01), clustered_points(300), random_points(200)}) {
    const Patches patches = make_patches(points, settings(), 0, {});
    const PatchGraph graph = make_patch_graph(points, patches, settings(), {});
    const auto nearest = nearest_patches(points, patches, 5);
    ASSERT_EQ(graph.begin.size(), patches.count() + 1);
    ASSERT_EQ(graph.begin.back(), graph.slots());
    for (std::uint32_t m = 0; m < patches.count(); ++m) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t n = 0; n < patches.count(); ++n) {
        if (nearest[m].contains(n) || nearest[n].contains(m)) {
          expected.push_back(n);
        }
      }
      const auto found = std::span(graph.neighbours).subspan(graph.begin[m], graph.begin[m + 1] - graph.begin[m]);
      ASSERT_TRUE(std::ranges::equal(found, expected)) << "patch " << m;
      for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
        const bool looks = GetParam() || nearest[m].contains(graph.neighbours[s]);
        EXPECT_EQ(graph.connects[s] != 0, looks);
      }
    }
  }
}

TEST_P(PatchGraphOf, PairsEverySlotWithItsReverse) {
  const std::vector<Vec3> points = noisy_shape("part", 400, 0.01);
  const Patches patches = make_patches(points, settings(), 0, {});
  const PatchGraph graph = make_patch_graph(points, patches, settings(), {});
  for (std::uint32_t m = 0; m < patches.count(); ++m) {
    for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
      const std::uint32_t back = graph.reverse[s];
      EXPECT_NE(back, s);
      EXPECT_EQ(graph.reverse[back], s);
      EXPECT_EQ(graph.neighbours[back], m);
      EXPECT_TRUE(graph.begin[graph.neighbours[s]] <= back && back < graph.begin[graph.neighbours[s] + 1]);
    }
  }
}

TEST_P(PatchGraphOf, FewPatchesConnectsThemAll) {
  GlrSettings many = settings();
  many.patch_neighbours = 16;
  for (const std::size_t count : {2U, 4U, 9U, 20U}) {
    const std::vector<Vec3> points = random_points(count);
    const Patches patches = make_patches(points, many, 0, {});
    const PatchGraph graph = make_patch_graph(points, patches, many, {});
    EXPECT_EQ(graph.slots(), patches.count() * (patches.count() - 1));
    EXPECT_TRUE(std::ranges::all_of(graph.connects, [](std::uint8_t c) { return c != 0; }));
  }
}

}  // namespace
}  // namespace burnish::glr
