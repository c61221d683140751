#include "burnish/mesh_sampling.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <numbers>

#include "burnish/error.hpp"
#include "burnish/mesh_distance.hpp"
#include "burnish/neighbours.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

/// A unit square in the plane z = 0, its left half two triangles, its right half many: side × side × 2 of them.
TriangleMesh uneven_square(std::uint32_t side) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 1, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (std::uint32_t y = 0; y <= side; ++y) {
    for (std::uint32_t x = 0; x <= side; ++x) {
      mesh.vertices.emplace_back(0.5 + 0.5 * x / side, 1.0 * y / side, 0.0);
    }
  }
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      const std::uint32_t corner = 4 + y * (side + 1) + x;
      mesh.triangles.push_back({corner, corner + 1, corner + side + 2});
      mesh.triangles.push_back({corner, corner + side + 2, corner + side + 1});
    }
  }
  return mesh;
}

TriangleMesh cube() {
  TriangleMesh mesh;
  for (const int i : {0, 1, 2, 3, 4, 5, 6, 7}) {
    mesh.vertices.emplace_back(i & 1, i >> 1 & 1, i >> 2 & 1);
  }
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// The largest distance that `count` points on a plane of that area can all keep: they make a triangular lattice.
double largest_radius(double area, std::size_t count) {
  return std::sqrt(2.0 * area / (std::sqrt(3.0) * static_cast<double>(count)));
}

double smallest_distance(std::span<const Vec3> points) {
  const NeighbourSearch search(points);
  double smallest = std::numeric_limits<double>::infinity();
  for (const Vec3& p : points) {
    std::array<std::uint32_t, 2> indices{};
    std::array<double, 2> distances{};
    search.nearest(p, indices, distances);
    smallest = std::min(smallest, distances[1]);
  }
  return std::sqrt(smallest);
}

TEST(PoissonDisk, GivesAboutAsManyPointsAsAskedFor) {
  for (const std::size_t count : {100U, 1000U, 20000U}) {
    const auto found = static_cast<double>(sample_poisson_disk(cube(), count).positions.size());
    EXPECT_NEAR(found, static_cast<double>(count), std::max(1.0, 0.01 * static_cast<double>(count))) << count;
  }
  EXPECT_EQ(sample_poisson_disk(cube(), 1).positions.size(), 1U);
  EXPECT_EQ(sample_poisson_disk(cube(), 0).positions.size(), 0U);
}

TEST(PoissonDisk, KeepsItsDistanceAndComesNearTheLargestPossible) {
  const PoissonDiskSample sample = sample_poisson_disk(cube(), 5000);
  EXPECT_GT(smallest_distance(sample.positions), (1.0 - 1e-9) * sample.radius);
  // Points thrown until no more fit in reach 0.777 (random sequential adsorption, coverage 0.547).
  const double relative = sample.radius / largest_radius(6.0, sample.positions.size());
  EXPECT_GT(relative, 0.72);
  EXPECT_LT(relative, 0.79);
  EXPECT_LT(smallest_distance(sample_uniformly(cube(), 5000)), 0.1 * sample.radius) << "what it is better than";
}

TEST(PoissonDisk, LeavesNoGaps) {
  const TriangleMesh mesh = cube();
  const PoissonDiskSample sample = sample_poisson_disk(mesh, 5000);
  const NeighbourSearch search(sample.positions);
  double farthest = 0.0;
  for (const Vec3& p : sample_uniformly(mesh, 100000, 77)) {
    std::array<std::uint32_t, 1> index{};
    std::array<double, 1> distance{};
    search.nearest(p, index, distance);
    farthest = std::max(farthest, std::sqrt(distance[0]));
  }
  // No place is farther than the radius from a point, but for what falls between the points of the pool.
  EXPECT_LT(farthest, 1.25 * sample.radius);
}

TEST(PoissonDisk, LiesOnTheMesh) {
  const TriangleMesh mesh = cube();
  const MeshDistance distance(mesh);
  for (const Vec3& p : sample_poisson_disk(mesh, 2000).positions) {
    EXPECT_LT(distance.squared_distance(p), 1e-28);
  }
}

TEST(PoissonDisk, IsBlindToTheSizeOfTriangles) {
  const TriangleMesh mesh = uneven_square(60);
  const auto left_part = [](std::span<const Vec3> points) {
    const auto left = std::ranges::count_if(points, [](const Vec3& p) { return p.x() < 0.5; });
    return static_cast<double>(left) / static_cast<double>(points.size());
  };
  EXPECT_NEAR(left_part(sample_poisson_disk(mesh, 10000).positions), 0.5, 0.01);
  EXPECT_NEAR(left_part(sample_uniformly(mesh, 10000)), 0.5, 0.02);
}

TEST(PoissonDisk, HasTheSpectrumOfBlueNoise) {
  // Power of the points of a unit square, averaged over directions of whole-number waves: almost none for waves longer
  // than the distance, about 1 for much shorter ones; for points thrown at random 1 everywhere.
  TriangleMesh square;
  square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  const auto power = [](std::span<const Vec3> points, double from, double to) {
    double sum = 0.0;
    double waves = 0.0;
    for (int u = 0; u <= static_cast<int>(to); ++u) {
      for (int v = 1; v <= static_cast<int>(to); ++v) {
        const double frequency = std::hypot(u, v);
        if (frequency < from || frequency >= to || (u + v) % 5 != 0) {
          continue;
        }
        std::complex<double> total = 0.0;
        for (const Vec3& p : points) {
          total += std::polar(1.0, -2.0 * std::numbers::pi * (u * p.x() + v * p.y()));
        }
        sum += std::norm(total) / static_cast<double>(points.size());
        waves += 1.0;
      }
    }
    return sum / waves;
  };
  const PoissonDiskSample sample = sample_poisson_disk(square, 1000);
  const double peak = 1.0 / sample.radius;
  EXPECT_LT(power(sample.positions, 0.1 * peak, 0.5 * peak), 0.15);
  EXPECT_GT(power(sample.positions, 0.9 * peak, 1.2 * peak), 1.2) << "the ring of blue noise";
  const std::vector<Vec3> random = sample_uniformly(square, 1000);
  EXPECT_NEAR(power(random, 0.1 * peak, 0.5 * peak), 1.0, 0.4);
}

TEST(PoissonDisk, DependsOnTheSeedButNotOnThreads) {
  ExecutionContext one;
  one.threads = 1;
  ExecutionContext three;
  three.threads = 3;
  const TriangleMesh mesh = cube();
  const std::vector<Vec3> points = sample_poisson_disk(mesh, 3000, 5, one).positions;
  EXPECT_TRUE(same_bits(points, sample_poisson_disk(mesh, 3000, 5, three).positions));
  EXPECT_FALSE(same_bits(points, sample_poisson_disk(mesh, 3000, 6, one).positions));
  EXPECT_TRUE(same_bits(sample_uniformly(mesh, 50000, 5, one), sample_uniformly(mesh, 50000, 5, three)));
}

TEST(PoissonDisk, WorksAtAnySizeAndPlace) {
  TriangleMesh mesh = cube();
  const double relative = sample_poisson_disk(mesh, 1000).radius;
  for (const double scale : {1e-200, 1e-9, 1e9, 1e150}) {
    TriangleMesh other = mesh;
    for (Vec3& v : other.vertices) {
      v = scale * (v + Vec3(1000.0, 0.0, 0.0));
    }
    const PoissonDiskSample sample = sample_poisson_disk(other, 1000);
    EXPECT_NEAR(sample.radius / scale, relative, 0.05 * relative) << scale;
  }
}

TEST(MeshSampling, RefusesMeshesWithoutSurface) {
  TriangleMesh mesh;
  EXPECT_THROW((void)sample_uniformly(mesh, 10), Error);
  mesh.vertices = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {std::nan(""), 0, 0}, {1e308, 0, 0}, {-1e308, 1e308, 0}};
  EXPECT_THROW((void)sample_poisson_disk(mesh, 10), Error);
  mesh.triangles = {{0, 1, 2}, {1, 1, 1}};
  EXPECT_THROW((void)sample_poisson_disk(mesh, 10), Error) << "no area";
  mesh.triangles = {{0, 1, 9}};
  EXPECT_THROW((void)sample_uniformly(mesh, 10), Error) << "no such vertex";
  mesh.triangles = {{0, 1, 3}};
  EXPECT_THROW((void)sample_uniformly(mesh, 10), Error) << "not finite";
  mesh.triangles = {{0, 4, 5}};
  EXPECT_THROW((void)sample_poisson_disk(mesh, 10), Error) << "too large";
}

TEST(MeshSampling, PassesOverTrianglesWithoutArea) {
  TriangleMesh mesh = cube();
  const std::vector<Vec3> expected = sample_uniformly(mesh, 500);
  mesh.vertices.emplace_back(std::nan(""), 0.0, 0.0);  // of no triangle
  mesh.vertices.emplace_back(0.25, 0.25, 0.0);
  mesh.triangles.push_back({9, 9, 9});
  mesh.triangles.push_back({0, 0, 7});
  EXPECT_TRUE(same_bits(sample_uniformly(mesh, 500), expected));
}

TEST(MeshSampling, SliversAreNoTrouble) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1e-13, 0}};
  mesh.triangles = {{0, 1, 2}};
  EXPECT_GT(sample_poisson_disk(mesh, 500).positions.size(), 400U);
}

}  // namespace
}  // namespace burnish
