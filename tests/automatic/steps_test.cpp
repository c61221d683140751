#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "automatic/centres.hpp"
#include "automatic/consensus.hpp"
#include "automatic/equalise_spacing.hpp"
#include "automatic/restraint.hpp"
#include "burnish/metrics.hpp"
#include "burnish/neighbours.hpp"
#include "test_clouds.hpp"

namespace burnish::automatic {
namespace {

const ExecutionContext context;

double rms_height(std::span<const Vec3> points) {
  double sum = 0.0;
  for (const Vec3& p : points) {
    sum += p.z() * p.z();
  }
  return std::sqrt(sum / static_cast<double>(points.size()));
}

Windows windows_of(const std::vector<Vec3>& points, std::size_t neighbourhood) {
  const NeighbourSearch search(points, context);
  Centres centres(points, search, context);
  const auto& chosen = centres.choose(centres.find_distance(neighbourhood, 10.0), neighbourhood);
  return make_windows(points, search, chosen, neighbourhood, context);
}

/// The same noise at every point.
std::vector<double> everywhere(const std::vector<Vec3>& points, double noise) {
  return std::vector<double>(points.size(), noise);
}

std::vector<Vec3> quadrics_of(const std::vector<Vec3>& points, std::size_t neighbourhood, double noise) {
  FitWindows windows;
  windows.quadrics = windows_of(points, neighbourhood);
  return consensus_of_quadrics(points, windows, everywhere(points, noise), {}, {}, {}).points;
}

std::vector<Vec3> planes_of(const std::vector<Vec3>& points, std::span<const double> noise) {
  FitWindows windows;
  windows.planes = windows_of(points, 20);
  windows.large_planes = windows_of(points, 80);
  return consensus_of_planes_and_quadrics(points, windows, noise, {}, {}, {}).points;
}

std::vector<Vec3> planes_of(const std::vector<Vec3>& points, double noise) {
  return planes_of(points, everywhere(points, noise));
}

/// The same without large windows.
std::vector<Vec3> small_planes_of(const std::vector<Vec3>& points, double noise) {
  FitWindows windows;
  windows.planes = windows_of(points, 20);
  return consensus_of_planes_and_quadrics(points, windows, everywhere(points, noise), {}, {}, {}).points;
}

TEST(Centres, CoverEveryPointAndStandApart) {
  // One half a hundred times as dense as the other.
  std::vector<Vec3> points = noisy_shape("sphere", 4000, 0.01);
  for (Vec3& p : points) {
    p = p.x() > 0.0 ? p : Vec3(0.1 * p);
  }
  const NeighbourSearch search(points);
  Centres centres(points, search, context);
  constexpr std::size_t patch_size = 20;
  const double apart = centres.find_distance(patch_size, 6.0);
  const std::vector<std::uint32_t> chosen = centres.choose(apart, patch_size);
  std::vector<std::uint32_t> patch(patch_size);
  std::vector<double> squares(patch_size);
  std::vector<bool> covered(points.size(), false);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Vec3& centre = points[chosen[i]];
    search.nearest(centre, patch, squares);
    for (const std::uint32_t p : patch) {
      covered[p] = true;
    }
    const double kept_away = std::min(apart, std::sqrt(squares.back()));
    for (const std::uint32_t later : std::span(chosen).subspan(i + 1)) {
      ASSERT_GE((points[later] - centre).norm(), (1.0 - 1e-12) * kept_away);
    }
  }
  EXPECT_EQ(std::ranges::count(covered, false), 0);
}

TEST(Centres, AreTheSameInEveryPieceOfACloud) {
  const std::vector<Vec3> cloud = noisy_shape("sphere", 30000, 0.01);
  std::vector<Vec3> piece;
  for (const Vec3& p : cloud) {
    if (p.x() > -0.3) {
      piece.push_back(p);
    }
  }
  const auto chosen_right_of_the_middle = [](const std::vector<Vec3>& points) {
    std::vector<Vec3> places;
    const NeighbourSearch search(points);
    Centres centres(points, search, context);
    for (const std::uint32_t c : centres.choose(0.03, 30)) {
      if (points[c].x() > 0.0) {
        places.push_back(points[c]);
      }
    }
    return places;
  };
  const std::vector<Vec3> whole = chosen_right_of_the_middle(cloud);
  EXPECT_GT(whole.size(), 1000U);
  EXPECT_EQ(whole, chosen_right_of_the_middle(piece));
}

TEST(Consensus, FlattensANoisyPlane) {
  TestRandom random;
  std::vector<Vec3> points = plane_lattice(50, 1.0, {0, 0, 1}, 0.3);
  for (Vec3& p : points) {
    p.z() += 0.1 * random.normal();
  }
  EXPECT_LT(rms_height(quadrics_of(points, 48, 0.1)), 0.5 * rms_height(points));
  EXPECT_LT(rms_height(planes_of(points, 0.1)), 0.4 * rms_height(points));
}

TEST(Consensus, LeavesQuadricsAlone) {
  std::vector<Vec3> points = plane_lattice(40, 1.0, {0, 0, 1}, 0.3);
  for (Vec3& p : points) {
    p.z() = 0.002 * p.x() * p.x() - 0.001 * p.x() * p.y();
  }
  EXPECT_LT(largest_deviation(quadrics_of(points, 24, 0.1), points), 0.01);
}

TEST(Consensus, HoldsBackAtSharpEdges) {
  // Points of a clean cube: nothing there is noise, though much is no quadric.
  const std::vector<Vec3> points = make_shape("cube")->sample(6000);
  const double spacing = std::sqrt(6.0 / 6000.0);
  const std::vector<Vec3> moved = quadrics_of(points, 24, 0.05 * spacing);
  EXPECT_LT(largest_deviation(moved, points), 0.1 * spacing);
}

TEST(Consensus, OfLargeWindowsHelpsWhereTheSurfaceIsFlatAndHardlyHarmsWhereItBends) {
  const auto gain = [](std::string_view name, std::size_t count, double spacing) {
    const std::shared_ptr<const Shape> shape = make_shape(name);
    const std::vector<Vec3> noisy = noisy_shape(name, count, 0.3 * spacing);
    const auto error = [&](const std::vector<Vec3>& points) { return compare_to_shape(points, *shape).rms_distance; };
    return error(planes_of(noisy, 0.3 * spacing)) / error(small_planes_of(noisy, 0.3 * spacing));
  };
  EXPECT_LT(gain("cube", 12000, std::sqrt(6.0 / 12000)), 0.9);
  EXPECT_LT(gain("sphere", 400, std::sqrt(4.0 * std::numbers::pi / 400)), 1.06) << "bends by 80 degrees in a window";
}

TEST(Consensus, OfPlanesDrawsPointsToTheirOwnSideOfAnEdge) {
  const std::shared_ptr<const Shape> cube = make_shape("cube");
  constexpr std::size_t count = 12000;
  const double spacing = std::sqrt(6.0 / count);
  const std::vector<Vec3> noisy = noisy_shape("cube", count, 0.3 * spacing);
  const auto at_edges = [&](const std::vector<Vec3>& points) {
    return compare_to_shape(points, *cube, 2.0 * spacing).edge_mean_distance;
  };
  const std::vector<Vec3> planes = planes_of(noisy, 0.3 * spacing);
  EXPECT_LT(at_edges(planes), 0.6 * at_edges(noisy));
  EXPECT_LT(at_edges(planes), 0.9 * at_edges(quadrics_of(noisy, 24, 0.3 * spacing)));
}

/// All kinds of windows, the widest if asked for.
std::vector<Vec3> planes_and_quadrics_of(const std::vector<Vec3>& points, double noise,
                                         const MisfitTolerance& tolerance, bool with_widest = false) {
  const FitWindows windows{windows_of(points, 20), windows_of(points, 80), windows_of(points, 48),
                           windows_of(points, 192), with_widest ? windows_of(points, 384) : Windows{}};
  return consensus_of_planes_and_quadrics(points, windows, everywhere(points, noise), tolerance, {}, {}).points;
}

TEST(Consensus, OfQuadricsHelpsWhereTheSurfaceBendsAndHardlyHarmsEdges) {
  constexpr MisfitTolerance tolerance{0.3, 1.3};
  const auto gain = [&](std::string_view name, double spacing) {
    const std::shared_ptr<const Shape> shape = make_shape(name);
    const std::vector<Vec3> noisy = noisy_shape(name, 8000, 0.3 * spacing);
    const auto error = [&](const std::vector<Vec3>& points) { return compare_to_shape(points, *shape).rms_distance; };
    return error(planes_and_quadrics_of(noisy, 0.3 * spacing, tolerance)) / error(planes_of(noisy, 0.3 * spacing));
  };
  EXPECT_LT(gain("sphere", std::sqrt(4.0 * std::numbers::pi / 8000)), 0.8);
  EXPECT_LT(gain("cube", std::sqrt(6.0 / 8000)), 1.06);
}

TEST(Consensus, OfTheWidestWindowsHelpsOnLargeFacesAndHarmsNoShape) {
  const auto gain = [](std::string_view name, double noise) {
    const std::shared_ptr<const Shape> shape = make_shape(name);
    const std::vector<Vec3> noisy = noisy_shape(name, 8000, noise);
    const auto error = [&](bool with_widest) {
      return compare_to_shape(planes_and_quadrics_of(noisy, noise, {0.3, 1.3}, with_widest), *shape).rms_distance;
    };
    return error(true) / error(false);
  };
  const double sphere_spacing = std::sqrt(4.0 * std::numbers::pi / 8000);
  const double cube_spacing = std::sqrt(6.0 / 8000);
  EXPECT_LT(gain("sphere", 0.3 * sphere_spacing), 0.9);
  EXPECT_LT(gain("cube", 0.3 * cube_spacing), 0.98);
  // Windows of 384 points are far too large for the fins and edges of these.
  EXPECT_LT(gain("part", 0.01), 1.02);
  EXPECT_LT(gain("cube", 0.05 * cube_spacing), 1.02);
}

TEST(Consensus, OfQuadricsLeavesWallsApartWhenStrict) {
  // Two sheets two spacings apart: large windows hold both, and their residuals are far above the noise.
  TestRandom random;
  std::vector<Vec3> points;
  for (const double height : {0.0, 2.0}) {
    for (Vec3 p : plane_lattice(40, 1.0, {0, 0, 1}, 0.3)) {
      p.z() += height + 0.3 * random.normal();
      points.push_back(p);
    }
  }
  double wrong = 0.0;
  for (const Vec3& p : planes_and_quadrics_of(points, 0.3, {0.1, 0.7})) {
    wrong += std::min(std::abs(p.z()), std::abs(p.z() - 2.0)) > 0.6 ? 1.0 : 0.0;
  }
  EXPECT_LT(wrong, 0.02 * static_cast<double>(points.size()));
}

TEST(EqualiseSpacing, SpreadsPointsAlongTheirPlaneOnly) {
  std::vector<Vec3> points = random_points(2500);
  for (Vec3& p : points) {
    p.z() = 0.0;
  }
  const double reach = 0.02;
  const std::vector<Vec3> even = equalise_spacing(points, everywhere(points, reach), NeighbourSearch(points), {});
  EXPECT_LT(rms_height(even), 1e-12);
  EXPECT_LT(largest_deviation(even, points), reach * (1 + 1e-12));
  EXPECT_LT(compare_to_cloud(even, points).evenness, 0.7 * compare_to_cloud(points, points).evenness);
}

TEST(Restraint, TakesBackWhatIsTooLargeToBeNoise) {
  // Points of a plane that moved across it by 0.1 on one side of x = 20, by 0.5 on the other.
  TestRandom random;
  const std::vector<Vec3> before = plane_lattice(40, 1.0, {0, 0, 1}, 0.3);
  std::vector<Vec3> after = before;
  for (Vec3& p : after) {
    p.z() += (p.x() < 20.0 ? 0.1 : 0.5) * random.normal();
  }
  const std::vector<Vec3> restrained = restrain(before, after, windows_of(before, 48), everywhere(before, 0.1), {});
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double moved = (after[i] - before[i]).norm();
    const double kept = (restrained[i] - before[i]).norm();
    if (before[i].x() < 10.0) {
      EXPECT_GT(kept, 0.9 * moved) << before[i].transpose();
    } else if (before[i].x() > 30.0) {
      EXPECT_LT(kept, 0.1 * moved) << before[i].transpose();
    }
    EXPECT_LE(kept, moved * (1 + 1e-12));
  }
}

