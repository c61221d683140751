#include "burnish/mesh_distance.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "burnish/error.hpp"

namespace burnish {
namespace {

double segment_squared(const Vec3& p, const Vec3& a, const Vec3& b) {
  const double length = (b - a).squaredNorm();
  const double t = length > 0.0 ? std::clamp((p - a).dot(b - a) / length, 0.0, 1.0) : 0.0;
  return (p - a - t * (b - a)).squaredNorm();
}

/// A second way to the distance: the plane if the foot has positive barycentric coordinates, else the edges.
double triangle_squared(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const double edges = std::min({segment_squared(p, a, b), segment_squared(p, b, c), segment_squared(p, c, a)});
  const Vec3 normal = (b - a).cross(c - a);
  const double square = normal.squaredNorm();
  if (square == 0.0) {
    return edges;
  }
  const double u = (c - b).cross(p - b).dot(normal);
  const double v = (a - c).cross(p - c).dot(normal);
  const double w = (b - a).cross(p - a).dot(normal);
  const double height = (p - a).dot(normal);
  return u >= 0.0 && v >= 0.0 && w >= 0.0 ? std::min(edges, height * height / square) : edges;
}

double triangle_squared(const Vec3& p, const TriangleMesh& mesh, std::size_t t) {
  const auto& [a, b, c] = mesh.triangles[t];
  return triangle_squared(p, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
}

class Random {
 public:
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0;
  }
  Vec3 in_cube(double half) { return {(*this)(-half, half), (*this)(-half, half), (*this)(-half, half)}; }
  std::vector<Vec3> points(std::size_t count, double half) {
    std::vector<Vec3> result(count);
    std::ranges::generate(result, [&] { return in_cube(half); });
    return result;
  }

 private:
  std::mt19937 engine_{7};
};

void add(TriangleMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// Small, huge and thin triangles, segments and points.
TriangleMesh mixed_mesh() {
  Random random;
  TriangleMesh mesh;
  for (int i = 0; i < 300; ++i) {
    const Vec3 a = random.in_cube(1.0);
    add(mesh, a, a + random.in_cube(0.1), a + random.in_cube(0.1));
  }
  for (int i = 0; i < 20; ++i) {
    const Vec3 a = random.in_cube(1.0);
    const Vec3 long_side = random.in_cube(2.0);
    add(mesh, a, a + long_side, a + 0.4 * long_side + random.in_cube(1e-4));  // needle
    add(mesh, a, a + 0.5 * long_side, a + long_side);                         // collinear
    add(mesh, a, a, a + random.in_cube(0.3));                                 // segment
    add(mesh, a, a, a);                                                       // point
  }
  add(mesh, {-50, -50, -1.2}, {50, -50, -1.2}, {0, 80, -1.2});
  add(mesh, {-50, 20, 60}, {50, -50, -40}, {10, 80, 9});
  return mesh;
}

TEST(MeshDistance, AgreesWithBruteForce) {
  const TriangleMesh mesh = mixed_mesh();
  const MeshDistance distance(mesh);
  for (const Vec3& p : Random().points(3000, 1.5)) {
    double expected = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      expected = std::min(expected, triangle_squared(p, mesh, t));
    }
    const SurfacePoint found = distance.closest(p);
    ASSERT_NEAR(std::sqrt(found.squared_distance), std::sqrt(expected), 1e-12);
    ASSERT_NEAR((found.position - p).norm(), std::sqrt(expected), 1e-12);
    ASSERT_NEAR(std::sqrt(triangle_squared(found.position, mesh, found.triangle)), 0.0, 1e-12);
    ASSERT_EQ(distance.squared_distance(p), found.squared_distance);
  }
}

TEST(MeshDistance, OfTrianglesToPointsAgreesWithBruteForce) {
  const TriangleMesh mesh = mixed_mesh();
  for (const std::size_t count : {1U, 7U, 2000U}) {
    const std::vector<Vec3> points = Random().points(count, 1.5);
    const std::vector<double> found = squared_distances_to_points(mesh, points);
    ASSERT_EQ(found.size(), mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      double expected = std::numeric_limits<double>::infinity();
      for (const Vec3& p : points) {
        expected = std::min(expected, triangle_squared(p, mesh, t));
      }
      ASSERT_NEAR(std::sqrt(found[t]), std::sqrt(expected), 1e-12);
    }
  }
}

TEST(MeshDistance, StaysAccurateForNeedles) {
  // A triangle 1 long and 1e-9 high, slanted in space: the cross product of its edges has hardly a correct digit, but
  // a point above its longest edge is known to be exactly one away.
  const Vec3 along = Vec3(1, 2, 3).normalized();
  const Vec3 up = along.unitOrthogonal();
  const Vec3 normal = along.cross(up);
  TriangleMesh mesh;
  add(mesh, Vec3::Zero(), along, 0.3 * along + 1e-9 * up);
  const MeshDistance distance(mesh);
  for (const double x : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(distance.squared_distance(x * along + normal), 1.0, 1e-14);
    EXPECT_NEAR(distance.squared_distance(x * along - up), 1.0, 1e-14);
  }
}

TEST(MeshDistance, StaysAccurateInMapCoordinates) {
  const Vec3 far(500000, 4000000, 300);
  TriangleMesh mesh = mixed_mesh();
  const MeshDistance near_origin(mesh);
  for (Vec3& v : mesh.vertices) {
    v += far;
  }
  const MeshDistance moved(mesh);
  for (const Vec3& p : Random().points(500, 1.5)) {
    EXPECT_NEAR(std::sqrt(moved.squared_distance(p + far)), std::sqrt(near_origin.squared_distance(p)), 3e-9);
  }
}

TEST(MeshDistance, DistinguishesCornerEdgeAndFace) {
  TriangleMesh mesh;
  add(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const MeshDistance distance(mesh);
  EXPECT_DOUBLE_EQ(distance.squared_distance({0.2, 0.2, 3}), 9.0);
  EXPECT_DOUBLE_EQ(distance.squared_distance({-1, -1, 0}), 2.0);
  EXPECT_DOUBLE_EQ(distance.squared_distance({0.5, -2, 1}), 5.0);
  EXPECT_NEAR(distance.squared_distance({1, 1, 0}), 0.5, 1e-15);
  EXPECT_NEAR((distance.closest({1, 1, 0}).position - Vec3(0.5, 0.5, 0)).norm(), 0.0, 1e-15);
}

TEST(MeshDistance, DoesNotDependOnThreads) {
  const TriangleMesh mesh = mixed_mesh();
  const std::vector<Vec3> points = Random().points(1000, 1.5);
  ExecutionContext one;
  one.threads = 1;
  EXPECT_EQ(squared_distances_to_points(mesh, points, one), squared_distances_to_points(mesh, points));
}

TEST(MeshDistance, RefusesWhatIsNoMesh) {
  EXPECT_THROW(MeshDistance(TriangleMesh{}), Error);
  TriangleMesh mesh;
  add(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  mesh.triangles[0][2] = 3;
  EXPECT_THROW(MeshDistance{mesh}, Error);
  mesh.triangles[0][2] = 2;
  mesh.vertices[2].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(MeshDistance{mesh}, Error);
  EXPECT_THROW((void)squared_distances_to_points(mesh, std::vector<Vec3>{Vec3::Zero()}), Error);
}

}  // namespace
}  // namespace burnish
