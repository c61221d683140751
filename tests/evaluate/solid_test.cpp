#include "evaluate/solid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.hpp"
#include "evaluate/machined.hpp"

namespace burnish {
namespace {

TEST(Outline, KnowsRoundedRectanglesAndCircles) {
  const Region region{{rectangle({0, 0}, {4, 2}, 0.5), circle({1, 1}, 0.25)}};
  const double corners_lost = (4.0 - std::numbers::pi) * 0.25;
  EXPECT_NEAR(region.area(), 8.0 - corners_lost - std::numbers::pi / 16.0, 1e-14);
  EXPECT_TRUE(region.contains({2, 1}));
  EXPECT_FALSE(region.contains({1, 1}));      // in the hole
  EXPECT_FALSE(region.contains({0.1, 0.1}));  // cut off by the rounding
  EXPECT_TRUE(region.contains({0.2, 0.2}));   // just inside it
  EXPECT_FALSE(region.contains({5, 1}));
  EXPECT_NEAR(region.outline_distance({0, 0}), 0.5 * std::sqrt(2.0) - 0.5, 1e-15);
  EXPECT_NEAR(region.outline_distance({1, 1}), 0.25, 1e-15);
  EXPECT_NEAR(region.outline_distance({2, 3}), 1.0, 1e-15);
}

TEST(Outline, IsRightOnChords) {
  // The chords of the rounded corners of a slot, and its middle lines, are where two decisions meet.
  const Region slot{{rectangle({-2, -1}, {2, 1}, 1.0)}};
  EXPECT_NEAR(slot.area(), 4.0 + std::numbers::pi, 1e-14);
  for (int i = 1; i < 64; ++i) {
    const double t = i / 64.0;
    for (const double sx : {-1.0, 1.0}) {
      for (const double sy : {-1.0, 1.0}) {
        EXPECT_TRUE(slot.contains({sx * (1.0 + t), sy * (1.0 - t)}));
      }
      EXPECT_TRUE(slot.contains({sx * t, 0.0}));
      EXPECT_TRUE(slot.contains({sx * (1.0 + t), 0.0}));
      EXPECT_TRUE(slot.contains({1.0, sx * t}));
      EXPECT_FALSE(slot.contains({sx * (2.0 + t), 0.0}));
      EXPECT_FALSE(slot.contains({1.0, sx * (1.0 + t)}));
    }
  }
}

TEST(Outline, RoundsInnerCornersOutwards) {
  const Region angle{{rounded_polygon({{{0, 0}}, {{3, 0}}, {{3, 1}}, {{1, 1}, 0.5}, {{1, 3}}, {{0, 3}}})}};
  EXPECT_NEAR(angle.area(), 5.0 + (1.0 - std::numbers::pi / 4.0) * 0.25, 1e-14);
  EXPECT_TRUE(angle.contains({1.1, 1.1}));
  EXPECT_FALSE(angle.contains({1.3, 1.3}));
  EXPECT_EQ(angle.loops[0].corners.size(), 5U);
}

TEST(Cube, HasKnownDistances) {
  const auto cube = make_cube();
  EXPECT_EQ(cube->face_count(), 6U);
  EXPECT_DOUBLE_EQ(cube->distance({0, 0, 0}), 0.5);
  EXPECT_DOUBLE_EQ(cube->distance({0.4, 0, 0}), 0.1);
  EXPECT_DOUBLE_EQ(cube->distance({1.5, 0, 0}), 1.0);
  EXPECT_DOUBLE_EQ(cube->distance({1.5, 1.5, 1.5}), std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(cube->edge_distance({0, 0, 0}), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(cube->edge_distance({0, 0.5, 0.2}), 0.3);
  EXPECT_DOUBLE_EQ(cube->edge_distance({0.5, 0.5, 1.5}), 1.0);
}

/// Samples per face against its area: the sum of squared deviations over expectations is about the number of faces.
double chi_square_per_face(const Solid& solid, const std::vector<Vec3>& points) {
  double total = 0.0;
  for (std::size_t face = 0; face < solid.face_count(); ++face) {
    total += solid.face_area(face);
  }
  std::vector<double> counts(solid.face_count());
  for (const Vec3& p : points) {
    std::size_t nearest = 0;
    for (std::size_t face = 1; face < solid.face_count(); ++face) {
      nearest = solid.face_distance(face, p) < solid.face_distance(nearest, p) ? face : nearest;
    }
    counts[nearest] += 1.0;
  }
  double sum = 0.0;
  for (std::size_t face = 0; face < solid.face_count(); ++face) {
    const double expected = static_cast<double>(points.size()) * solid.face_area(face) / total;
    sum += (counts[face] - expected) * (counts[face] - expected) / expected;
  }
  return sum / static_cast<double>(solid.face_count());
}

TEST(Solids, AreSampledByArea) {
  const auto part = make_part();
  EXPECT_LT(chi_square_per_face(*make_cube(), make_cube()->sample_at_random(30000)), 2.5);
  EXPECT_LT(chi_square_per_face(*part, part->sample_at_random(30000)), 2.0);
  // Evenly spread points vary less than random ones: no face, thin or rounded, may attract or repel them.
  EXPECT_LT(chi_square_per_face(*make_cube(), make_cube()->sample(30000)), 0.5);
  EXPECT_LT(chi_square_per_face(*part, part->sample(30000)), 0.5);
}

TEST(Part, HasTheAreaOfItsDrawing) {
  const auto part = make_part();
  double area = 0.0;
  for (std::size_t face = 0; face < part->face_count(); ++face) {
    area += part->face_area(face);
  }
  const double pi = std::numbers::pi;
  const double quarter = 1.0 - pi / 4.0;  // what rounding a corner takes from a square of its radius
  const double profile_area =
      1.0 * 0.12 + 0.12 * 0.58 + 0.03 * 0.30 + quarter * (-0.05 * 0.05 - 0.08 * 0.08 + 0.04 * 0.04 + 0.10 * 0.10);
  const double profile_length =
      1.0 + 0.12 + 0.27 + 0.3 + 0.03 + 0.3 + 0.58 + 0.58 + 0.12 + 0.7 - (2.0 - pi / 2.0) * (0.05 + 0.08 + 0.04 + 0.10);
  const auto hole = [&](double outline_area, double outline_length, double depth) {
    return outline_length * depth - 2.0 * outline_area;
  };
  const double expected = 2.0 * profile_area + 0.6 * profile_length +
                          2.0 * hole(pi * 0.07 * 0.07, 2.0 * pi * 0.07, 0.12) +
                          hole(0.08 * 0.22 + pi * 0.04 * 0.04, 2.0 * 0.22 + 2.0 * pi * 0.04, 0.12) +
                          hole(pi * 0.12 * 0.12, 2.0 * pi * 0.12, 0.12) +
                          hole(0.10 * 0.26 + pi * 0.05 * 0.05, 2.0 * 0.26 + 2.0 * pi * 0.05, 0.03);
  EXPECT_NEAR(area, expected, 1e-13);
}

TEST(Part, IsClosed) {
  // A straight line crosses a closed surface an even number of times: walk along lines that graze nothing, by exact
  // steps of the distance, and count the faces passed.
  const auto part = make_part();
  int counted = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    RandomStream random(6, i);
    const Vec3 direction = random.direction3();
    const Vec3 target = 0.3 * random.direction3();
    int crossings = 0;
    bool grazes = false;
    for (double t = -1.5; t < 1.5;) {
      const Vec3 p = target + t * direction;
      const double d = part->distance(p);
      if (d > 1e-6) {
        t += d;
        continue;
      }
      grazes = grazes || part->edge_distance(p) < 1e-4;
      ++crossings;
      const double from = t;
      while (t < from + 1e-3 && part->distance(target + t * direction) <= 2e-6) {
        t += 1e-6;
      }
      grazes = grazes || t >= from + 1e-5;
    }
    if (!grazes) {
      EXPECT_EQ(crossings % 2, 0) << i;
      counted += crossings;
    }
  }
  EXPECT_GT(counted, 300);
}

TEST(Part, HasThinWallsHolesAndFillets) {
  const auto part = make_part();
  const auto at = [](double x, double y, double z) { return Vec3(x - 0.5, y, z - 0.35); };
  EXPECT_NEAR(part->distance(at(0.715, 0.25, 0.4)), 0.015, 1e-15);  // the middle of the fin
  EXPECT_NEAR(part->distance(at(0.42, 0.16, 0.06)), 0.07, 1e-15);   // the axis of a hole
  EXPECT_NEAR(part->distance(at(0.06, 0.0, 0.46)), 0.12, 1e-15);    // the axis of the large hole
  EXPECT_NEAR(part->distance(at(0.22, 0.0, 0.22)), 0.10, 1e-15);    // the centre of a fillet
  EXPECT_NEAR(part->edge_distance(at(0.22, 0.0, 0.22)), std::hypot(0.10, 0.12), 1e-15);
  EXPECT_NEAR(part->edge_distance(at(0.42, 0.09, 0.0)), 0.0, 1e-15);  // the rim of a hole
}

}  // namespace
}  // namespace burnish