TEST(Restraint, IsNotSwayedByAFewPointsThatWereFarOff) {
  TestRandom random;
  const std::vector<Vec3> before = plane_lattice(40, 1.0, {0, 0, 1}, 0.3);
  std::vector<Vec3> after = before;
  for (std::size_t i = 0; i < after.size(); ++i) {
    after[i].z() += (i % 10 == 0 ? 1.0 : 0.1) * random.normal();
  }
  const std::vector<Vec3> restrained = restrain(before, after, windows_of(before, 48), everywhere(before, 0.1), {});
  double taken_back = 0.0;
  double moved = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i % 10 != 0) {
      taken_back += (restrained[i] - after[i]).squaredNorm();
      moved += (after[i] - before[i]).squaredNorm();
    }
  }
  EXPECT_LT(taken_back, 0.02 * moved);
}

TEST(Consensus, TakesTheNoiseOfEachPlace) {
  // Weak noise on one half of a plane, strong noise on the other: with the noise of either for all of it, one half is
  // hardly touched; with its own everywhere, both become flatter.
  TestRandom random;
  std::vector<Vec3> points = plane_lattice(60, 1.0, {0, 0, 1}, 0.3);
  std::vector<double> noise;
  for (Vec3& p : points) {
    noise.push_back(p.x() < 30.0 ? 0.05 : 0.5);
    p.z() += noise.back() * random.normal();
  }
  const std::vector<Vec3> result = planes_of(points, noise);
  std::vector<Vec3> quiet;
  std::vector<Vec3> loud;
  for (const Vec3& p : result) {
    (p.x() < 25.0 ? quiet : loud).push_back(p);
  }
  EXPECT_LT(rms_height(quiet), 0.5 * 0.05);
  EXPECT_LT(rms_height(loud), 0.5 * 0.5);
}

}  // namespace
}  // namespace burnish::automatic
