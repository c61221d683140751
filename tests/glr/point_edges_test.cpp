#include "glr/point_edges.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "dense_glr.hpp"
#include "glr/lanes.hpp"
#include "test_clouds.hpp"

namespace burnish::glr {
namespace {

GlrSettings one_directional(unsigned patch_size) {
  GlrSettings settings;
  settings.patch_size = patch_size;
  settings.patch_neighbours = 6;
  settings.symmetric_distance = false;
  settings.interpolation = Interpolation::off;
  return settings;
}

/// Patches of one vector, of less and of more.
class Edges : public testing::TestWithParam<unsigned> {
 protected:
  ~Edges() override {
    for (const Lanes lanes : {Lanes::four, Lanes::eight, Lanes::sixteen}) {
      use_lanes(lanes);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(PatchSizes, Edges, testing::Values(5, 15, 30, 31, 32, 33, 60));

TEST_P(Edges, AreTheCorrespondencesEachOnce) {
  const Stages stages(noisy_shape("part", 400, 0.02), one_directional(GetParam()), 0.08);
  for (const Lanes lanes : {Lanes::four, Lanes::eight, Lanes::sixteen}) {
    if (!use_lanes(lanes)) {
      continue;  // not on this processor
    }
    PointEdges edges;
    edges.update(stages.patches, stages.patch_graph, stages.correspondences, false, Reuse::none, {});
    // The pair of patches and the nodes in them, the patch that was chosen later first.
    std::set<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> wanted;
    std::set<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> found;
    std::size_t twice = 0;
    stages.for_each_slot([&](std::size_t m, std::uint32_t s, std::size_t n) {
      const bool later = stages.patches.ranks[m] > stages.patches.ranks[n];
      const auto key = [&](std::size_t i, std::size_t j) {
        return later ? std::tuple{m, n, i, j} : std::tuple{n, m, j, i};
      };
      std::vector<std::size_t> ends(stages.patches.size, 0);
      for (std::size_t i = 0; i < stages.patches.size; ++i) {
        if (const std::uint8_t j = stages.correspondences.partners_of(s)[i]; j != Correspondences::no_partner) {
          twice += wanted.insert(key(i, j)).second ? 0 : 1;
        }
        const std::uint8_t kept = edges.partners_of(s)[i];
        ASSERT_LE(kept, edges.none);
        if (kept != edges.none) {
          EXPECT_EQ(kept, stages.correspondences.partners_of(s)[i]);
          EXPECT_TRUE(found.insert(key(i, kept)).second) << "once";
          ++ends[kept];
        } else if (later && stages.patch_graph.connects[s] != 0) {
          ADD_FAILURE() << "the edge of the patch that was chosen later stays";
        }
      }
      for (std::size_t j = 0; j < ends.size(); ++j) {
        ASSERT_EQ(edges.counts_of(s)[j], ends[j]);
      }
    });
    EXPECT_EQ(found, wanted);
    EXPECT_GT(twice, 100U) << "or nothing was tested";
  }
}

TEST_P(Edges, AreTheSameWhereOnlyWhatChangedIsUpdated) {
  const Stages stages(noisy_shape("part", 400, 0.02), one_directional(GetParam()), 0.08);
  Correspondences correspondences = stages.correspondences;
  PointEdges updated = stages.edges;
  std::vector<Vec3> points = stages.points;
  TestRandom random(7);
  for (int step = 0; step < 3; ++step) {
    for (Vec3& p : points) {
      p += random.in_cube(0.002);
    }
    find_correspondences(points, stages.patches, stages.patch_graph, Interpolation::off, 0.0, correspondences, {},
                         Reuse::same_patches);
    updated.update(stages.patches, stages.patch_graph, correspondences, false, Reuse::same_patches, {});
    PointEdges fresh;
    fresh.update(stages.patches, stages.patch_graph, correspondences, false, Reuse::none, {});
    ASSERT_EQ(updated.partners, fresh.partners);
    ASSERT_EQ(updated.counts, fresh.counts);
  }
  EXPECT_NE(updated.partners, stages.edges.partners) << "or nothing was tested";
}

}  // namespace
}  // namespace burnish::glr
